import { Failure } from '../../../base/failure.ts';
import type { Random } from '../../../base/host/host.ts';
import { isObject, type JsonObject, textOrUndefined } from '../../../base/json.ts';
import { openFileWarning } from '../../../client/session/secret-sources.ts';
import { readInput } from '../../../engine/input/read-input.ts';
import type { Context } from '../../command/context.ts';

export interface SecretSource {
  readonly stdin: boolean;
  readonly file: string | undefined;
}

/** Reads the first line as a secret. Returns `undefined` without a source. Throws `usage` for an empty line. */
export async function readSecret(
  { host, notices }: Pick<Context, 'host' | 'notices'>,
  name: string,
  { stdin, file }: SecretSource,
): Promise<string | undefined> {
  if (!stdin && file === undefined) return undefined;
  const { text, name: where } = await readInput(host, file ?? '-');
  for (const warning of file === undefined || file === '-' ? [] : openFileWarning(host, file))
    notices.warn(warning);
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw new Failure('usage', `${where} contains no ${name}.`);
  return line;
}

export const secretFromOptions = (
  context: Pick<Context, 'host' | 'notices'>,
  { secretStdin, secretFile }: { readonly secretStdin?: unknown; readonly secretFile?: unknown },
): Promise<string | undefined> =>
  readSecret(context, 'secret', { stdin: secretStdin === true, file: textOrUndefined(secretFile) });

/** Throws `usage` if the two entries differ or are empty, or without a terminal, naming `option`. */
export async function askSecretTwice(
  { ask }: Pick<Context, 'ask'>,
  question: string,
  option: string,
): Promise<string> {
  const secret = await ask.secret(question, { option });
  if (secret === '') throw new Failure('usage', 'It cannot be empty. Nothing was changed.');
  if ((await ask.secret('Repeat it:', { option })) !== secret)
    throw new Failure('usage', 'The two entries differ. Nothing was changed.');
  return secret;
}

/** Letters and digits that are not easily confused. */
const passwordLetters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const passwordLength = 20;

export function randomPassword(random: Random): string {
  const fair = 256 - (256 % passwordLetters.length);
  let password = '';
  while (password.length < passwordLength)
    for (const byte of random.bytes(passwordLength))
      if (byte < fair && password.length < passwordLength)
        password += passwordLetters.charAt(byte % passwordLetters.length);
  return password;
}

/** Fills in a missing SIP user name and password of a device. */
export function withSipCredentials(random: Random, device: JsonObject) {
  const sip = isObject(device.sip) ? device.sip : {};
  const nonEmptyText = (key: string): string | undefined => {
    const value = sip[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const username = nonEmptyText('username') ?? `user_${randomPassword(random).toLowerCase().slice(0, 12)}`;
  const password = nonEmptyText('password') ?? randomPassword(random);
  const record: JsonObject = { ...device, sip: { ...sip, username, password } };
  return { record, username, password };
}
