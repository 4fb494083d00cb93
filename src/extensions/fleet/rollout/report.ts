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
  begunBy,
  countAccounts,
  type Rollout,
  type RolloutAccount,
} from '../../../engine/state/rollouts.ts';
import type { rolloutArguments, showRolloutOptions } from './commands.ts';
import { windowText } from './limits.ts';
import { goOnHint, keptLines, rolloutFailure, rolloutLines, sumsOf } from './report-lines.ts';

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
    who: begunBy(rollout),
    by: rollout.writer ?? null,
    at: new Date(atMs).toISOString(),
    wave,
    waves: waves.map((accounts, index) => ({ accounts, ...sumsOf(counts, index + 1) })),
    counts: sumsOf(counts),
    deletes,
    charged,
    window: window && windowText(window),
    where: unlessEmpty(where ?? []),
  });
}

/** How a rollout is shown to scripts: its accounts, and what stands beside them. */
export interface RolloutForm {
  account(account: RolloutAccount): JsonObject;
  summary(rollout: Rollout, counts: readonly AccountCount[]): JsonObject;
  /** Paths of the columns of its table. */
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
  /** True where its failures are those of the command. */
  readonly judged?: true;
  /** What this process knows, for a state that fails before all is shown. */
  readonly known?: {
    readonly rollout: Rollout;
    /** Accounts that this process worked on, as they were last. */
    readonly told: ReadonlyMap<number, RolloutAccount>;
    /** The failure of the state, where it came before anything was shown. */
    readonly trouble: Failure | undefined;
  };
}

/** A rollout with all its accounts: `-o ndjson` is one document an account and the summary at the end. */
export function rolloutReport(
  context: Context,
  id: string,
  { form = rolloutForm, accounts, judged, known }: Shown,
): FleetResult {
  let failure: Failure | undefined;
  let trouble = known?.trouble;
  const troubled = (error: unknown): void => {
    if (known === undefined || !(error instanceof Failure)) throw error;
    trouble ??= error;
  };
  async function* documents(): AsyncGenerator<FleetDocument> {
    const shown = new Set<number>();
    try {
      if (!trouble)
        for await (const account of accounts) {
          shown.add(account.position);
          yield { document: form.account(account) };
        }
    } catch (error) {
      troubled(error);
    }
    if (trouble)
      for (const [position, account] of known?.told ?? [])
        if (!shown.has(position)) yield { document: form.account(account) };
  }
  const whole = async () => {
    const rollout = await presentRollout(context, await rolloutOf(context, id));
    const counts = await (await context.state()).rollouts.counts(id);
    const failed = await failedIn(context, rollout);
    return { rollout, counts, failed, kept: await keptLines(context, rollout) };
  };
  return {
    kind: 'fleet',
    documents: documents(),
    rowsOf: (document) => [document],
    columns: plainColumns(...form.paths),
    namesOf: ({ account }) => [String(account)],
    async end() {
      const found = trouble ? undefined : await whole().catch(troubled);
      const { rollout, counts, failed, kept } = found ?? knownOf(known, trouble);
      if (trouble) failure = withFacts(trouble, { hint: goOnHint(rollout) });
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

/** Facts of a rollout whose state fails, from the accounts that this process worked on. */
function knownOf(known: Shown['known'], trouble: Failure | undefined) {
  if (known === undefined) throw trouble ?? new Error('Nothing is known of the rollout.');
  const told = [...known.told.values()];
  return {
    rollout: { ...known.rollout, state: 'stopped', why: trouble?.message } as const,
    counts: countAccounts(told),
    failed: told.filter(({ state }) => state === 'failed').slice(0, shownAtMost),
    kept: [],
  };
}

/** The rollout of a number. Throws `Failure` of kind `not_found`. */
export async function rolloutOf(context: Context, id: string): Promise<Rollout> {
  const rollout = await (await context.state()).rollouts.read(id);
  if (rollout) return rollout;
  throw new Failure('not_found', `There is no rollout ${JSON.stringify(id)}.`, {
    hint: createHint`${nextStep`rollout list`} shows which there are.`,
  });
}

/**
 * Returns a rollout as it is now. In a state of files one process carries it out under a lock, so one that runs without
 * a lock was killed: it is `stopped`, as after Ctrl-C.
 */
export async function presentRollout(context: Context, rollout: Rollout): Promise<Rollout> {
  if (rollout.state !== 'running') return rollout;
  const { shared, holder } = await context.state();
  if (shared !== undefined || (await holder(rolloutLock(rollout.id))) !== undefined) return rollout;
  return { ...rollout, state: 'stopped', why: 'interrupted' };
}

/** The name under which one process locks a rollout. */
export const rolloutLock = (id: string) => ({ origin: 'telctl:rollout', accountId: id });

/** Failed accounts, as many as people see. */
export async function failedIn(context: Context, { id }: Rollout): Promise<readonly RolloutAccount[]> {
  const failed: RolloutAccount[] = [];
  for await (const account of (await context.state()).rollouts.accounts(id, { states: ['failed'] })) {
    failed.push(account);
    if (failed.length === shownAtMost) break;
  }
  return failed;
}

/** Time between two looks of `--follow`, in milliseconds. */
const followEveryMs = 2000;

const progress = plainColumns('state', 'counts.done', 'counts.unchanged', 'counts.failed', 'counts.waiting');

/** The rollouts of this service by the own account or one below it, newest first; a state may hold others. */
export async function* ownRollouts(context: Context): AsyncGenerator<Rollout> {
  const { profile } = await context.session();
  const { rollouts } = await context.state();
  const accountId = await context.accountId();
  let below: ReadonlySet<unknown> | undefined;
  for await (const rollout of rollouts.newest({ origin: profile.baseUrl })) {
    const isOwn = rollout.ownerId === accountId;
    if (!isOwn) below ??= new Set((await listDescendants(await context.api())).map(({ id }) => id));
    if (isOwn || below?.has(rollout.ownerId)) yield await presentRollout(context, rollout);
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

/** Shows one rollout, or follows it until it ends. */
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
    items: following(context, rollout.id),
    columns: [...plainColumns('wave'), ...progress],
    live: [4, 9, 6, 9, 6, 7],
    noun: 'rollouts',
  };
}

/** The rollout each time that its counts changed, until it is at an end. */
async function* following(context: Context, id: string): AsyncGenerator<JsonObject> {
  const { rollouts } = await context.state();
  let before = '';
  for (;;) {
    const rollout = await presentRollout(context, await rolloutOf(context, id));
    const now = rolloutJson(rollout, await rollouts.counts(id));
    if (JSON.stringify(now) !== before) yield now;
    before = JSON.stringify(now);
    if (rollout.state !== 'running' || context.host.interrupted.aborted) return;
    await context.host.clock.sleep(followEveryMs, context.host.interrupted).catch(() => undefined);
  }
}
