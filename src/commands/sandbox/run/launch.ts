import { Failure } from '../../../base/failure.ts';
import { messageOf } from '../../../base/wording.ts';
import type { Host } from '../../../host/host.ts';
import { shownPath } from '../../../session/secret-file.ts';
import type { Opening } from './open-sandbox.ts';
import type { Keeping, Places } from './places.ts';
import { forgetState, type RunningState, statedBy } from './state.ts';

/** Time that a sandbox may take to answer, in milliseconds. */
const patienceMs = 30_000;
const pauseMs = 10;

/**
 * Returns the reason why a process ended, in its own words: the sentence that it begins with, and what helps after
 * it.
 */
function reasonIn({ files }: Host, { log }: Places): readonly string[] {
  const lines = (files.readKept(log)?.text ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.filter((line) => !line.startsWith(' '));
}

/** A sandbox that cannot write cannot say why, either. */
function refuseFullDisk(host: Host, { folder, state }: Places): void {
  try {
    host.files.writePrivate(state, '(starting)');
    host.files.remove(state);
  } catch (error) {
    const why = messageOf(error);
    throw new Failure('failed', `Nothing can be written to ${shownPath(host, folder)}: ${why}.`, {
      hint: 'Make room there, or set XDG_STATE_HOME to another folder.',
      cause: error,
    });
  }
}

/** Options that a sandbox is started with, as `sandbox serve` takes them. */
interface Launching extends Pick<Opening, 'port' | 'like' | 'allowDeliveriesTo'> {
  readonly rateLimit?: string | undefined;
}

/**
 * Starts a sandbox in the background and waits until it answers. Throws `Failure` with its own words where it
 * ends instead.
 */
export async function launch(
  host: Host,
  places: Places,
  keeping: Keeping,
  { port, like, rateLimit, allowDeliveriesTo = [] }: Launching,
): Promise<RunningState> {
  const { clock, files, processes } = host;
  files.makePrivateFolder(places.folder);
  forgetState(host, places);
  refuseFullDisk(host, places);
  const kept = keeping.kind === 'memory' ? ['--memory'] : ['--data', keeping.folder];
  const args = ['sandbox', 'serve', '--name', places.name, '--port', String(port), ...kept];
  if (like) args.push('--like', like);
  if (rateLimit) args.push('--rate-limit', rateLimit);
  for (const allowed of allowDeliveriesTo) args.push('--allow-deliveries-to', allowed);
  const pid = processes.startTelctl(args, host.env, places.log);
  const deadline = clock.now() + patienceMs;
  try {
    while (pid !== undefined && processes.isAlive(pid) && clock.now() < deadline) {
      // It writes its state once it answers.
      const state = statedBy(host, places);
      if (state?.pid === pid) return state;
      await clock.sleep(pauseMs, host.interrupted);
    }
  } catch (error) {
    if (pid !== undefined) processes.askToEnd(pid);
    throw error;
  }
  if (pid !== undefined) processes.askToEnd(pid, 'SIGKILL');
  const [reason = 'it said nothing', help] = reasonIn(host, places);
  throw new Failure('failed', `The sandbox did not start: ${reason}`, {
    hint: help ?? `All that it said is in ${shownPath(host, places.log)}`,
  });
}
