import { Failure } from '../../../base/failure.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { shownPath } from '../../../session/secret-file.ts';
import { wouldDo } from '../dry-run.ts';
import type { nameOptions } from '../options.ts';
import { targetOf } from '../target.ts';
import { endProcess } from './running.ts';
import { runningState } from './state.ts';

/** Stops the sandbox; one that does not run is no trouble. */
export async function stopSandbox(
  input: InputOf<typeof nameOptions>,
  { host, options }: Context,
): Promise<Result> {
  const target = targetOf(host, input.name);
  if (target.kind === 'exec')
    throw new Failure('usage', 'The sandbox of sandbox exec ends with the command that it runs.', {
      hint: 'To stop the one that sandbox start started: telctl sandbox stop --name default',
    });
  const { places } = target;
  const state = await runningState(host, places);
  if (!state) return { kind: 'done', message: 'The sandbox was not running.' };
  if (options.dryRun) return wouldDo(`stop the sandbox ${places.name} at ${state.baseUrl}`);
  await endProcess(host, places, state);
  const kept = state.folder === undefined ? '' : ` Its records are kept in ${shownPath(host, state.folder)}.`;
  return { kind: 'done', message: `Sandbox stopped.${kept}` };
}
