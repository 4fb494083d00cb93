import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

/** The key pair that signs tokens, as text that can be stored. */
export interface SigningKey {
  readonly id: string;
  readonly privatePem: string;
  readonly publicPem: string;
}

const generate = promisify(generateKeyPair);

/** Makes a new RSA key pair under the given id; takes some hundred milliseconds. */
export async function makeSigningKey(id: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 });
  return {
    id,
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  };
}
