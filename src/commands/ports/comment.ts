import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure } from '../../contract/failure.ts';
import { ports } from '../../contract/resources/ports.ts';
import type { Result } from '../../terminal/result.ts';
import { act } from '../act.ts';
import { findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { labelOf } from '../labels.ts';
import type { commentOptions, portArguments } from './commands.ts';

/** Adds a comment to a port request; the service signs and dates it. */
export async function commentOnPort(
  input: InputOf<typeof commentOptions, typeof portArguments>,
  context: Context,
): Promise<Result> {
  const { id, summary } = await findRecord(context, ports, input.id);
  const content = input.content ?? (await context.ask.text('Comment:', { option: '--content' }));
  if (content.trim() === '') throw new Failure('usage', 'A comment cannot be empty.');
  const comment = {
    content,
    ...(input.isPrivate ? { is_private: true } : {}),
    ...(input.actionRequired ? { action_required: true } : {}),
  };
  return act(context, {
    call: {
      operation: operationFor(ports, 'comment'),
      path: pathTo(ports, id),
      data: { comments: [comment] },
    },
    message: () => `Commented on ${labelOf(ports, { id, ...summary })}.`,
    resource: 'ports',
  });
}
