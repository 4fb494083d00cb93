import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import {
  authority,
  clientCert,
  clientKey,
  lockedKey,
  serverCert,
  serverKey,
} from '../../../test/support/certificates.ts';
import { files } from '../../base/host/files.ts';
import { connectionFailure } from './transport.ts';
import { type ClientCertificate, openTransport, readClientCertificate } from './undici-transport.ts';

/** Puts a text into a file of this test's own, and gives its path. */
function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'telctl-pem-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'file.pem');
  writeFileSync(path, text);
  return path;
}

/** A service that lets in whoever shows a certificate of the authority, and answers with the name in it. */
async function guardedService(): Promise<string> {
  const tls = { cert: serverCert, key: serverKey, ca: authority, requestCert: true };
  const server = createServer(tls, (request, response) => {
    response.end((request.socket as TLSSocket).getPeerCertificate().subject.CN);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `https://127.0.0.1:${address.port}`;
}

async function nameSeenBy(baseUrl: string, client: ClientCertificate | undefined): Promise<string> {
  const transport = await openTransport({
    ...{
      baseUrl,
      env: {},
      clock: { now: () => performance.now() },
      files,
      insecure: false,
      allowHttp: false,
      connections: 1,
    },
    ...{ caFile: fileOf(authority), client },
  });
  onTestFinished(() => transport.close());
  const url = new URL('/v2/about', baseUrl);
  const reply = await transport.send({ method: 'GET', url, headers: {}, timeoutMs: 10_000 });
  const chunks: Buffer[] = [];
  for await (const chunk of reply.body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

test('presents the client certificate from two files or from one', async () => {
  const url = await guardedService();
  const two = { certFile: fileOf(clientCert), keyFile: fileOf(clientKey) };
  expect(await nameSeenBy(url, two)).toBe('telctl test client');
  expect(await nameSeenBy(url, { certFile: fileOf(clientCert + clientKey) })).toBe('telctl test client');
});

test.each([
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
])('names the client certificate options if the service ends the handshake with %s', (code) => {
  const error = Object.assign(new Error('alert'), { code });
  expect(connectionFailure(new URL('https://api.example'), error)).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('client certificate'),
    hint: expect.stringContaining('--client-cert'),
  });
});

test.each([
  ['a certificate without a key', () => ({ certFile: fileOf(clientCert) }), /contains no PEM key/],
  ['a key without a certificate', () => ({ keyFile: fileOf(clientKey) }), /requires its certificate/],
  ['a missing file', () => ({ certFile: '/nowhere/c.pem' }), /does not exist/],
  ['an encrypted key', () => ({ certFile: fileOf(clientCert), keyFile: fileOf(lockedKey) }), /passphrase/],
  [
    'the key of another certificate',
    () => ({ certFile: fileOf(clientCert), keyFile: fileOf(serverKey) }),
    /does not match the key/,
  ],
])('refuses %s and names the file', async (_, client, said) => {
  await expect(readClientCertificate(files, client())).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringMatching(said),
  });
});
