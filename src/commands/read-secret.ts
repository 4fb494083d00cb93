import { Failure } from '../base/failure.ts';
import type { Context } from '../command/context.ts';
import { readInput } from '../input/read-input.ts';

/** The source of a secret when it is not asked for. */
export interface SecretSource {
  readonly stdin: boolean;
  readonly file: string | undefined;
}

/**
 * Reads a secret from standard input or a file: its first line, whole. Throws `Failure` of kind `usage` for
 * an empty one; `undefined` where neither was given.
 */
export async function readSecret(
  { host }: Context,
  name: string,
  { stdin, file }: SecretSource,
): Promise<string | undefined> {
  if (!stdin && file === undefined) return undefined;
  const { text, name: where } = await readInput(host, file ?? '-');
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw new Failure('usage', `There is no ${name} in ${where}.`);
  return line;
}
