import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** A public key as others name and use it. */
export interface PublicKey {
  readonly key: KeyObject;
  /** `SHA256:` and the Base64 digest of the key in DER, as `openssl` and `ssh` would say it. */
  readonly fingerprint: string;
}

/**
 * Reads a public key from PEM text; `undefined` for what is none. Compatible services write `RSA PUBLIC KEY` over
 * either encoding, so the other one is tried as well (Conventions, public key).
 */
export function readPublicKey(pem: string): PublicKey | undefined {
  for (const text of [pem, pem.replaceAll('RSA PUBLIC KEY', 'PUBLIC KEY')]) {
    try {
      const key = createPublicKey(text);
      const der = key.export({ type: 'spki', format: 'der' });
      const digest = createHash('sha256').update(der).digest('base64').replace(/=+$/, '');
      return { key, fingerprint: `SHA256:${digest}` };
    } catch {
      // No key in this encoding.
    }
  }
  return undefined;
}
