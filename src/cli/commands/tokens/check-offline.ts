import { constants, type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto';
import { Failure, nextStep } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../../base/json.ts';
import { keys } from '../../../contract/resources/keys.ts';
import { masked } from '../../../contract/secrets.ts';
import { readInput } from '../../../engine/input/read-input.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ItemResult } from '../../command/result.ts';
import { fetchPem, type PublicKey, readPublicKey, requirePublicKey } from '../keys/commands.ts';
import { readSecret } from '../passwords/secrets.ts';
import { operationFor } from '../records/find-named.ts';
import type { infoOptions } from './commands.ts';

type SignedToken = ReturnType<typeof signedToken>;

/** Splits a token into its parts, without verifying it. Throws `invalid` if it is not a signed token. */
function signedToken(text: string) {
  const [header = '', claims = '', signature = '', ...rest] = text.split('.');
  const parts = { header: jsonIn(header), claims: jsonIn(claims) };
  if (rest.length > 0 || signature === '' || !isObject(parts.header) || !isObject(parts.claims))
    throw new Failure(
      'invalid',
      'This is not a signed token. A signed token has three parts, separated by dots.',
      { hint: 'The service may still accept it: omit --offline.' },
    );
  return {
    header: parts.header,
    claims: parts.claims,
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
  };
}

const jsonIn = (part: string): Json | undefined => parseJson(Buffer.from(part, 'base64url').toString('utf8'));

interface Algorithm {
  readonly keyType: 'rsa' | 'ec';
  readonly hash: string;
  readonly layout: Omit<VerifyKeyObjectInput, 'key'>;
}

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

/** Algorithms of RFC 7518 that have a public key. */
const algorithms: ReadonlyMap<string, Algorithm> = new Map(
  ['256', '384', '512'].flatMap((size): readonly (readonly [string, Algorithm])[] => {
    const hash = `sha${size}`;
    return [
      [`RS${size}`, { keyType: 'rsa', hash, layout: {} }],
      [`PS${size}`, { keyType: 'rsa', hash, layout: pss }],
      [`ES${size}`, { keyType: 'ec', hash, layout: { dsaEncoding: 'ieee-p1363' } }],
    ];
  }),
);

/** The type of the key determines the algorithms. The token's own algorithm (`none`, a shared secret) is ignored. */
function isSignedBy({ header, signed, signature }: SignedToken, key: KeyObject): boolean {
  const algorithm = algorithms.get(String(header.alg));
  if (algorithm === undefined || algorithm.keyType !== key.asymmetricKeyType) return false;
  return verify(algorithm.hash, signed, { key, ...algorithm.layout }, signature);
}

interface NamedKey extends PublicKey {
  readonly id: string | null;
}

/** Checks claims, signature and expiry on this machine. Only the service knows whether it was revoked. */
export async function checkOffline(
  input: InputOf<typeof infoOptions>,
  context: Context,
): Promise<ItemResult> {
  const given = await readSecret(context, 'token', { stdin: input.tokenStdin ?? false, file: undefined });
  const token = signedToken(given ?? (await (await context.session()).token()));
  const key =
    input.keyFile === undefined ? await findSigningKey(context, token) : await keyIn(context, input.keyFile);
  const isSigned = isSignedBy(token, key.key);
  const { exp } = token.claims;
  const expiresAtMs = typeof exp === 'number' ? exp * 1000 : undefined;
  const isOver = expiresAtMs !== undefined && expiresAtMs <= context.host.clock.now();
  const why = !isSigned
    ? `The token was not signed with ${key.id === null ? 'that key' : `key ${key.id}`}.`
    : isOver
      ? 'The token has expired.'
      : undefined;
  if (context.options.reveal && typeof token.claims.identity_sig === 'string')
    context.notices.disclose([token.claims.identity_sig]);
  return {
    kind: 'item',
    value: {
      valid: why === undefined,
      signature: isSigned ? 'valid' : 'invalid',
      expired: isOver,
      expires_at: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString(),
      algorithm: token.header.alg ?? null,
      key_id: key.id,
      key_fingerprint: key.fingerprint,
      claims: shownClaims(token.claims, context.options.reveal),
    },
    message: `Checked on this machine. Only the service knows whether it was revoked: ${nextStep`tokens info`}`,
    ...(why === undefined ? {} : { failure: new Failure('auth', why) }),
  };
}

/** Returns the claims without the proof of the subject, which is a secret. */
function shownClaims(claims: JsonObject, reveal: boolean): JsonObject {
  return reveal || claims.identity_sig === undefined ? claims : { ...claims, identity_sig: masked };
}

async function keyIn({ host }: Context, file: string): Promise<NamedKey> {
  const { text, name } = await readInput(host, file);
  const key = readPublicKey(text);
  if (key === undefined) throw new Failure('invalid', `${name} does not contain a public key.`);
  return { ...key, id: null };
}

async function findSigningKey(context: Context, { header }: SignedToken): Promise<NamedKey> {
  const id = typeof header.kid === 'string' ? header.kid : await onlyKey(context);
  return { ...requirePublicKey(await fetchPem(context, id), `the response for key ${id}`), id };
}

async function onlyKey(context: Context): Promise<string> {
  const { data } = await (await context.api()).call({ operation: operationFor(keys, 'list') });
  const [id, ...others] = Array.isArray(data) ? data.map(String) : [];
  if (id === undefined || others.length > 0)
    throw new Failure('failed', 'The token names no key, and the service has not exactly one.');
  return id;
}
