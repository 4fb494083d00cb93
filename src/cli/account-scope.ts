import { Failure } from '../base/failure.ts';
import { quoted } from '../base/wording.ts';
import type { Command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { namesAccount } from '../contract/account-parameter.ts';

/**
 * True for a command that acts on the account of `--account`: one of its operations names an account in its path or
 * its query, or the command says so itself.
 */
export async function actsOnAccount({ account, operations = [] }: Command): Promise<boolean> {
  if (account !== undefined) return account;
  const { operationById } = await import('../contract/catalogue.ts');
  return operations.map(operationById).some(namesAccount);
}

/**
 * Sees to it that no account that was chosen is dropped in silence. `--account` is refused (`usage`) by a command that
 * acts on none. An account of a variable, a file or the profile is meant for other commands too, so that it is a warning
 * where the command speaks to the service as whoever is signed in.
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
    throw new Failure('usage', `${words} acts on no account that --account could name.`, {
      hint: `Leave --account out.${isLocal ? '' : ' To act as another account, sign in to it: telctl login --profile NAME'}`,
    });
  if (isLocal) return;
  const { accountId, accountName } = (await session()).profile;
  if (value === accountId || value === accountName) return;
  notices.warn(`${from} names account ${quoted(value)}, but ${words} goes by who is signed in.`);
}
