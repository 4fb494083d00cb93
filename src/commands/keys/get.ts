import type { JsonObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { keys } from '../../contract/resources/keys.ts';
import { asRecord, findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import type { keyArguments, keyOptions } from './commands.ts';
import { readPublicKey } from './public-key.ts';
import { publicKeyIn, readPem } from './read-key.ts';

/** Shows a public key: as a record with its fingerprint, as the PEM file that the service gives, or as a JWK. */
export async function getKey(
  input: InputOf<typeof keyOptions, typeof keyArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findRecord(context, keys, input.id);
  if (input.pem) return pemOf(id, await readPem(context, id));
  if (input.jwk) return jwkOf(id, await readPem(context, id));
  const call = { operation: operationFor(keys, 'get'), path: pathTo(keys, id) };
  const record = asRecord(keys, (await (await context.api()).call(call)).data);
  const { public_key_pem: pem } = record;
  const key = typeof pem === 'string' ? readPublicKey(pem) : undefined;
  return {
    kind: 'item',
    value: { id, ...record, ...(key ? { fingerprint: key.fingerprint } : {}) },
    resource: 'keys',
  };
}

function pemOf(id: string, pem: string): Result {
  return {
    kind: 'document',
    text: pem,
    value: { id, public_key_pem: pem },
    verbatim: true,
  };
}

/** The key as RFC 7517 writes it, for programs that check tokens. */
function jwkOf(id: string, pem: string): Result {
  const { key } = publicKeyIn(pem, `the answer about key ${id}`);
  const parts = Object.entries(key.export({ format: 'jwk' })).map(([name, value]) => [name, String(value)]);
  const algorithm = key.asymmetricKeyType === 'rsa' ? { alg: 'RS256' } : {};
  const value: JsonObject = { kid: id, use: 'sig', ...algorithm, ...Object.fromEntries(parts) };
  return { kind: 'document', text: `${JSON.stringify(value, null, 2)}\n`, value };
}
