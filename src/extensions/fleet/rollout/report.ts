import { createHint, Failure, nextStep, withFacts } from '../../../base/failure.ts';
import { type JsonObject, omitUndefined, unlessEmpty } from '../../../base/json.ts';
import { shownAtMost } from '../../../base/wording.ts';
import type { InputOf } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import {
  type FleetDocument,
  type FleetResult,
  plainColumns,
  type Result,
} from '../../../cli/command/result.ts';
import { listDescendants } from '../../../cli/commands/bulk/choose-accounts.ts';
import {
  type AccountCount,
  countAccounts,
  formatStarter,
  type Rollout,
  type RolloutAccount,
} from '../../../engine/state/rollouts.ts';
import type { rolloutArguments, showRolloutOptions } from './commands.ts';
import { windowText } from './limits.ts';
import { neverAdoptedLines, resumeHint, rolloutFailure, rolloutLines, sumByState } from './report-lines.ts';

const accountJson = (account: RolloutAccount): JsonObject => {
  const { word, accountId, wave, state, tries, counts, planned, runs, error, worker } = account;
  return omitUndefined({
    account: word,
    account_id: accountId,
    wave,
    state,
    tries,
    counts: { ...counts },
    planned,
    runs,
    never_adopted: account.neverAdopted,
    error: error && { ...error },
    worker,
    took_ms: account.tookMs,
  });
};

export function rolloutJson(rollout: Rollout, counts: readonly AccountCount[]): JsonObject {
  const { id, what, state, why, set, atMs, wave, waves, deletes, charged, undoes } = rollout;
  const { reversing, window, where } = rollout;
  return omitUndefined({
    version: 1,
    rollout: id,
    what,
    undoes,
    state,
    why,
    reversing: reversing && { wave: reversing.wave, rollout: reversing.undo ?? null },
    set,
    who: formatStarter(rollout),
    by: rollout.writer ?? null,
    at: new Date(atMs).toISOString(),
    wave,
    waves: waves.map((accounts, index) => ({ accounts, ...sumByState(counts, index + 1) })),
    counts: sumByState(counts),
    deletes,
    charged,
    window: window && windowText(window),
    where: unlessEmpty(where ?? []),
  });
}

export interface RolloutForm {
  account(account: RolloutAccount): JsonObject;
  summary(rollout: Rollout, counts: readonly AccountCount[]): JsonObject;
  readonly paths: readonly string[];
}

export const rolloutForm: RolloutForm = {
  account: accountJson,
  summary: rolloutJson,
  paths: ['account', 'account_id', 'wave', 'state', 'tries', 'error.message'],
};

interface Shown {
  readonly form?: RolloutForm;
  readonly accounts: AsyncIterable<RolloutAccount>;
  /** True if failures of the rollout make the command fail. */
  readonly judged?: true;
  /** Facts that this process knows if the state fails before everything is shown. */
  readonly known?: {
    readonly rollout: Rollout;
    /** The last known facts of accounts that this process worked on. */
    readonly attempted: ReadonlyMap<number, RolloutAccount>;
    /** The failure of the state, if it occurred before anything was shown. */
    readonly failure: Failure | undefined;
  };
}

/**
 * Reports a rollout with all its accounts. With `-o ndjson`, it prints one document per account and a summary at the
 * end.
 */
export function rolloutReport(
  context: Context,
  id: string,
  { form = rolloutForm, accounts, judged, known }: Shown,
): FleetResult {
  let failure: Failure | undefined;
  let stateFailure = known?.failure;
  const keepFailure = (error: unknown): void => {
    if (known === undefined || !(error instanceof Failure)) throw error;
    stateFailure ??= error;
  };
  async function* documents(): AsyncGenerator<FleetDocument> {
    const shown = new Set<number>();
    try {
      if (!stateFailure)
        for await (const account of accounts) {
          shown.add(account.position);
          yield { document: form.account(account) };
        }
    } catch (error) {
      keepFailure(error);
    }
    if (stateFailure)
      for (const [position, account] of known?.attempted ?? [])
        if (!shown.has(position)) yield { document: form.account(account) };
  }
  const whole = async () => {
    const rollout = await currentRollout(context, await rolloutOf(context, id));
    const counts = await (await context.state()).rollouts.counts(id);
    const failed = await failedAccounts(context, rollout);
    return { rollout, counts, failed, kept: await neverAdoptedLines(context, rollout) };
  };
  return {
    kind: 'fleet',
    documents: documents(),
    rowsOf: (document) => [document],
    columns: plainColumns(...form.paths),
    namesOf: ({ account }) => [String(account)],
    async end() {
      const found = stateFailure ? undefined : await whole().catch(keepFailure);
      const { rollout, counts, failed, kept } = found ?? reportFromMemory(known, stateFailure);
      if (stateFailure) failure = withFacts(stateFailure, { hint: resumeHint(rollout) });
      else if (judged) failure = rolloutFailure(context, rollout, counts, failed);
      return {
        value: form.summary(rollout, counts),
        lines: [...rolloutLines(rollout, counts, failed), ...kept],
      };
    },
    get failure() {
      return failure;
    },
  };
}

