import { Failure } from '../../../base/failure.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import type { enableArguments, enableOptions } from './enable-command.ts';

/** Turns one webhook on again, or all that the service disabled. Throws `Failure` of kind `usage` for anything between. */
export async function enableWebhooks(
  { id, probe, all, below }: InputOf<typeof enableOptions, typeof enableArguments>,
  context: Context,
): Promise<Result> {
  if (!all) {
    if (id === undefined)
      throw new Failure('usage', 'It is not known which webhook to enable.', {
        hint: 'Name it, or give --all for every one that the service disabled.',
      });
    return (await import('./probe.ts')).enableWebhook({ id, probe }, context);
  }
  return (await import('./enable-all.ts')).enableAll({ below: below === true }, context);
}
