import { Failure } from '../../../base/failure.ts';
import { durationOf } from '../../../base/moment.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { isStop } from '../is-stop.ts';
import { refuseReadOnly } from '../refuse-read-only.ts';
import type { workerOptions } from './commands.ts';
import { shareWork } from './share-work.ts';

/** Works on the rollouts of a state that processes share, until Ctrl-C or for as long as there is work. */
export async function workOnRollouts(
  input: InputOf<typeof workerOptions>,
  context: Context,
): Promise<Result> {
  const idleMs = input.idle === undefined ? undefined : durationOf(input.idle, '--idle');
  const state = await context.state();
  if (state.shared === undefined)
    throw new Failure(
      'usage',
      `The state ${state.shown} is of this machine alone: workers share a database.`,
      {
        hint: 'Name one with --state postgres://USER@HOST/DATABASE. Without it telctl rollout start does the work itself.',
      },
    );
  await refuseReadOnly(context, 'telctl rollout worker').catch((error: unknown) => {
    if (!isStop(context.host, error)) throw error;
  });
  context.host.finishes();
  context.notices.say(`Working on the rollouts of ${state.shown}. Ctrl-C ends this.`);
  const work = { context, shared: state.shared, given: input, ...(idleMs === undefined ? {} : { idleMs }) };
  await shareWork(work).catch((error: unknown) => {
    if (!isStop(context.host, error)) throw error;
  });
  return { kind: 'done', message: 'Ended; what was under way is finished.' };
}
