import { resolve } from 'node:path';
import { Failure, ignoreMissing } from '../../../base/failure.ts';
import { programEnvironment } from '../../../base/program-environment.ts';
import { systemCode } from '../../../base/read-errors.ts';
import { errorMessage, formatCount, joinUpTo } from '../../../base/wording.ts';
import type { Context } from '../../../cli/command/context.ts';
import { contextForAccount } from '../../../cli/commands/bulk/each-account.ts';
import { listWebhooks } from '../../../cli/commands/webhooks/findings.ts';
import { hasFailed, readAttempts } from '../../../cli/commands/webhooks/health/attempts.ts';
import { parseSecretCommand } from '../../../client/session/secret-sources.ts';
import { openStates, type Rollout, type RolloutProgress } from '../../../engine/state/rollouts.ts';
import { failuresAllowed } from './limits.ts';
import { rolloutOf } from './report.ts';

export const afterCanary = 'the first accounts are done, and the others wait for your decision';

/**
 * Counts accounts of the current wave by state. `tooMany` explains why to stop, if more accounts failed than allowed.
 */
async function waveStatus(context: Context, rollout: Rollout) {
  const { id, wave, waves } = rollout;
  const counts = (await (await context.state()).rollouts.counts(id)).filter((each) => each.wave === wave);
  const failed = counts.find(({ state }) => state === 'failed')?.count ?? 0;
  const allowed = failuresAllowed(rollout, wave);
  const tooMany =
    failed > allowed
      ? `${failed} of ${formatCount(waves[wave - 1] ?? 0, 'account')} in wave ${wave} failed, and --max-failures allows ${allowed}`
      : undefined;
  return { counts, tooMany };
}

/** Stops a rollout if too many accounts of its wave failed, or if all other accounts would fail for the same reason. */
export async function stopIfTooMany(
  context: Context,
  id: string,
  failure: Failure | undefined,
): Promise<void> {
  const rollout = await rolloutOf(context, id);
  const isHopeless = failure?.kind === 'auth' && failure.status !== 403;
  const why = isHopeless ? failure.message : (await waveStatus(context, rollout)).tooMany;
  if (why === undefined) return;
  await (await context.state()).rollouts.change(id, ({ state }) =>
    state === 'running'
      ? { state: 'stopped', why, ...(isHopeless ? {} : failedWaveProgress(rollout)) }
      : undefined,
  );
}

const failedWaveProgress = ({ wave, undoesFailures }: Rollout): Partial<RolloutProgress> => ({
  failedWave: wave,
  ...(undoesFailures ? { reversing: { wave } } : {}),
});

/**
 * Starts the next wave, or finishes or stops the rollout, if no account of the wave is open. Does nothing if another
 * process already did.
 */
export async function endWave(context: Context, id: string, wave: number, check?: WaveCheck): Promise<void> {
  const { rollouts } = await context.state();
  const rollout = await rolloutOf(context, id);
  if (rollout.wave !== wave || rollout.state !== 'running') return;
  const { counts, tooMany } = await waveStatus(context, rollout);
  if (counts.some(({ state }) => openStates.includes(state))) return;
  const isLast = wave >= rollout.waves.length;
  let problem = tooMany;
  if (!isLast) {
    problem ??= await describeNewFailures(context, rollout);
    if (problem === undefined && rollout.checked && check === undefined) return;
    problem ??= await check?.(rollout);
  }
  const next: Partial<RolloutProgress> =
    problem !== undefined
      ? { state: 'stopped', why: problem, ...failedWaveProgress(rollout) }
      : isLast
        ? { state: 'finished', why: undefined }
        : {
            wave: wave + 1,
            ...(rollout.canary === 'asks' && wave === 1 ? { state: 'stopped', why: afterCanary } : {}),
            ...(rollout.pauseMs > 0 && counts.some(({ state }) => state !== 'unchanged')
              ? { heldUntilMs: context.host.clock.now() + rollout.pauseMs }
              : {}),
          };
  await rollouts.change(id, (now) => (now.wave === wave && now.state === 'running' ? next : undefined));
}

