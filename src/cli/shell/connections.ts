import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { Transport } from '../../client/api/transport.ts';
import type { ClientCertificate } from '../../client/api/undici-transport.ts';
import { openFile } from '../../client/session/secret-sources.ts';
import { isSameOrigin, type Settings } from '../../client/session/settings.ts';

/** The ways to services that are open in a run, one to each address and file of authorities. */
export interface Connections {
  connect(baseUrl: string, caFile?: string): Promise<Transport>;
  close(): Promise<void>;
}

/** Opens connections when they are first asked for; `only` stands in for all of them. */
export function connectionsOf(
  host: Host,
  settings: Settings,
  warn: (line: string) => void,
  only: Transport | undefined,
): Connections {
  const open = new Map<string, Promise<Transport>>();
  return {
    connect(baseUrl, caFile = settings.caFile.value) {
      const key = `${baseUrl} ${caFile ?? ''}`;
      const transport = open.get(key) ?? openTo(baseUrl, caFile);
      open.set(key, transport);
      return transport;
    },
    async close() {
      const ends = [...open.values()].map(async (transport) => (await transport).close());
      // One that never opened has told why already.
      await Promise.allSettled(ends);
    },
  };

  async function openTo(baseUrl: string, caFile: string | undefined): Promise<Transport> {
    const insecure = settings.insecure.value;
    refuseUnchecked(host, baseUrl, insecure);
    if (insecure) warn(`The certificate of ${baseUrl} is not checked (--insecure).`);
    const client = clientFor(settings, baseUrl);
    for (const line of client.keyFile ? openFile(host, client.keyFile) : []) warn(line);
    if (only) return only;
    const { openTransport } = await import('../../client/api/undici-transport.ts');
    const { env, clock, files } = host;
    const allowHttp = settings.allowHttp.value;
    const connections = settings.concurrency.value;
    return openTransport({ baseUrl, env, clock, files, caFile, client, insecure, allowHttp, connections });
  }
}

/** The client certificate, for the service alone that it was set for: a provider of sign-ins gets none. */
export function clientFor(
  { baseUrl, clientCert, clientKey }: Pick<Settings, 'baseUrl' | 'clientCert' | 'clientKey'>,
  address: string,
): ClientCertificate {
  const isOther = baseUrl.value !== undefined && !isSameOrigin(baseUrl.value, address);
  return isOther ? {} : { certFile: clientCert.value, keyFile: clientKey.value };
}

/**
 * Throws `Failure` (`refused`) where Node.js was told by a variable to take any certificate: what a shell or a CI job
 * once set for something else must not give keys to whoever answers.
 */
function refuseUnchecked({ env }: Host, baseUrl: string, isInsecure: boolean): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0' || isInsecure || !baseUrl.startsWith('https:')) return;
  throw new Failure('refused', 'NODE_TLS_REJECT_UNAUTHORIZED=0 turns the checks of certificates off.', {
    hint: 'Unset it, and trust the certificate with --ca-file FILE. For a test without checks: --insecure',
  });
}