function reportFromMemory(known: Shown['known'], stateFailure: Failure | undefined) {
  if (known === undefined) throw stateFailure ?? new Error('The rollout was not read.');
  const attempted = [...known.attempted.values()];
  return {
    rollout: { ...known.rollout, state: 'stopped', why: stateFailure?.message } as const,
    counts: countAccounts(attempted),
    failed: attempted.filter(({ state }) => state === 'failed').slice(0, shownAtMost),
    kept: [],
  };
}

/** Returns the rollout with an id. Throws `Failure` (`not_found`). */
export async function rolloutOf(context: Context, id: string): Promise<Rollout> {
  const rollout = await (await context.state()).rollouts.read(id);
  if (rollout) return rollout;
  throw new Failure('not_found', `Rollout ${JSON.stringify(id)} not found.`, {
    hint: createHint`List rollouts: ${nextStep`rollout list`}`,
  });
}

/**
 * Returns a rollout with its current state. Without a shared state, one process runs it under a lock. If the lock is
 * missing, that process was killed, and the rollout is `stopped`.
 */
export async function currentRollout(context: Context, rollout: Rollout): Promise<Rollout> {
  if (rollout.state !== 'running') return rollout;
  const { shared, holder } = await context.state();
  if (shared !== undefined || (await holder(rolloutLock(rollout.id))) !== undefined) return rollout;
  return { ...rollout, state: 'stopped', why: 'interrupted' };
}

export const rolloutLock = (id: string) => ({ origin: 'telctl:rollout', accountId: id });

/** Returns failed accounts, up to the number that reports show. */
export async function failedAccounts(context: Context, { id }: Rollout): Promise<readonly RolloutAccount[]> {
  const failed: RolloutAccount[] = [];
  for await (const account of (await context.state()).rollouts.accounts(id, { states: ['failed'] })) {
    failed.push(account);
    if (failed.length === shownAtMost) break;
  }
  return failed;
}

const followEveryMs = 2000;

const progress = plainColumns('state', 'counts.done', 'counts.unchanged', 'counts.failed', 'counts.waiting');

/** Yields the rollouts of this service that belong to the user's account or to accounts below it, newest first. */
export async function* ownRollouts(context: Context): AsyncGenerator<Rollout> {
  const { profile } = await context.session();
  const { rollouts } = await context.state();
  const accountId = await context.accountId();
  let below: ReadonlySet<unknown> | undefined;
  for await (const rollout of rollouts.newest({ origin: profile.baseUrl })) {
    const isOwn = rollout.ownerId === accountId;
    if (!isOwn) below ??= new Set((await listDescendants(await context.api())).map(({ id }) => id));
    if (isOwn || below?.has(rollout.ownerId)) yield await currentRollout(context, rollout);
  }
}

export async function listRollouts(_: unknown, context: Context): Promise<Result> {
  const { rollouts } = await context.state();
  async function* items(): AsyncGenerator<JsonObject> {
    for await (const rollout of ownRollouts(context))
      yield rolloutJson(rollout, await rollouts.counts(rollout.id));
  }
  return {
    kind: 'list',
    items: items(),
    columns: [
      { header: 'ID', paths: ['rollout'] },
      { header: 'WHEN', paths: ['at'], show: 'time' },
      ...plainColumns('who', 'set', 'where'),
      ...progress,
    ],
    noun: 'rollouts',
  };
}

export async function showRollout(
  { id, follow }: InputOf<typeof showRolloutOptions, typeof rolloutArguments>,
  context: Context,
): Promise<Result> {
  const rollout = await rolloutOf(context, id);
  if (!follow) {
    const { rollouts } = await context.state();
    return rolloutReport(context, rollout.id, { accounts: rollouts.accounts(rollout.id) });
  }
  return {
    kind: 'list',
    items: followRollout(context, rollout.id),
    columns: [...plainColumns('wave'), ...progress],
    live: [4, 9, 6, 9, 6, 7],
    noun: 'rollouts',
  };
}

/** Yields the rollout at each change, until it ends. */
async function* followRollout(context: Context, id: string): AsyncGenerator<JsonObject> {
  const { rollouts } = await context.state();
  let before = '';
  for (;;) {
    const rollout = await currentRollout(context, await rolloutOf(context, id));
    const now = rolloutJson(rollout, await rollouts.counts(id));
    if (JSON.stringify(now) !== before) yield now;
    before = JSON.stringify(now);
    if (rollout.state !== 'running' || context.host.interrupted.aborted) return;
    await context.host.clock.sleep(followEveryMs, context.host.interrupted).catch(() => undefined);
  }
}