/** Returns why the next wave cannot start. Returns `undefined` if it can. */
export type WaveCheck = (rollout: Rollout) => Promise<string | undefined>;

/** Time limit of a check, in milliseconds. */
const longestMs = 3_600_000;

/**
 * Returns the check of `--check`. It runs without a shell and without telctl's secrets, with the rollout and wave in
 * its environment. Throws `Failure` (`usage`) if the command is invalid.
 */
export function waveCheckOf({ host, notices }: Context, words: readonly string[]): WaveCheck | undefined {
  const [word, ...more] = words;
  if (word === undefined) return undefined;
  const [program = '', ...args] =
    more.length === 0
      ? parseSecretCommand(word, '--check', host.cwd)
      : [/[/\\]/.test(word) ? resolve(host.cwd, word) : word, ...more];
  return async ({ id, wave }) => {
    const { variables } = programEnvironment(host);
    const own = { variables: { ...variables, TELCTL_ROLLOUT: id, TELCTL_ROLLOUT_WAVE: String(wave) } };
    const limits = { timeoutMs: longestMs, signal: host.interrupted };
    const checkFailureMessage = (how: string): string => `the check after wave ${wave} ${how}`;
    try {
      const { code, signal, stdout, timedOut } = await host.processes.runForText(program, args, own, limits);
      if (host.interrupted.aborted) throw new Failure('interrupted', 'Interrupted.');
      const tell = code === 0 ? notices.say : notices.warn;
      for (const text of stdout.split(/\r?\n/)) if (text !== '') tell(`check: ${text}`);
      if (timedOut)
        return checkFailureMessage(`took longer than ${formatCount(longestMs / 60_000, 'minute')}`);
      if (code === 0) return undefined;
      return checkFailureMessage(code === null ? `was ended by ${signal}` : `failed with exit code ${code}`);
    } catch (error) {
      if (error instanceof Failure) throw error;
      const isMissing = systemCode(error) === 'ENOENT';
      return checkFailureMessage(
        isMissing ? `does not exist: ${program}` : `cannot be started: ${errorMessage(error)}`,
      );
    }
  };
}

/** Maximum age of deliveries that are considered, in milliseconds. */
const hookRangeMs = 3_600_000;

/**
 * Counts webhooks that are disabled or whose latest delivery failed. Returns `undefined` if the service does not list
 * webhooks.
 */
export const countFailingHooks = (context: Context): Promise<number | undefined> =>
  ignoreMissing(countFailing(context));

async function countFailing(context: Context): Promise<number> {
  const api = await context.api();
  const accountId = await context.accountId();
  const hooks = await listWebhooks(api, accountId);
  if (hooks.length === 0) return 0;
  const newest = new Map<unknown, boolean>();
  const nowMs = api.serviceNowMs() ?? context.host.clock.now();
  for await (const attempt of readAttempts(api, { accountId }, { fromMs: nowMs - hookRangeMs }))
    if (!newest.has(attempt.hook_id)) newest.set(attempt.hook_id, hasFailed(attempt));
  return hooks.filter(
    ({ id, enabled, disable_reason: reason }) =>
      (enabled === false && typeof reason === 'string') || (enabled !== false && newest.get(id) === true),
  ).length;
}

/** Returns a message if more webhooks fail in accounts of the wave than before the wave. */
async function describeNewFailures(context: Context, { id, wave }: Rollout): Promise<string | undefined> {
  const { rollouts } = await context.state();
  const warned = new Set<string>();
  let more = 0;
  const worse: string[] = [];
  for await (const account of rollouts.accounts(id, { wave, states: ['done'] })) {
    if (account.failingHooks === undefined) continue;
    const now = await countFailingHooks(
      contextForAccount(context, { id: account.accountId, label: account.word }, warned),
    );
    if (now === undefined || now <= account.failingHooks) continue;
    more += now - account.failingHooks;
    worse.push(account.word);
  }
  if (more === 0) return undefined;
  return `${formatCount(more, 'webhook')} fail${more === 1 ? 's' : ''} since wave ${wave}, in ${joinUpTo(worse, 5)}`;
}
