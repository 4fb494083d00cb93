import { Failure } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import { keys } from '../../contract/resources/keys.ts';
import { operationFor, pathTo } from '../generic/find-record.ts';
import { type PublicKey, readPublicKey } from './public-key.ts';

const pemText = /^-----BEGIN ([A-Z ]+)-----\r?\n(?:[A-Za-z0-9+/=]+\r?\n)+-----END \1-----(?:\r?\n)?$/;

const pemType = 'application/x-pem-file';

/** The PEM file of a signing key, as the service gives it. */
export async function readPem(context: Context, id: string): Promise<string> {
  const call = { operation: operationFor(keys, 'get'), path: pathTo(keys, id), accept: pemType };
  const { text, data } = await (await context.api()).call(call);
  // A service may answer with the record whatever was asked for.
  const pem =
    text ?? (isObject(data) && typeof data.public_key_pem === 'string' ? data.public_key_pem : undefined);
  if (pem === undefined) throw new Failure('failed', 'The service answered without a PEM text.');
  // Shown as it is, so nothing else may stand around the key.
  if (!pemText.test(pem))
    throw new Failure('failed', 'The service answered with something that is no PEM text.');
  return pem;
}

/** A public key from PEM text. Throws `Failure` of kind `failed` where the text is none. */
export function publicKeyIn(pem: string, where: string): PublicKey {
  const key = readPublicKey(pem);
  if (key === undefined) throw new Failure('failed', `There is no public key in ${where}.`);
  return key;
}
