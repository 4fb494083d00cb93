import { Failure } from '../../base/failure.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { operationById } from '../../contract/catalogue.ts';
import { readSecret } from '../read-secret.ts';
import type { infoOptions } from './commands.ts';
import { tokenItem } from './token-item.ts';

/**
 * Shows what the service reads in a token. The token goes in the body of a POST: in the address of the GET that the
 * service has too, it would end up in logs.
 */
export async function showTokenInformation(
  input: InputOf<typeof infoOptions>,
  context: Context,
): Promise<Result> {
  if (!input.offline && input.keyFile !== undefined)
    throw new Failure('usage', '--key-file belongs to --offline.');
  if (input.offline) {
    const { checkOffline } = await import('./check-offline.ts');
    return checkOffline(input, context);
  }
  const api = await context.api();
  const informationOn = async (token: string): Promise<Result> => {
    const { data } = await api.call({ operation: operationById('tokens.info'), data: { token } });
    return tokenItem(data);
  };
  const given = await readSecret(context, 'token', { stdin: input.tokenStdin ?? false, file: undefined });
  if (given !== undefined) return informationOn(given);
  const session = await context.session();
  const token = await session.token();
  try {
    return await informationOn(token);
  } catch (error) {
    // The session may have renewed a dead token on the way; the body still held the old one.
    const renewed = await session.token();
    if (renewed === token) throw error;
    return informationOn(renewed);
  }
}
