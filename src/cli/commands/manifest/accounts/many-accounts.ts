import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { quoteName } from '../../../../base/wording.ts';
import type { InputFile } from '../../../../engine/manifest/desired.ts';
import { planVersion } from '../../../../engine/manifest/plan.ts';
import { limitsOf } from '../../../../engine/manifest/plan-safety.ts';
import type { Manifest } from '../../../../engine/manifest/read-manifest.ts';
import { type ShownPlan, shownRefusal } from '../../../../engine/manifest/shown-plan.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { FleetDocument, FleetResult } from '../../../command/result.ts';
import {
  type ChosenAccount,
  chooseAccounts,
  type ListedAccount,
  readAccountList,
} from '../../bulk/choose-accounts.ts';
import { eachAccount } from '../../bulk/over-accounts.ts';
import type { viewOptions } from '../commands.ts';
import { readManifestInput } from '../manifest-input.ts';
import { withoutObserved } from '../plan/plan-lines.ts';
import {
  planColumns,
  planNames,
  plannedJson,
  planRows,
  reportForNames,
  withDetails,
} from '../plan/plan-report.ts';
import { type Planning, type PlanningInput, planAccounts } from '../plan/planning.ts';
import { savedOptions } from '../plan/save-plan.ts';
import { type FleetAccount, saveFleet } from './fleet-file.ts';
import { fleetPlan, planHash, unplannedJson } from './fleet-plan.ts';

/**
 * Returns the accounts of a list, after the manifest was read for each of them. Throws `Failure`: `usage` if the
 * manifest names an account, `invalid` if the manifest or the list is wrong, and those of `chooseAccounts`.
 */
export async function openAccounts(
  context: Context,
  input: PlanningInput & { readonly where?: readonly string[] },
  file: string,
): Promise<readonly ChosenAccount[]> {
  if (input.file.includes('-'))
    throw new Failure(
      'usage',
      '-f - cannot be combined with --accounts, which reads the manifest for each account.',
      {
        hint: 'Put the manifest into a file.',
      },
    );
  const listed = await readAccountList(context.host, file, input.where);
  await checkManifest(context, input, listed);
  return chooseAccounts(context, listed);
}

/** Reads the manifest for each account with its own values. Throws `Failure`: `usage`, `invalid`. */
export async function checkManifest(
  context: Context,
  input: PlanningInput,
  listed: readonly ListedAccount[],
): Promise<void> {
  const differing = new Map(listed.map((one) => [JSON.stringify([...one.vars]), one]));
  for (const one of differing.values()) await checkManifestFor(context, input, one);
}

/** Reads the manifest for one account, without warnings, which the plan reports. */
export const readManifestQuietly = (
  context: Context,
  input: PlanningInput,
  account: Pick<ListedAccount, 'vars'>,
): Promise<Manifest> =>
  readManifestInput(
    { ...context, notices: { ...context.notices, warn: () => undefined } },
    inputWithVars(input, account),
  );

/** Returns the input of a command for one account of a list. */
export const inputWithVars = <I extends PlanningInput>(
  input: I,
  { vars }: Pick<ListedAccount, 'vars'>,
): I & { readonly columns: readonly string[] } => ({
  ...input,
  var: [...input.var, ...[...vars].map(([name, value]) => `${name}=${value}`)],
  columns: [...vars.keys()],
});

async function checkManifestFor(context: Context, input: PlanningInput, one: ListedAccount): Promise<void> {
  const { desired } = await readManifestQuietly(context, input, one).catch((error: unknown) => {
    if (!(error instanceof Failure) || one.vars.size === 0) throw error;
    const { kind, lines, hint, details } = error;
    throw new Failure(kind, [`For ${quoteName(one.word)} (${one.file}:${one.line}):`, ...lines], {
      hint,
      details,
      cause: error,
    });
  });
  if (desired.accounts.every(({ account }) => account === undefined)) return;
  throw new Failure('usage', 'A manifest that names its account cannot be used for many accounts.', {
    hint: 'Remove "account:" from the manifest, or leave out --accounts.',
  });
}

/** Returns the manifest of an account. Reads it once for all accounts without their own values. */
export function manifestFor(input: PlanningInput) {
  let whole: Promise<Manifest> | undefined;
  return async (own: Context, { vars }: Pick<ListedAccount, 'vars'>): Promise<Manifest | undefined> => {
    if (vars.size > 0) return undefined;
    whole ??= readManifestInput(own, input, { conventionsLater: true });
    return whole;
  };
}

/**
 * Plans many accounts with limited concurrency, and keeps only the shown part of each plan, and `facts`. Sends no
 * writes.
 */
