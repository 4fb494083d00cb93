import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, textOrUndefined } from '../../../base/json.ts';
import { keys } from '../../../contract/resources/keys.ts';
import type { Column } from '../../../contract/types.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { dryRunResult } from '../change.ts';
import { requestEffect } from '../guards/guard-request.ts';
import { readAfterChange, restoreSession } from '../operations/read-after-change.ts';
import { asRecord, findNamed, getRecord, operationFor, pathTo } from '../records/find-named.ts';

const keyArguments = { id: { name: 'ID', doc: 'Its id' } } as const;
const keyOptions = {
  pem: { doc: 'Print the public key as a PEM file', excludes: ['jwk'] },
  jwk: { doc: 'Print the public key as a JSON Web Key' },
} as const;
const resetOptions = {
  confirm: { value: 'HOST', doc: 'Confirm with the host of the service' },
} as const;

export const keysCommands: readonly Command[] = [
  defineCommand({
    path: ['keys', 'list'],
    summary: 'List the keys that sign tokens, each with its fingerprint',
    effect: 'read',
    examples: { 'telctl keys list': 'List all keys' },
    operations: ['keys.list', 'keys.get'],
    load: async () => listKeys,
  }),
  defineCommand({
    path: ['keys', 'get'],
    summary: 'Show a public key and its fingerprint',
    arguments: keyArguments,
    options: keyOptions,
    effect: 'read',
    examples: {
      'telctl keys get ID --pem': 'Print the key for a program that checks tokens',
      'telctl keys get ID --jwk': 'Print the key as a JSON Web Key',
    },
    operations: ['keys.get'],
    load: async () => getKey,
  }),
  defineCommand({
    path: ['keys', 'reset'],
    summary: 'Replace the private key, and end all tokens of the service',
    description:
      'Only the super administrator can do this. The id of the key does not change. You must type the host of the service, or pass it with --confirm. --yes does not confirm it.',
    arguments: keyArguments,
    options: resetOptions,
    effect: 'destructive',
    examples: { 'telctl keys reset ID --confirm api.example': 'Sign out all users' },
    operations: ['keys.reset', 'keys.get'],
    load: async () => resetKey,
  }),
];

const keyColumns: readonly Column[] = [
  { header: 'FINGERPRINT', paths: ['fingerprint'] },
  { header: 'ID', paths: ['id'] },
];

/** The service lists only ids, so each key is read for its fingerprint. */
async function listKeys(_: unknown, context: Context): Promise<Result> {
  const { data } = await (await context.api()).call({ operation: operationFor(keys, 'list') });
  if (!Array.isArray(data)) throw new Failure('failed', 'The response of the service is not a list of keys.');
  const items = await Promise.all(data.map((id: Json) => readKey(context, String(id))));
  return { kind: 'list', items, resource: 'keys', noun: 'keys', columns: keyColumns };
}

async function readKey(context: Context, id: string): Promise<JsonObject> {
  const call = { operation: operationFor(keys, 'get'), path: pathTo(keys, id) };
  const record = asRecord(keys, (await (await context.api()).call(call)).data);
  const { public_key_pem: pem } = record;
  const key = typeof pem === 'string' ? readPublicKey(pem) : undefined;
  return { id, ...record, ...(key ? { fingerprint: key.fingerprint } : {}) };
}

/** Shows a public key as a record with its fingerprint, as the service's PEM file, or as a JWK. */
async function getKey(
  input: InputOf<typeof keyOptions, typeof keyArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findNamed(context, keys, input.id);
  if (input.pem) {
    const pem = await fetchPem(context, id);
    return { kind: 'document', text: pem, value: { id, public_key_pem: pem }, verbatim: true };
  }
  if (input.jwk) return jwkResult(id, await fetchPem(context, id));
  return { kind: 'item', value: await readKey(context, id), resource: 'keys' };
}

