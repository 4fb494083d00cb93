import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import { type JsonObject, omitUndefined, unlessEmpty } from '../../../../base/json.ts';
import { quoteName } from '../../../../base/wording.ts';
import type { InputFile } from '../../../../engine/manifest/desired.ts';
import { planVersion } from '../../../../engine/manifest/plan.ts';
import { planLimits } from '../../../../engine/manifest/plan-safety.ts';
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
import { eachAccount } from '../../bulk/each-account.ts';
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
import { FleetSummary, planHash, unplannedJson } from './fleet-plan.ts';

/**
 * Returns the accounts of a list, after reading the manifest for each of them. Throws `usage` if the manifest names
 * an account, `invalid` if the manifest or the list is wrong, and the failures of `chooseAccounts`.
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

/** Reads the manifest for each account with its own values. Throws `usage` and `invalid`. */
export async function checkManifest(
  context: Context,
  input: PlanningInput,
  listed: readonly ListedAccount[],
): Promise<void> {
  const differing = new Map(listed.map((one) => [JSON.stringify([...one.vars]), one]));
  for (const one of differing.values()) await checkManifestFor(context, input, one);
}

/** Reads the manifest without warnings, because the plan reports them. */
export const readManifestQuietly = (
  context: Context,
  input: PlanningInput,
  account: Pick<ListedAccount, 'vars'>,
): Promise<Manifest> =>
  readManifestInput(
    { ...context, notices: { ...context.notices, warn: () => undefined } },
    inputWithVars(input, account),
  );

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
    throw new Failure(kind, [`For ${quoteName(one.label)} (${one.file}:${one.line}):`, ...lines], {
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

/** Returns a function that reads the manifest of an account, only once for all accounts without their own values. */
export function manifestFor(input: PlanningInput) {
  let whole: Promise<Manifest> | undefined;
  return async (own: Context, { vars }: Pick<ListedAccount, 'vars'>): Promise<Manifest | undefined> => {
    if (vars.size > 0) return undefined;
    whole ??= readManifestInput(own, input, { conventionsLater: true });
    return whole;
  };
}

/** Plans many accounts with limited concurrency. Keeps only the shown part and `facts`. Sends no writes. */
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
    total: accounts.length,
    async work(account, own) {
      const manifest = await manifestOf(own, account);
      const planning = await planAccounts(own, inputWithVars(input, account), { manifest, givesPasswords });
      const looked = await withDetails(own, planning, looking);
      return { planned: looked.accounts.map(withoutObserved), facts: await facts(own, planning) };
    },
  });
}

type PlanManyInput = PlanningInput &
  Partial<InputOf<typeof viewOptions>> & {
    readonly exitCode?: boolean | undefined;
    readonly where?: readonly string[];
  };

/** `diff` and `plan` of many accounts. Shows each plan when it is ready. With `out`, saves the plan. */
export async function planMany(
  context: Context,
  input: PlanManyInput,
  accounts: string | readonly ChosenAccount[],
  out?: string,
): Promise<FleetResult> {
  const { drift, unmanaged, where, exitCode } = input;
  const chosen = typeof accounts === 'string' ? await openAccounts(context, input, accounts) : accounts;
  const list =
    typeof accounts === 'string' && chosen.some(({ vars }) => vars.size > 0) ? accounts : undefined;
  const summary = new FleetSummary({ verbose: context.options.verbosity === 'verbose', drift, where });
  const refuseChanged = changedInputsGuard();
  const saved: FleetAccount[] = [];
  let manifest: Manifest | undefined;
  async function* documents(): AsyncGenerator<FleetDocument> {
    const outcomes = planEachAccount(context, input, chosen, {
      looking: { drift, unmanaged },
      async facts(_, planning) {
        refuseChanged(planning.manifest.desired.inputs);
        manifest ??= planning.manifest;
        return out === undefined ? '' : planHash(planning.accounts);
      },
    });
    for await (const outcome of outcomes) {
      if (outcome.state !== 'done') {
        summary.fail(outcome);
        yield { document: unplannedJson(outcome), isApart: true };
        continue;
      }
      const { planned, facts: hash } = outcome.result;
      const counts = { ...summary.add(planned) };
      const { label: account, id } = outcome.account;
      if (out !== undefined) saved.push({ account, id, hash, counts });
      for (const plan of planned) yield { document: plannedJson(plan) };
    }
  }
  return {
    kind: 'fleet',
    documents: documents(),
    rowsOf: (document) => (isPlan(document) ? planRows(document) : []),
    columns: planColumns,
    namesOf: (document) => (isPlan(document) ? planNames(document) : []),
    async end() {
      const refused = drift ? undefined : summary.refusal(planLimits(input));
      const shown = omitUndefined({ refused: refused && shownRefusal(refused) });
      if (out !== undefined && manifest !== undefined && saved.length > 0) {
        const { set, inputs } = manifest.desired;
        const options = { ...savedOptions({ manifest }, input), ...omitUndefined({ accounts: list }) };
        const { baseUrl: origin } = (await context.session()).profile;
        await saveFleet(context, out, summary, { origin, set, inputs, accounts: saved, options, ...shown });
        context.notices.say(`Saved to ${out}. To start it: ${nextStep`rollout start ${out}`}`);
      }
      reportForNames(context, summary.sizes.changing === 0, refused ? [refused] : []);
      const counts = { accounts: summary.sizes.accounts, ...summary.groups().counts };
      const more = omitUndefined({ charges: summary.charges, failed: unlessEmpty(summary.failed) });
      return { value: { version: planVersion, counts, ...shown, ...more }, lines: summary.lines(refused) };
    },
    get failure() {
      return summary.failure(
        createHint`Nothing was sent. To see the plan of one account: ${nextStep`diff --account NAME`}`,
      );
    },
    get exit() {
      return exitCode && summary.sizes.changing > 0 ? 'differences' : undefined;
    },
  };
}

/** Returns a function that throws `conflict` if a file of the manifest changes while accounts are planned. */
function changedInputsGuard(): (inputs: readonly InputFile[]) => void {
  const hashes = new Map<string, string>();
  return (inputs) => {
    for (const { name, sha256 } of inputs) {
      const before = hashes.get(name) ?? sha256;
      if (before !== sha256)
        throw new Failure('conflict', `${name} was changed while plans were made from it.`, {
          hint: 'Make the plans again.',
        });
      hashes.set(name, sha256);
    }
  };
}

const isPlan = (document: JsonObject): document is ShownPlan => Array.isArray(document.steps);
