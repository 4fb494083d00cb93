import { createHint, Failure, nextStep } from '../../base/failure.ts';
import { quoteName } from '../../base/wording.ts';
import { namesAccount } from '../../contract/resource.ts';
import type { Command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { operationsNamed } from './many/options.ts';

/** Checks a change against the protection of the profile: `read-only` refuses it, `confirm` asks. Dry runs pass. */
export async function guardProtection(command: Command, context: Context): Promise<void> {
  if (command.effect === 'read' || command.effect === 'local' || context.options.dryRun) return;
  const { profile } = await context.session();
  const words = ['telctl', ...command.path].join(' ');
  if (profile.protect === 'read-only')
    await (await import('../commands/guards/protection.ts')).refuseReadOnly(context, words);
  if (profile.protect !== 'confirm') return;
  const question = `Profile "${profile.name}" is protected. Run ${words} at ${profile.baseUrl}?`;
  if (!(await context.ask.confirm(question, { option: '--yes' }))) {
    throw new Failure('interrupted', 'Nothing was changed.');
  }
}

/** Returns true if the command, or one of its operations, takes an account. */
export async function actsOnAccount({ account, operations = [] }: Command): Promise<boolean> {
  if (account !== undefined) return account;
  return (await operationsNamed(operations)).some(namesAccount);
}

/**
 * Throws `usage` if `--account` is given to a command that does not act on an account. An account from a variable, a
 * file or the profile only causes a warning, because it is meant for other commands.
 */
export async function checkAccount(
  command: Command,
  { settings, session, notices }: Pick<Context, 'settings' | 'session' | 'notices'>,
): Promise<void> {
  const { value, source, from } = settings.account;
  if (value === undefined || (await actsOnAccount(command))) return;
  const words = ['telctl', ...command.path].join(' ');
  const isLocal = command.effect === 'local';
  if (source === 'option')
    throw new Failure('usage', `${words} does not act on an account, so --account has no effect.`, {
      hint: isLocal
        ? 'Remove --account.'
        : createHint`Remove --account. To act as another account, sign in to it: ${nextStep`login --profile NAME`}`,
    });
  if (isLocal) return;
  const { accountId, accountName } = (await session()).profile;
  if (value === accountId || value === accountName) return;
  notices.warn(`${from} names account ${quoteName(value)}, but ${words} uses the signed-in account.`);
}
