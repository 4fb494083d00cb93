import { createHmac, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock, Random } from '../../../base/host/host.ts';
import { newId, newSecret } from '../ids-and-secrets.ts';
import type { Store, StoreChange } from '../store/store.ts';
import type { Claims, Signer } from './signing.ts';

/** Lifetime of a token (Limits). */
const tokenLifeSeconds = 3600;

const systemSecretName = 'system_secret';
const signingKeyName = 'signing_key';
const maxProvenTokens = 5000;

export interface SecretOwner {
  readonly id: string;
  readonly secret: string;
}

const identitySignature = (subject: SecretOwner, secretOfSystem: string): string =>
  createHmac('sha256', subject.secret + secretOfSystem)
    .update(subject.id)
    .digest('base64url');

/**
 * Issues and verifies tokens. The system secret and the signing key are read for each request, so that a reset takes
 * effect immediately. Only verified signatures are cached.
 */
export class Authority {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #random: Random;
  #signerInUse: { readonly text: string; readonly key: SigningKey; readonly signer: Signer } | undefined;
  readonly #proven = new Map<string, Claims>();
  /** The secrets that verified claims were issued with. */
  readonly #bonds = new WeakMap<Claims, string>();
  /** The key pair of a new service, while it is being generated. */
  #first: Promise<SigningKey> | undefined;

  constructor(parts: { readonly store: Store; readonly clock: Clock; readonly random: Random }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  async issue(claims: Omit<Claims, 'exp' | 'identity_sig'>, subject: SecretOwner): Promise<string> {
    const [{ signer }, secret] = await Promise.all([this.#currentSigner(), this.#systemSecret()]);
    return signer.sign({
      ...claims,
      identity_sig: identitySignature(subject, secret),
      exp: Math.floor(this.#clock.now() / 1000) + tokenLifeSeconds,
    });
  }

  /** Issues a token for an SSO identity without a user. It has no account and gives no access. */
  async issueForIdentity(linkId: string): Promise<string> {
    const { signer } = await this.#currentSigner();
    const exp = Math.floor(this.#clock.now() / 1000) + tokenLifeSeconds;
    return signer.signIdentity({ auth_id: linkId, exp });
  }

  /** Returns the claims of a token. Returns `undefined` if its signature is wrong or it has expired. */
  async read(token: string): Promise<Claims | undefined> {
    const { signer } = await this.#currentSigner();
    const nowMs = this.#clock.now();
    const known = this.#proven.get(token);
    if (known) return known.exp * 1000 > nowMs ? known : undefined;
    const claims = await signer.read(token, nowMs);
    if (!claims) return undefined;
    const [oldest] = this.#proven.keys();
    if (this.#proven.size >= maxProvenTokens && oldest !== undefined) this.#proven.delete(oldest);
    this.#proven.set(token, claims);
    return claims;
  }

  /** Returns true if a token was issued with the current secrets of its subject and the system. */
  async isBound(claims: Claims, subject: SecretOwner): Promise<boolean> {
    const systemSecret = await this.#systemSecret();
    const bond = `${subject.id} ${subject.secret} ${systemSecret}`;
    if (this.#bonds.get(claims) === bond) return true;
    if (claims.identity_sig !== identitySignature(subject, systemSecret)) return false;
    this.#bonds.set(claims, bond);
    return true;
  }

  async key(): Promise<SigningKey> {
    return (await this.#currentSigner()).key;
  }

  /** Returns a new key pair with the same id. Committing it invalidates all tokens. */
  async newKey(): Promise<StoreChange> {
    const { id } = await this.key();
    return { change: 'setting', name: signingKeyName, value: JSON.stringify(await makeSigningKey(id)) };
  }

  newSystemSecret(): StoreChange {
    return { change: 'setting', name: systemSecretName, value: newSecret(this.#random) };
  }

  async #systemSecret(): Promise<string> {
    const stored = await this.#store.setting(systemSecretName);
    if (stored !== undefined) return stored;
    throw new Error('The store was not seeded: it has no system secret.');
  }

  async #currentSigner(): Promise<{ readonly key: SigningKey; readonly signer: Signer }> {
    const text = (await this.#store.setting(signingKeyName)) ?? (await this.#firstKey());
    if (this.#signerInUse?.text === text) return this.#signerInUse;
    // Written by `authoritySettings`, `#firstKey` or `newKey`.
    const key = JSON.parse(text) as SigningKey;
    const { createSigner } = await import('./signing.ts');
    this.#signerInUse = { text, key, signer: createSigner(key) };
    this.#proven.clear();
    return this.#signerInUse;
  }

  /** Generates the first key pair once for all waiting callers, and stores it. */
  async #firstKey(): Promise<string> {
    this.#first ??= makeSigningKey(newId(this.#random));
    const value = JSON.stringify(await this.#first);
    // A snapshot that was loaded meanwhile may contain a key.
    const known = await this.#store.setting(signingKeyName);
    if (known !== undefined) return known;
    await this.#store.commit([{ change: 'setting', name: signingKeyName, value }]);
    return value;
  }
}

/** Returns the initial settings of a store. Without `key`, a key is generated before the first token. */
export const authoritySettings = (random: Random, key?: SigningKey): readonly StoreChange[] => [
  { change: 'setting', name: systemSecretName, value: newSecret(random) },
  ...(key ? [{ change: 'setting', name: signingKeyName, value: JSON.stringify(key) } as const] : []),
];

export interface SigningKey {
  readonly id: string;
  readonly privatePem: string;
  readonly publicPem: string;
}

const generateKeys = promisify(generateKeyPair);

/** Generates an RSA key pair. This takes a few hundred milliseconds. */
export async function makeSigningKey(id: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeys('rsa', { modulusLength: 2048 });
  return {
    id,
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  };
}