/** Formats the key for programs that check tokens (RFC 7517). */
function jwkResult(id: string, pem: string): Result {
  const { key } = requirePublicKey(pem, `the response for key ${id}`);
  const parts = Object.entries(key.export({ format: 'jwk' })).map(([name, value]) => [name, String(value)]);
  const algorithm = key.asymmetricKeyType === 'rsa' ? { alg: 'RS256' } : {};
  const value: JsonObject = { kid: id, use: 'sig', ...algorithm, ...Object.fromEntries(parts) };
  return { kind: 'document', text: `${JSON.stringify(value, null, 2)}\n`, value };
}

const pemText = /^-----BEGIN ([A-Z ]+)-----\r?\n(?:[A-Za-z0-9+/=]+\r?\n)+-----END \1-----(?:\r?\n)?$/;

const pemType = 'application/x-pem-file';

/** Returns the PEM file of a signing key unchanged. */
export async function fetchPem(context: Context, id: string): Promise<string> {
  const call = { operation: operationFor(keys, 'get'), path: pathTo(keys, id), accept: pemType };
  const { text, data } = await (await context.api()).call(call);
  // Some services ignore the requested format and return the record.
  const pem =
    text ?? (isObject(data) && typeof data.public_key_pem === 'string' ? data.public_key_pem : undefined);
  if (pem === undefined) throw new Failure('failed', 'The response of the service has no PEM text.');
  // The PEM text is printed unchanged, so it must contain only the key.
  if (!pemText.test(pem)) throw new Failure('failed', 'The response of the service is not PEM text.');
  return pem;
}

/** Throws `failed` if the PEM text contains no public key. */
export function requirePublicKey(pem: string, where: string): PublicKey {
  const key = readPublicKey(pem);
  if (key === undefined) throw new Failure('failed', `${where} does not contain a public key.`);
  return key;
}

export interface PublicKey {
  readonly key: KeyObject;
  /** `SHA256:` and the Base64 digest of the key in DER, like `openssl` and `ssh`. */
  readonly fingerprint: string;
}

/** Compatible services write `RSA PUBLIC KEY` above two encodings (Conventions, public key). Tries both. */
export function readPublicKey(pem: string): PublicKey | undefined {
  for (const text of [pem, pem.replaceAll('RSA PUBLIC KEY', 'PUBLIC KEY')]) {
    try {
      const key = createPublicKey(text);
      const der = key.export({ type: 'spki', format: 'der' });
      const digest = createHash('sha256').update(der).digest('base64').replace(/=+$/, '');
      return { key, fingerprint: `SHA256:${digest}` };
    } catch {}
  }
  return undefined;
}

/** Replaces the private key that signs tokens, after the host's name is typed. This ends all tokens. */
async function resetKey(
  { id: word }: InputOf<typeof resetOptions, typeof keyArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findNamed(context, keys, word);
  const session = await context.session();
  const { hostname } = new URL(session.profile.baseUrl);
  const api = await context.api();
  const call = { operation: operationFor(keys, 'reset'), path: pathTo(keys, id) };
  if (context.options.dryRun)
    return dryRunResult(context, [{ call, notes: [requestEffect(call.operation, hostname) ?? ''] }]);
  await getRecord(context, keys, id);
  await context.guard({ ...call, data: undefined });
  const before = await session.token();
  await api.call(call);
  const done = `Replaced the private key ${id} of ${hostname}.`;
  const signedIn = await restoreSession(context, done, before);
  const read = signedIn ? await readAfterChange(context, done, () => readKey(context, id)) : undefined;
  const fingerprint = textOrUndefined(read?.fingerprint);
  return {
    kind: 'done',
    message: fingerprint === undefined ? done : `${done} The public one is now ${fingerprint}.`,
    value: {
      id,
      host: hostname,
      signed_in: signedIn ?? null,
      ...(fingerprint === undefined ? {} : { fingerprint }),
    },
  };
}
