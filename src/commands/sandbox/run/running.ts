import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../host/host.ts';
import { allPlaces, nameOption, type Places } from './places.ts';
import { forgetState, type RunningState, runningState, statedBy } from './state.ts';

/** Time that a process may take to end before it is made to, in milliseconds. */
const patienceMs = 10_000;
const pauseMs = 15;

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
const otherNames = (host: Host, { name }: Places): readonly string[] =>
  allPlaces(host)
    .filter((places) => places.name !== name && statedBy(host, places))
    .map((places) => places.name);

/**
 * Ends a sandbox and waits until it has closed its records, which it says by removing its state; one that does not
 * listen is killed.
 */
export async function endProcess(host: Host, places: Places, { pid }: RunningState): Promise<void> {
  const { clock, processes, files } = host;
  const isStated = (): boolean =>
    [places.state, places.stateCopy].some((path) => files.sizeOf(path) !== undefined);
  const ended = (): boolean => !isStated() || !processes.isAlive(pid);
  processes.askToEnd(pid);
  const deadline = clock.now() + patienceMs;
  while (!ended() && clock.now() < deadline) await clock.sleep(pauseMs);
  if (!ended()) processes.askToEnd(pid, 'SIGKILL');
  forgetState(host, places);
}
