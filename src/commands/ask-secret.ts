import { Failure } from '../base/failure.ts';
import type { Context } from '../command/context.ts';

/**
 * A new secret, typed twice. Throws `Failure` of kind `usage` where the two differ, where it is empty, and where
 * nobody can be asked, naming `option`.
 */
export async function askSecretTwice(
  { ask }: Pick<Context, 'ask'>,
  question: string,
  option: string,
): Promise<string> {
  const secret = await ask.secret(question, { option });
  if (secret === '') throw new Failure('usage', 'It cannot be empty. Nothing was changed.');
  if ((await ask.secret('The same again:', { option })) !== secret)
    throw new Failure('usage', 'The two differ. Nothing was changed.');
  return secret;
}
