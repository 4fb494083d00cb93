import { Failure } from '../../base/failure.ts';
import { isObject, type Json } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { operationById } from '../../contract/catalogue.ts';
import { links } from '../../contract/resources/links.ts';
import { act } from '../act.ts';
import { operationFor, pathTo, refuseUnnamed } from '../generic/find-record.ts';
import { readSecret } from '../secrets.ts';
import { tokenItem } from '../tokens/show.ts';
import type { authorizeOptions, callbackOptions, linkArguments } from './commands.ts';

/** Has the service validate a token that another provider made, and shows whom it stands for. */
export async function authorizeToken(
  input: InputOf<typeof authorizeOptions>,
  context: Context,
): Promise<Result> {
  const source = { stdin: input.tokenStdin ?? false, file: input.tokenFile };
  const token =
    (await readSecret(context, 'token', source)) ??
    (await context.ask.secret('Token of the provider:', { option: '--token-stdin' }));
  const { provider, app } = input;
  const data = {
    token,
    ...(provider === undefined ? {} : { provider }),
    ...(app === undefined ? {} : { app }),
  };
  const call = { operation: operationById('tokens.authorize'), data };
  const reply = await (await context.api()).call(call);
  return tokenItem(reply.data);
}

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

/** Links the signed-in user to an identity; the list shows only own links, so it is named by its id. */
export async function linkUser(
  { id }: InputOf<Record<never, never>, typeof linkArguments>,
  context: Context,
): Promise<Result> {
  refuseUnnamed(links, id);
  return act(context, {
    call: { operation: operationFor(links, 'link'), path: pathTo(links, id) },
    message: (data) => `Linked you to ${emailIn(data) ?? id}.`,
    resource: 'links',
  });
}

const emailIn = (data: Json): string | undefined =>
  isObject(data) && typeof data.email === 'string' ? data.email : undefined;
