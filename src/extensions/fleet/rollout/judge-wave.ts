import { resolve } from 'node:path';
import { Failure, unlessMissing } from '../../../base/failure.ts';
import { programEnvironment } from '../../../base/program-environment.ts';
import { systemCode } from '../../../base/read-errors.ts';
import { formatCount, joinUpTo, messageOf } from '../../../base/wording.ts';
import type { Context } from '../../../cli/command/context.ts';
import { contextForAccount } from '../../../cli/commands/bulk/each-account.ts';
import { listWebhooks } from '../../../cli/commands/webhooks/findings.ts';
import { attemptsOf, hasFailed } from '../../../cli/commands/webhooks/health/attempts.ts';
import { parseSecretCommand } from '../../../client/session/secret-sources.ts';
import { openStates, type Rollout, type RolloutProgress } from '../../../engine/state/rollouts.ts';
import { failuresAllowed } from './limits.ts';
import { rolloutOf } from './report.ts';

/** Reason of a stop after a first wave that went well, when the others are asked about first. */
export const afterCanary = 'the first accounts are done; the others wait for your decision';

/** Accounts of the present wave by their states, and the reason to stop where more failed than may. */
async function waveNow(context: Context, rollout: Rollout) {
  const { id, wave, waves } = rollout;
  const counts = (await (await context.state()).rollouts.counts(id)).filter((each) => each.wave === wave);
  const failed = counts.find(({ state }) => state === 'failed')?.count ?? 0;
  const allowed = failuresAllowed(rollout, wave);
  const tooMany =
    failed > allowed
      ? `${failed} of ${formatCount(waves[wave - 1] ?? 0, 'account')} in wave ${wave} failed; ${allowed} may (--max-failures)`
      : undefined;
  return { counts, tooMany };
}

/** Stops a rollout where too many accounts of its wave failed, or one failed in a way that all others would. */
export async function stopIfTooMany(
  context: Context,
  id: string,
  failure: Failure | undefined,
): Promise<void> {
  const rollout = await rolloutOf(context, id);
  const isHopeless = failure?.kind === 'auth' && failure.status !== 403;
  const why = isHopeless ? failure.message : (await waveNow(context, rollout)).tooMany;
  if (why === undefined) return;
  await (await context.state()).rollouts.change(id, ({ state }) =>
    state === 'running' ? { state: 'stopped', why, ...(isHopeless ? {} : notWell(rollout)) } : undefined,
  );
}

/** Says that a rollout stopped since its wave was not well, and that this is still to be reversed where it was asked for. */
const notWell = ({ wave, undoesFailures }: Rollout): Partial<RolloutProgress> => ({
  failedWave: wave,
  ...(undoesFailures ? { reversing: { wave } } : {}),
});

/** Decides, once nothing of a wave is open, whether the next follows. The second to come changes nothing. */
export async function endWave(context: Context, id: string, wave: number, check?: WaveCheck): Promise<void> {
  const { rollouts } = await context.state();
  const rollout = await rolloutOf(context, id);
  if (rollout.wave !== wave || rollout.state !== 'running') return;
  const { counts, tooMany } = await waveNow(context, rollout);
  if (counts.some(({ state }) => openStates.includes(state))) return;
  const isLast = wave >= rollout.waves.length;
  let trouble = tooMany;
  if (!isLast) {
    trouble ??= await worseHooks(context, rollout);
    if (trouble === undefined && rollout.checked && check === undefined) return;
    trouble ??= await check?.(rollout);
  }
  const next: Partial<RolloutProgress> =
    trouble !== undefined
      ? { state: 'stopped', why: trouble, ...notWell(rollout) }
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

/** Says whether the wave after one may begin: the reason why not, if there is one. */
export type WaveCheck = (rollout: Rollout) => Promise<string | undefined>;

/** A check that is not over by then has failed, in milliseconds. */
const longestMs = 3_600_000;

/**
 * The check of a command line, in one word or several. It is run without a shell and without telctl's secrets, with the
 * rollout and its wave in variables; what it prints is told. Throws `Failure` of kind `usage` for what is no command.
 */
export function checkOf({ host, notices }: Context, words: readonly string[]): WaveCheck | undefined {
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
    const failed = (how: string): string => `the check after wave ${wave} ${how}`;
    try {
      const { code, signal, stdout, timedOut } = await host.processes.runForText(program, args, own, limits);
      if (host.interrupted.aborted) throw new Failure('interrupted', 'Interrupted.');
      const tell = code === 0 ? notices.say : notices.warn;
      for (const text of stdout.split(/\r?\n/)) if (text !== '') tell(`check: ${text}`);
      if (timedOut) return failed(`took longer than ${formatCount(longestMs / 60_000, 'minute')}`);
      if (code === 0) return undefined;
      return failed(code === null ? `was ended by ${signal}` : `failed with exit code ${code}`);
    } catch (error) {
      if (error instanceof Failure) throw error;
      const isMissing = systemCode(error) === 'ENOENT';
      return failed(isMissing ? `is not there: ${program}` : `cannot be started: ${messageOf(error)}`);
    }
  };
}

/** Deliveries that are looked at, from now back, in milliseconds. */
const hookRangeMs = 3_600_000;

/** Number of webhooks that are disabled, or whose newest delivery failed; `undefined` without a list. */
export const failingHooks = (context: Context): Promise<number | undefined> =>
  unlessMissing(countFailing(context));

async function countFailing(context: Context): Promise<number> {
  const api = await context.api();
  const accountId = await context.accountId();
  const hooks = await listWebhooks(api, accountId);
  if (hooks.length === 0) return 0;
  const newest = new Map<unknown, boolean>();
  const nowMs = api.serviceNowMs() ?? context.host.clock.now();
  for await (const attempt of attemptsOf(api, { accountId }, { fromMs: nowMs - hookRangeMs }))
    if (!newest.has(attempt.hook_id)) newest.set(attempt.hook_id, hasFailed(attempt));
  return hooks.filter(
    ({ id, enabled, disable_reason: reason }) =>
      (enabled === false && typeof reason === 'string') || (enabled !== false && newest.get(id) === true),
  ).length;
}

/** Reason why a wave is worse off than before: more webhooks of its accounts fail. `undefined` where none is. */
async function worseHooks(context: Context, { id, wave }: Rollout): Promise<string | undefined> {
  const { rollouts } = await context.state();
  const warned = new Set<string>();
  let more = 0;
  const worse: string[] = [];
  for await (const account of rollouts.accounts(id, { wave, states: ['done'] })) {
    if (account.failingHooks === undefined) continue;
    const now = await failingHooks(
      contextForAccount(context, { id: account.accountId, word: account.word }, warned),
    );
    if (now === undefined || now <= account.failingHooks) continue;
    more += now - account.failingHooks;
    worse.push(account.word);
  }
  if (more === 0) return undefined;
  return `${formatCount(more, 'webhook')} fail${more === 1 ? 's' : ''} since wave ${wave}, in ${joinUpTo(worse, 5)}`;
}
