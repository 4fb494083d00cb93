import { Failure } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { operationById } from '../../contract/catalogue.ts';
import { readSecret } from '../read-secret.ts';
import { tokenItem } from '../tokens/token-item.ts';
import type { callbackOptions } from './sign-in-commands.ts';

/**
 * Hands in the code of a provider. Where no link exists the service answers with nothing (Authentication 10), which
 * is said, and not shown as an empty record.
 */
export async function handInCode(input: InputOf<typeof callbackOptions>, context: Context): Promise<Result> {
  const provider = given(input.provider, '--provider');
  const clientId = given(input.clientId, '--client-id');
  const redirectUri = given(input.redirectUri, '--redirect-uri');
  const source = { stdin: input.codeStdin ?? false, file: input.codeFile };
  const code =
    (await readSecret(context, 'code', source)) ??
    (await context.ask.secret('Code of the provider:', { option: '--code-stdin' }));
  const state = input.state === undefined ? {} : { state: input.state };
  const api = await context.api();
  const { data } = await api.call({
    operation: operationById('tokens.callback'),
    data: { provider, client_id: clientId, redirect_uri: redirectUri, code, ...state },
  });
  if (!isObject(data) || Object.keys(data).length > 0) return tokenItem(data);
  return {
    kind: 'done',
    message:
      'No user is linked to that identity. Sign in as the user with telctl login, then link it: telctl sso link ID',
    value: {},
  };
}

/** The value of an option that there must be. Throws `Failure` of kind `usage` where it is missing. */
function given(value: string | undefined, option: string): string {
  if (value !== undefined && value !== '') return value;
  throw new Failure('usage', `${option} is missing.`, { hint: `Give ${option}.` });
}
