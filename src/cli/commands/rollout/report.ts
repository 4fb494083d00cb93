import { Failure, type Hint, leadsOn, nextStep, withFacts } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { oneLine } from '../../../base/wording.ts';
import {
  type AccountCount,
  begunBy,
  countsOf,
  type Rollout,
  type RolloutAccount,
} from '../../../engine/state/rollouts.ts';
import type { Context } from '../../command/context.ts';
import type { FleetDocument, FleetResult } from '../../command/result.ts';
import { keptLines, linesOf, markdownOf, shownAtMost, sumsOf } from './report-lines.ts';
import { windowText } from './window.ts';

const accountJson = (account: RolloutAccount): JsonObject => ({
  account: account.word,
  account_id: account.accountId,
  wave: account.wave,
  state: account.state,
  tries: account.tries,
  counts: { ...account.counts },
  ...(account.planned ? { planned: { ...account.planned } } : {}),
  runs: [...account.runs],
  ...(account.neverAdopted ? { never_adopted: [...account.neverAdopted] } : {}),
  ...(account.error ? { error: { ...account.error } } : {}),
  ...(account.worker === undefined ? {} : { worker: account.worker }),
  ...(account.tookMs === undefined ? {} : { took_ms: account.tookMs }),
});

export function rolloutJson(rollout: Rollout, counts: readonly AccountCount[]): JsonObject {
  const { id, what, state, why, set, atMs, wave, waves, deletes, charged, undoes, window, where } = rollout;
  const { reversing } = rollout;
  return {
    version: 1,
    rollout: id,
    what,
    ...(undoes === undefined ? {} : { undoes }),
    state,
    ...(why === undefined ? {} : { why }),
    ...(reversing ? { reversing: { wave: reversing.wave, rollout: reversing.undo ?? null } } : {}),
    set,
    who: begunBy(rollout),
    by: rollout.writer ?? null,
    at: new Date(atMs).toISOString(),
    wave,
    waves: waves.map((accounts, index) => ({ accounts, ...sumsOf(counts, index + 1) })),
    counts: sumsOf(counts),
    deletes,
    charged,
    ...(window ? { window: windowText(window) } : {}),
    ...(where?.length ? { where: [...where] } : {}),
  };
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
  readonly known?: KnownHere;
}

/** A rollout as far as one process knows it. */
export interface KnownHere {
  readonly rollout: Rollout;
  /** Accounts that this process worked on, as they were last. */
  readonly told: ReadonlyMap<number, RolloutAccount>;
  /** The failure of the state, where it came before anything was shown. */
  readonly trouble: Failure | undefined;
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
    const rollout = await rolloutOf(context, id);
    const counts = await (await context.state()).rollouts.counts(id);
    const failed = await failedIn(context, rollout);
    return { rollout, counts, failed, kept: await keptLines(context, rollout) };
  };
  return {
    kind: 'fleet',
    documents: documents(),
    rowsOf: (document) => [document],
    columns: form.paths.map((path) => ({ header: path.replace(/^.*\./, '').toUpperCase(), paths: [path] })),
    namesOf: ({ account }) => [String(account)],
    async end() {
      const found = trouble ? undefined : await whole().catch(troubled);
      const { rollout, counts, failed, kept } = found ?? knownOf(known, trouble);
      if (trouble) failure = withFacts(trouble, { hint: goOnHint(rollout) });
      else if (judged) failure = rolloutFailure(context, rollout, counts, failed);
      return {
        value: form.summary(rollout, counts),
        lines: [...linesOf(rollout, counts, failed), ...kept],
        markdown: markdownOf(rollout, counts, failed),
      };
    },
    get failure() {
      return failure;
    },
  };
}

/** Facts of a rollout whose state fails, from the accounts that this process worked on. */
function knownOf(known: KnownHere | undefined, trouble: Failure | undefined) {
  if (known === undefined) throw trouble ?? new Error('Nothing is known of the rollout.');
  const told = [...known.told.values()];
  return {
    rollout: { ...known.rollout, state: 'stopped', why: trouble?.message } as const,
    counts: countsOf(told),
    failed: told.filter(({ state }) => state === 'failed').slice(0, shownAtMost),
    kept: [],
  };
}

const goOnHint = ({ id, checked }: Rollout): Hint =>
  leadsOn`When the cause is gone: ${nextStep`rollout resume ${id} ${checked ? ['--check', 'COMMAND'] : []}`}. To take it back: ${nextStep`rollout undo ${id}`}.`;

/** The rollout of a number. Throws `Failure` of kind `not_found`. */
export async function rolloutOf(context: Context, id: string): Promise<Rollout> {
  const rollout = await (await context.state()).rollouts.read(id);
  if (rollout) return rollout;
  throw new Failure('not_found', `There is no rollout ${JSON.stringify(id)}.`, {
    hint: leadsOn`${nextStep`rollout list`} shows which there are.`,
  });
}

/** Failed accounts, as many as people see. */
async function failedIn(context: Context, { id }: Rollout): Promise<readonly RolloutAccount[]> {
  const failed: RolloutAccount[] = [];
  for await (const account of (await context.state()).rollouts.accounts(id, { states: ['failed'] })) {
    failed.push(account);
    if (failed.length === shownAtMost) break;
  }
  return failed;
}

/** Returns the reason why a rollout did not come to a good end; `undefined` if it did. */
function rolloutFailure(
  { host }: Context,
  rollout: Rollout,
  counts: readonly AccountCount[],
  failed: readonly RolloutAccount[],
): Failure | undefined {
  const { id, state, why, undoesFailures } = rollout;
  const sums = sumsOf(counts);
  if (state === 'running' || (state === 'finished' && sums.failed === 0)) return undefined;
  const [first] = failed;
  // What a try that was cut off did is not known.
  const isNothing =
    !undoesFailures && sums.done + sums.unchanged === 0 && failed.every(({ runs }) => runs.length === 0);
  const isOne = failed.every(({ error }) => error?.kind === first?.error?.kind);
  const kind = host.interrupted.aborted
    ? 'interrupted'
    : first?.error && isNothing && isOne
      ? first.error.kind
      : 'partial';
  const said = state === 'finished' ? `${sums.failed} of its accounts failed` : `${state}: ${why ?? ''}`;
  const sentence = `Rollout ${id} ${state === 'finished' ? 'ended, but ' : 'is '}${said.replace(/: $/, '')}.`;
  const reasons = failed.map(({ word, error }) => `${word}: ${oneLine(error?.message ?? '')}`);
  const more = sums.failed - failed.length;
  return new Failure(
    kind,
    [
      sentence,
      ...reasons.map((reason) => `failed  ${reason}`),
      ...(more > 0 ? [`… and ${more} more: ${nextStep`rollout show ${id} -o json`}`] : []),
    ],
    {
      sentence: reasons[0] === undefined ? sentence : `${sentence} The first is ${reasons[0]}`,
      hint: goOnHint(rollout),
      details: {
        rollout: id,
        counts: sums,
        failed: failed.map(({ word, accountId, error }) => ({
          account: word,
          account_id: accountId,
          ...error,
        })),
      },
    },
  );
}

/** The accounts of a rollout in one line, for a question. */
export const wavesText = (waves: readonly number[]): string =>
  waves.length === 1 ? 'all at once' : `in waves of ${waves.join(', ')}`;
