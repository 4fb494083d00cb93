import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { shownPath } from '../../session/secret-file.ts';
import type { Result } from '../../terminal/result.ts';
import type { nameOptions } from './options.ts';
import { placesOf } from './places.ts';
import { endProcess } from './running.ts';
import { runningState } from './state.ts';

/** Stops the sandbox; one that does not run is no trouble. */
export async function stopSandbox(input: InputOf<typeof nameOptions>, { host }: Context): Promise<Result> {
  const places = placesOf(host, input.name);
  const state = await runningState(host, places);
  if (!state) return { kind: 'done', message: 'The sandbox was not running.' };
  await endProcess(host, places, state);
  const kept = state.folder === undefined ? '' : ` Its records are kept in ${shownPath(host, state.folder)}.`;
  return { kind: 'done', message: `Sandbox stopped.${kept}` };
}
