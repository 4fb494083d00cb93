import { Failure, isInterruption, nextStep } from '../../../base/failure.ts';
import { formatDuration, requireDuration } from '../../../base/moment.ts';
import { formatCount, quoteName } from '../../../base/wording.ts';
import type { InputOf } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { Result } from '../../../cli/command/result.ts';
import type { ChosenAccount } from '../../../cli/commands/bulk/choose-accounts.ts';
import { runForAccounts } from '../../../cli/commands/bulk/each-account.ts';
import { confirmChange } from '../../../cli/commands/change.ts';
import { refuseReadOnly } from '../../../cli/commands/guards/protection.ts';
import { accountLabel, whereText } from '../../../cli/commands/labels.ts';
import { inputWithVars, openAccounts } from '../../../cli/commands/manifest/accounts/many-accounts.ts';
import { applyAccount } from '../../../cli/commands/manifest/apply/account-job.ts';
import { applyResult } from '../../../cli/commands/manifest/apply/apply-report.ts';
import { type Notify, notifierOf } from '../../../cli/commands/webhooks/target-client.ts';
import { countSteps } from '../../../engine/manifest/make-plan.ts';
import type { Plan } from '../../../engine/manifest/plan.ts';
import { countChanges, planLimits } from '../../../engine/manifest/plan-safety.ts';
import type { reconcileOptions } from './commands.ts';
import { driftedObjects, openMetrics, type RoundResult, serveMetrics } from './metrics.ts';

type ReconcileInput = InputOf<typeof reconcileOptions>;

/** Number of `--every` intervals after which a round counts as late. */
const lateAfter = 3;

/** Number of accounts that a notification names. */
const namedAtMost = 50;

/** Checks for drift at each interval until Ctrl-C or SIGTERM. */
export async function reconcile(input: ReconcileInput, context: Context): Promise<Result> {
  const { host, notices, options } = context;
  const everyMs = requireDuration(input.every, '--every');
  if (input.correct && !options.dryRun) {
    const only = 'Without --correct, telctl reconcile only reports drift.';
    await refuseReadOnly(context, 'telctl reconcile --correct', only);
    await confirmChange(context, 'Correct drift from now on, without asking each time?');
  }
  const { limiters } = context.sessionParts();
  const metrics = openMetrics(host.clock.now, limiters.met);
  let endedMs = host.clock.now();
  const health = () => {
    const ageMs = host.clock.now() - endedMs;
    const ok = ageMs <= lateAfter * everyMs;
    return { ok, text: ok ? 'ok' : `the last round ended ${formatDuration(ageMs)} ago` };
  };
  const rounds: Rounds = {
    metrics,
    notify: await notifierOf(context, input.notifyFile),
    warned: new Set(),
    reported: new Map(),
    drifted: new Map(),
  };
  host.allowFinish();
  const server = input.metrics === undefined ? undefined : await serveMetrics(input.metrics, metrics, health);
  if (server) notices.say(`Metrics: ${server.url}/metrics`);
  let over = 0;
  let isWell = true;
  try {
    while (!host.interrupted.aborted) {
      const beginMs = host.clock.now();
      const result = await runRound(context, input, rounds);
      if (host.interrupted.aborted) break;
      over += 1;
      isWell = result?.failed === 0;
      if (result) {
        endedMs = result.endedMs;
        metrics.round(result);
        notices.say(roundText(result, input));
      }
      if (over === input.rounds) break;
      const leftMs = beginMs + everyMs - host.clock.now();
      if (leftMs > 0) await host.clock.sleep(leftMs, host.interrupted).catch(() => undefined);
    }
  } catch (error) {
    if (!isInterruption(host, error)) throw error;
  } finally {
    await server?.close();
  }
  const exit = input.rounds === undefined || isWell ? undefined : 'partial';
  return { kind: 'done', message: `Stopped after ${formatCount(over, 'round')}.`, exit };
}

const roundText = (result: RoundResult, { correct, where }: ReconcileInput): string => {
  const { accounts, drifted, failed, tookMs } = result;
  const objects = driftedObjects(result);
  const verb = correct ? (failed === 0 ? 'corrected' : 'differed') : objects === 1 ? 'differs' : 'differ';
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  const drift =
    objects === 0
      ? 'no drift'
      : `${formatCount(objects, 'object')} ${verb} in ${formatCount(drifted.size, 'account')}`;
  return `${formatCount(accounts, 'account')}${whereText(where)}: ${drift}${failures}   (${(tookMs / 1000).toFixed(1)} s)`;
};

interface Rounds {
  readonly metrics: ReturnType<typeof openMetrics>;
  readonly notify: Notify | undefined;
  readonly warned: Set<string>;
  /** The last reported sentence about each account. The empty name stands for a failure of the whole round. */
  reported: ReadonlyMap<string, string>;
  drifted: RoundResult['drifted'];
}

