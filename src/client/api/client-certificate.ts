import { Failure } from '../../base/failure.ts';
import type { Files } from '../../base/host/files.ts';

/** PEM files by which this client shows a service who it is. */
export interface ClientCertificate {
  readonly certFile?: string | undefined;
  /** Left out: the key stands in the file of the certificate. */
  readonly keyFile?: string | undefined;
}

/** The texts of the PEM files, as TLS takes them. */
interface ClientIdentity {
  readonly cert?: string;
  readonly key?: string;
}

/** A PEM file's text. Throws `Failure` (`usage`) naming the file where it cannot be read, or holds no such block. */
export function readPem(
  files: Pick<Files, 'readText'>,
  path: string,
  block: 'CERTIFICATE' | 'PRIVATE KEY',
): string {
  const what = block === 'CERTIFICATE' ? 'certificate' : 'key';
  const wrong = (why: string, cause?: unknown) =>
    new Failure('usage', `The ${what} file ${path} ${why}.`, { cause });
  let file: ReturnType<Files['readText']>;
  try {
    file = files.readText(path);
  } catch (error) {
    throw wrong('cannot be read', error);
  }
  if (file === undefined) throw wrong('does not exist');
  if (!new RegExp(`-----BEGIN [A-Z ]*${block}-----`).test(file.text)) throw wrong(`holds no PEM ${what}`);
  return file.text;
}

/**
 * Reads a client certificate with its key. Throws `Failure` (`usage`) for a file that cannot be read, a key with a
 * passphrase, and a certificate and a key that do not belong together.
 */
export async function readClientCertificate(
  files: Pick<Files, 'readText'>,
  { certFile, keyFile = certFile }: ClientCertificate,
): Promise<ClientIdentity> {
  if (certFile === undefined || keyFile === undefined) {
    if (keyFile === undefined) return {};
    throw new Failure('usage', 'A client key was given without its certificate.', {
      hint: 'Give the certificate with --client-cert FILE.',
    });
  }
  const cert = readPem(files, certFile, 'CERTIFICATE');
  const key = readPem(files, keyFile, 'PRIVATE KEY');
  if (/ENCRYPTED/.test(key))
    throw new Failure(
      'usage',
      `The key in ${keyFile} has a passphrase, and telctl reads only keys without one.`,
      {
        hint: 'Write a copy without the passphrase to a file that only you can read: openssl pkey -in KEY -out OTHER',
      },
    );
  const { createSecureContext } = await import('node:tls');
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new Failure(
      'usage',
      `The certificate in ${certFile} and the key in ${keyFile} do not belong together.`,
      {
        cause,
      },
    );
  }
  return { cert, key };
}
