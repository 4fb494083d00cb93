import { constants, type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto';
import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';

/** A signed token, taken apart and not yet believed. */
export interface SignedToken {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

/** Takes a token apart. Throws `Failure` of kind `invalid` for text that is no signed token. */
export function signedToken(text: string): SignedToken {
  const [header = '', claims = '', signature = '', ...rest] = text.split('.');
  const parts = { header: jsonIn(header), claims: jsonIn(claims) };
  if (rest.length > 0 || signature === '' || !isObject(parts.header) || !isObject(parts.claims))
    throw new Failure('invalid', 'That is no signed token: it is not three parts with points between.', {
      hint: 'The service may still know it: leave --offline out.',
    });
  return {
    header: parts.header,
    claims: parts.claims,
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
  };
}

function jsonIn(part: string): Json {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Json;
  } catch {
    return null;
  }
}

/** The meaning of an algorithm's name. */
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

/**
 * Tells whether a token bears the signature of a key. The key decides which algorithms can be meant; what the token
 * says of itself (`none`, a shared secret) does not.
 */
export function isSignedBy({ header, signed, signature }: SignedToken, key: KeyObject): boolean {
  const algorithm = algorithms.get(String(header.alg));
  if (algorithm === undefined || algorithm.keyType !== key.asymmetricKeyType) return false;
  return verify(algorithm.hash, signed, { key, ...algorithm.layout }, signature);
}