/** Runs one round over all accounts. Returns `undefined` if it cannot start, or after Ctrl-C. */
async function runRound(
  context: Context,
  input: ReconcileInput,
  rounds: Rounds,
): Promise<RoundResult | undefined> {
  const { host } = context;
  const { metrics } = rounds;
  const beginMs = host.timers.elapsedMs();
  let accounts: readonly ChosenAccount[];
  try {
    accounts = await chosenAccounts(context, input);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'usage' || error.kind === 'interrupted') throw error;
    metrics.failed(error.kind);
    reportNews(context, rounds, new Map([...rounds.reported, ['', error.message]]));
    return undefined;
  }
  const countDeletes = deleteCounter(planLimits(input).maxDeletesTotal);
  const ends = await runForAccounts(context, accounts, {
    warned: rounds.warned,
    work: (account, own) =>
      reconcileOne(own, inputWithVars(input, account), input.correct ? countDeletes : undefined),
  });
  if (host.interrupted.aborted) return undefined;
  let failed = 0;
  const drifted = new Map<string, number>();
  const news = new Map<string, string>();
  for (const end of ends) {
    const { label } = end.account;
    const failure =
      end.state === 'done' ? end.result.failure : end.state === 'failed' ? end.failure : undefined;
    if (end.state === 'done' && end.result.objects > 0) {
      drifted.set(label, end.result.objects);
      if (input.correct && failure === undefined) metrics.corrected();
      else news.set(label, `${quoteName(label)} differs in ${formatCount(end.result.objects, 'object')}`);
    }
    if (failure === undefined && end.state !== 'left') continue;
    failed += 1;
    metrics.failed(failure?.kind ?? 'partial');
    if (failure) news.set(label, `${quoteName(label)}: ${failure.message}`);
  }
  reportNews(context, rounds, news);
  const isNew = [...drifted].some(([word, objects]) => rounds.drifted.get(word) !== objects);
  rounds.drifted = drifted;
  if (isNew) await rounds.notify?.(driftNotification(accounts.length, drifted, failed));
  const tookMs = host.timers.elapsedMs() - beginMs;
  return { accounts: accounts.length, drifted, failed, tookMs, endedMs: host.clock.now() };
}

/** Reports new problems and solved problems. */
function reportNews({ notices }: Context, rounds: Rounds, news: ReadonlyMap<string, string>): void {
  for (const [word, text] of news) if (rounds.reported.get(word) !== text) notices.warn(text);
  for (const word of rounds.reported.keys())
    if (word !== '' && !news.has(word)) notices.say(`${quoteName(word)} matches the manifest again`);
  rounds.reported = news;
}

/** Creates the notification about drift. It contains counts and names, but no values. */
function driftNotification(accounts: number, drifted: ReadonlyMap<string, number>, failed: number) {
  const objects = driftedObjects({ drifted });
  const named = Object.fromEntries([...drifted].slice(0, namedAtMost));
  const some = Object.keys(named).join(', ');
  const text = `${formatCount(objects, 'object')} of ${formatCount(drifted.size, 'account')} ${objects === 1 ? 'differs' : 'differ'} from the manifest: ${some}${drifted.size > namedAtMost ? ', …' : ''}`;
  return {
    ...({ event: 'reconcile.drift', text } as const),
    facts: { counts: { accounts, drifted: drifted.size, objects, failed }, drifted: named },
  };
}

async function chosenAccounts(context: Context, input: ReconcileInput): Promise<readonly ChosenAccount[]> {
  if (input.accounts !== undefined) return openAccounts(context, input, input.accounts);
  const id = await context.accountId();
  return [{ id, label: await accountLabel(context), vars: new Map(), file: '', line: 0 }];
}

/**
 * Returns a function that counts the deletions of a round in all accounts. It throws `Failure` (`refused`) above the
 * limit.
 */
function deleteCounter(most: number): (plans: readonly Plan[]) => void {
  let deletes = 0;
  return (plans) => {
    const more = plans.reduce((sum, plan) => sum + countChanges(plan).deletes, 0);
    if (more > 0 && deletes + more > most)
      throw new Failure(
        'refused',
        `This round would delete more than ${formatCount(most, 'object')} in all accounts. No requests were sent to this account.`,
        { hint: 'To allow this, pass a higher --max-deletes-total.' },
      );
    deletes += more;
  };
}

/** Checks one account, and corrects it if `countDeletes` is given. */
async function reconcileOne(
  own: Context,
  input: ReconcileInput,
  countDeletes: ReturnType<typeof deleteCounter> | undefined,
): Promise<{ readonly objects: number; readonly failure?: Failure | undefined }> {
  const corrects = countDeletes !== undefined && !own.options.dryRun;
  let objects = 0;
  const reports = await applyAccount(own, {
    input: { ...input, overwrite: true, onError: 'continue' },
    isFinished({ accounts }) {
      for (const { plan } of accounts) {
        const { create, update, delete: deletes } = countSteps(plan);
        objects += create + update + deletes;
      }
      return objects === 0 || !corrects;
    },
    agree: ({ accounts }) => countDeletes?.(accounts.map(({ plan }) => plan)),
  });
  return {
    objects,
    failure:
      corrects && objects > 0
        ? applyResult(reports, nextStep`reconcile --every ${input.every} --correct`).failure
        : undefined,
  };
}
