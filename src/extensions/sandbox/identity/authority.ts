import { createHmac, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock, Random } from '../../../base/host/host.ts';
import { newId, newSecret } from '../made-values.ts';
import type { Store, StoreChange } from '../store/store.ts';
import type { Claims, Signer } from './signing.ts';

/** Lifetime of a token, in seconds (Limits: about one hour). */
const tokenLifeSeconds = 3600;

const systemSecretName = 'system_secret';
const signingKeyName = 'signing_key';
/** Number of proven tokens that are remembered. */
const maxProvenTokens = 5000;

/** The owner of the secret that a token is bound to. */
export interface SecretOwner {
  readonly id: string;
  readonly secret: string;
}

const identitySignature = (subject: SecretOwner, secretOfSystem: string): string =>
  createHmac('sha256', subject.secret + secretOfSystem)
    .update(subject.id)
    .digest('base64url');

/**
 * Issues tokens and says which ones are still good. The system secret and the signing key live in the store and
 * are read anew for each request, so that a reset counts at once; only the costly proof of a signature is
 * remembered, for as long as the same key is in use.
 */
export class Authority {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #random: Random;
  #signerInUse: { readonly text: string; readonly key: SigningKey; readonly signer: Signer } | undefined;
  readonly #proven = new Map<string, Claims>();
  /** The secrets that claims were last found to be bound to. */
  readonly #bonds = new WeakMap<Claims, string>();
  /** The first key pair of a new service, while it is made. */
  #first: Promise<SigningKey> | undefined;

  constructor(parts: { readonly store: Store; readonly clock: Clock; readonly random: Random }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  /** A token for a subject, good for an hour. */
  async issue(claims: Omit<Claims, 'exp' | 'identity_sig'>, subject: SecretOwner): Promise<string> {
    const [{ signer }, secret] = await Promise.all([this.#currentSigner(), this.#systemSecret()]);
    return signer.sign({
      ...claims,
      identity_sig: identitySignature(subject, secret),
      exp: Math.floor(this.#clock.now() / 1000) + tokenLifeSeconds,
    });
  }

  /** A token that only names an identity which is linked to nobody yet: it has no account and signs nobody in. */
  async issueForIdentity(linkId: string): Promise<string> {
    const { signer } = await this.#currentSigner();
    const exp = Math.floor(this.#clock.now() / 1000) + tokenLifeSeconds;
    return signer.signIdentity({ auth_id: linkId, exp });
  }

  /** Returns the claims of a token that was signed by the key in use and has not expired. */
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

  /** Tells whether a token is bound to the secrets that its subject and the system have now. */
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

  /** A new key pair under the old id: every token of the service ends when the change is committed. */
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

  /** Makes the key pair of a service that has none yet, one for all who wait for it, and keeps it. */
  async #firstKey(): Promise<string> {
    this.#first ??= makeSigningKey(newId(this.#random));
    const value = JSON.stringify(await this.#first);
    // Another content may have been put in the store's place meanwhile, with a key of its own.
    const known = await this.#store.setting(signingKeyName);
    if (known !== undefined) return known;
    await this.#store.commit([{ change: 'setting', name: signingKeyName, value }]);
    return value;
  }
}

/** Settings of an empty store. Without a key pair the authority makes one before the first token. */
export const authoritySettings = (random: Random, key?: SigningKey): readonly StoreChange[] => [
  { change: 'setting', name: systemSecretName, value: newSecret(random) },
  ...(key ? [{ change: 'setting', name: signingKeyName, value: JSON.stringify(key) } as const] : []),
];

/** The key pair that signs tokens, as text that can be stored. */
export interface SigningKey {
  readonly id: string;
  readonly privatePem: string;
  readonly publicPem: string;
}

const generateKeys = promisify(generateKeyPair);

/** Makes a new RSA key pair under the given id; takes some hundred milliseconds. */
export async function makeSigningKey(id: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeys('rsa', { modulusLength: 2048 });
  return {
    id,
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  };
}