export function planEachAccount<T>(
  context: Context,
  input: PlanningInput,
  accounts: readonly ChosenAccount[],
  {
    looking = {},
    givesPasswords = false,
    facts,
  }: {
    readonly looking?: Parameters<typeof withDetails>[2];
    readonly givesPasswords?: boolean;
    facts(own: Context, planning: Planning): Promise<T>;
  },
) {
  const manifestOf = manifestFor(input);
  return eachAccount(context, accounts, {
    what: 'accounts',
    async work(account, own) {
      const manifest = await manifestOf(own, account);
      const planning = await planAccounts(own, inputWithVars(input, account), { manifest, givesPasswords });
      const looked = await withDetails(own, planning, looking);
      return { planned: looked.accounts.map(withoutObserved), facts: await facts(own, planning) };
    },
  });
}

/** `diff` and `plan` of many accounts. Shows each plan when it is ready, and keeps only sums. Sends no writes. */
export async function planMany(
  context: Context,
  input: PlanningInput &
    Partial<InputOf<typeof viewOptions>> & {
      readonly exitCode?: boolean | undefined;
      readonly where?: readonly string[];
    },
  given: string | readonly ChosenAccount[],
  out?: string,
): Promise<FleetResult> {
  const { drift, unmanaged } = input;
  const chosen = typeof given === 'string' ? await openAccounts(context, input, given) : given;
  const fleet = fleetPlan({ verbose: context.options.verbosity === 'verbose', drift, where: input.where });
  let tooMuch: Failure | undefined;
  let first: Manifest | undefined;
  const checkInputs = inputsGuard();
  const saved: FleetAccount[] = [];
  async function* documents(): AsyncGenerator<FleetDocument> {
    const ends = planEachAccount(context, input, chosen, {
      looking: { drift, unmanaged },
      async facts(_, { manifest, accounts }) {
        checkInputs(manifest.desired.inputs);
        first ??= manifest;
        return out === undefined ? '' : planHash(accounts);
      },
    });
    for await (const end of ends) {
      if (end.state === 'done') {
        const { planned: those, facts: hash } = end.result;
        const counts = { ...fleet.add(those) };
        if (out !== undefined) saved.push({ account: end.account.word, id: end.account.id, hash, counts });
        for (const planned of those) yield { document: plannedJson(planned) };
      } else {
        fleet.fail(end);
        yield { document: unplannedJson(end), isApart: true };
      }
    }
  }
  /** Saves the plan and its sources for `telctl rollout start`. */
  const keep = async (file: string, manifest: Manifest): Promise<void> => {
    const { profile } = await context.session();
    const hasVars = typeof given === 'string' && chosen.some(({ vars }) => vars.size > 0);
    await saveFleet(context, file, fleet, {
      origin: profile.baseUrl,
      set: manifest.desired.set,
      inputs: manifest.desired.inputs,
      accounts: saved,
      options: {
        ...savedOptions({ manifest }, input),
        ...(hasVars ? { accounts: given } : {}),
      },
      ...(tooMuch ? { refused: shownRefusal(tooMuch) } : {}),
    });
    context.notices.say(`Saved to ${file}. Carry it out with: ${nextStep`rollout start ${file}`}`);
  };
  return {
    kind: 'fleet',
    documents: documents(),
    rowsOf: (document) => (isPlan(document) ? planRows(document) : []),
    columns: planColumns,
    namesOf: (document) => (isPlan(document) ? planNames(document) : []),
    async end() {
      tooMuch = drift ? undefined : fleet.tooMuch(limitsOf(input));
      const failed = fleet.failed();
      const charges = fleet.charges();
      if (out !== undefined && first !== undefined && saved.length > 0) await keep(out, first);
      reportForNames(context, fleet.sizes.changing === 0, tooMuch ? [tooMuch] : []);
      return {
        value: {
          version: planVersion,
          counts: { accounts: fleet.sizes.accounts, ...fleet.kinds().counts },
          ...(tooMuch ? { refused: shownRefusal(tooMuch) } : {}),
          ...(charges ? { charges } : {}),
          ...(failed.length === 0 ? {} : { failed }),
        },
        lines: fleet.lines(tooMuch),
      };
    },
    get failure() {
      return fleet.failure(
        createHint`Nothing was sent. Look at one of them by itself: ${nextStep`diff --account NAME`}`,
      );
    },
    get exit() {
      return input.exitCode && fleet.sizes.changing > 0 ? 'differences' : undefined;
    },
  };
}

/**
 * Checks that the files of a manifest do not change while accounts are planned. Throws `Failure` of kind `conflict` for
 * a changed file, because the plan would not match its sources.
 */
function inputsGuard(): (inputs: readonly InputFile[]) => void {
  const known = new Map<string, string>();
  return (inputs) => {
    for (const { name, sha256 } of inputs) {
      const before = known.get(name) ?? sha256;
      if (before !== sha256)
        throw new Failure('conflict', `${name} was changed while plans were made from it.`, {
          hint: 'Make the plans again.',
        });
      known.set(name, sha256);
    }
  };
}

const isPlan = (document: JsonObject): document is ShownPlan => Array.isArray(document.steps);
