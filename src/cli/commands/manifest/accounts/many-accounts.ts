import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import type { JsonObject } from '../../../../base/json.ts';
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
  const chosen = typeof accounts === 'string' ? await openAccounts(context, input, accounts) : accounts;
  const hasVars = typeof accounts === 'string' && chosen.some(({ vars }) => vars.size > 0);
  const planner = new FleetPlanner(context, input, chosen, { list: hasVars ? accounts : undefined, out });
  return {
    kind: 'fleet',
    documents: planner.documents(),
    rowsOf: (document) => (isPlan(document) ? planRows(document) : []),
    columns: planColumns,
    namesOf: (document) => (isPlan(document) ? planNames(document) : []),
    end: () => planner.end(),
    get failure() {
      return planner.summary.failure(
        createHint`Nothing was sent. To see the plan of one account: ${nextStep`diff --account NAME`}`,
      );
    },
    get exit() {
      return input.exitCode && planner.summary.sizes.changing > 0 ? 'differences' : undefined;
    },
  };
}

class FleetPlanner {
  readonly summary: FleetSummary;
  readonly #context: Context;
  readonly #input: PlanManyInput;
  readonly #accounts: readonly ChosenAccount[];
  /** File of the list, if rows of it have values of variables. */
  readonly #list: string | undefined;
  readonly #out: string | undefined;
  readonly #saved: FleetAccount[] = [];
  readonly #hashes = new Map<string, string>();
  #manifest: Manifest | undefined;

  constructor(
    context: Context,
    input: PlanManyInput,
    accounts: readonly ChosenAccount[],
    { list, out }: { readonly list: string | undefined; readonly out: string | undefined },
  ) {
    const { drift, where } = input;
    this.summary = new FleetSummary({ verbose: context.options.verbosity === 'verbose', drift, where });
    this.#context = context;
    this.#input = input;
    this.#accounts = accounts;
    this.#list = list;
    this.#out = out;
  }

  async *documents(): AsyncGenerator<FleetDocument> {
    const { drift, unmanaged } = this.#input;
    const outcomes = planEachAccount(this.#context, this.#input, this.#accounts, {
      looking: { drift, unmanaged },
      facts: async (_, { manifest, accounts }) => {
        this.#refuseChangedInputs(manifest.desired.inputs);
        this.#manifest ??= manifest;
        return this.#out === undefined ? '' : planHash(accounts);
      },
    });
    for await (const outcome of outcomes) {
      if (outcome.state !== 'done') {
        this.summary.fail(outcome);
        yield { document: unplannedJson(outcome), isApart: true };
        continue;
      }
      const { planned, facts: hash } = outcome.result;
      const counts = { ...this.summary.add(planned) };
      const { label: account, id } = outcome.account;
      if (this.#out !== undefined) this.#saved.push({ account, id, hash, counts });
      for (const plan of planned) yield { document: plannedJson(plan) };
    }
  }

  async end(): Promise<Awaited<ReturnType<FleetResult['end']>>> {
    const { summary } = this;
    const refused = this.#input.drift ? undefined : summary.refusal(planLimits(this.#input));
    const { failed, charges } = summary;
    if (this.#out !== undefined && this.#manifest !== undefined && this.#saved.length > 0)
      await this.#save(this.#out, this.#manifest, refused);
    reportForNames(this.#context, summary.sizes.changing === 0, refused ? [refused] : []);
    return {
      value: {
        version: planVersion,
        counts: { accounts: summary.sizes.accounts, ...summary.groups().counts },
        ...(refused ? { refused: shownRefusal(refused) } : {}),
        ...(charges ? { charges } : {}),
        ...(failed.length === 0 ? {} : { failed }),
      },
      lines: summary.lines(refused),
    };
  }

  async #save(file: string, manifest: Manifest, refused: Failure | undefined): Promise<void> {
    const { profile } = await this.#context.session();
    await saveFleet(this.#context, file, this.summary, {
      origin: profile.baseUrl,
      set: manifest.desired.set,
      inputs: manifest.desired.inputs,
      accounts: this.#saved,
      options: {
        ...savedOptions({ manifest }, this.#input),
        ...(this.#list === undefined ? {} : { accounts: this.#list }),
      },
      ...(refused ? { refused: shownRefusal(refused) } : {}),
    });
    this.#context.notices.say(`Saved to ${file}. To start it: ${nextStep`rollout start ${file}`}`);
  }

  /** Throws `conflict` if a file of the manifest changes while accounts are planned. */
  #refuseChangedInputs(inputs: readonly InputFile[]): void {
    for (const { name, sha256 } of inputs) {
      const before = this.#hashes.get(name) ?? sha256;
      if (before !== sha256)
        throw new Failure('conflict', `${name} was changed while plans were made from it.`, {
          hint: 'Make the plans again.',
        });
      this.#hashes.set(name, sha256);
    }
  }
}

const isPlan = (document: JsonObject): document is ShownPlan => Array.isArray(document.steps);
