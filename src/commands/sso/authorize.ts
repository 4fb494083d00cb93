import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { operationById } from '../../contract/catalogue.ts';
import { readSecret } from '../read-secret.ts';
import { tokenItem } from '../tokens/token-item.ts';
import type { authorizeOptions } from './sign-in-commands.ts';

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
