import { basename, dirname, join } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import type { Host } from '../../host/host.ts';
import type { Places } from './places.ts';
import { type RunningState, runningState } from './state.ts';

/** How long a process may take to end before it is made to, in milliseconds. */
const patienceMs = 10_000;
const pauseMs = 15;

/** The option that names a sandbox other than the usual one, as it is typed. */
export const nameOption = ({ name }: Places): string => (name === 'default' ? '' : ` --name ${name}`);

/** The sandbox of that name. Throws `Failure` (`unavailable`) where it does not run. */
export async function needRunning(host: Host, places: Places): Promise<RunningState> {
  const state = await runningState(host, places);
  if (state) return state;
  const start = `Start it with: telctl sandbox start${nameOption(places)}`;
  const [other] = otherNames(host, places);
  throw new Failure('unavailable', 'The sandbox is not running.', {
    hint: other === undefined ? start : `Another one may be meant: --name ${other}. ${start}`,
  });
}

/** Names of other sandboxes that have said that they run. */
const otherNames = ({ files }: Host, { name, folder, state }: Places): readonly string[] =>
  files
    .list(dirname(folder))
    .filter((each) => each !== name && files.sizeOf(join(dirname(folder), each, basename(state))));

/**
 * Ends a sandbox and waits until it has closed its records, which it says by removing its state; one that does not
 * listen is killed.
 */
export async function endProcess(host: Host, places: Places, { pid }: RunningState): Promise<void> {
  const { clock, processes, files } = host;
  const ended = (): boolean => files.sizeOf(places.state) === undefined || !processes.isAlive(pid);
  processes.askToEnd(pid);
  const deadline = clock.now() + patienceMs;
  while (!ended() && clock.now() < deadline) await clock.sleep(pauseMs);
  if (!ended()) processes.askToEnd(pid, 'SIGKILL');
  files.remove(places.state);
}
