import { Failure } from '../../../base/failure.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import { operationById } from '../../../contract/catalogue.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ItemResult, Result } from '../../command/result.ts';
import { readSecret } from '../secrets.ts';
import type { infoOptions } from './commands.ts';

/** Prints a token that works now, alone on its line. */
export async function showToken(_: unknown, context: Context): Promise<Result> {
  const session = await context.session();
  const token = await session.token();
  context.notices.disclose([token]);
  return { kind: 'text', text: token, value: { token } };
}

/** Exchanges the token for a new one and keeps it. The old one lives on until its end. */
export async function refreshNow(_: unknown, context: Context): Promise<Result> {
  const session = await context.session();
  const { expiresAtMs } = await session.refresh();
  const minutes = Math.round((expiresAtMs - context.host.clock.now()) / 60_000);
  return {
    kind: 'done',
    message: `Refreshed the token; it is valid for ${counted(minutes, 'minute')}.`,
    value: { expires_at: new Date(expiresAtMs).toISOString() },
  };
}

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

/** Returns what the service says of a token, named by the token's account. */
export function tokenItem(data: Json): ItemResult {
  const account = isObject(data) ? (data.account_name ?? data.account_id) : undefined;
  return {
    kind: 'item',
    value: data,
    resource: 'tokens',
    ...(typeof account === 'string' ? { named: account } : {}),
  };
}
