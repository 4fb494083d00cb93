import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Counter, Gauge, Registry } from 'prom-client';
import { Failure } from '../../../base/failure.ts';

export interface RoundResult {
  readonly accounts: number;
  /** Objects that would be created, updated or deleted, by the account that they are in, where there are any. */
  readonly drifted: ReadonlyMap<string, number>;
  readonly failed: number;
  readonly tookMs: number;
  readonly endedMs: number;
}

/** Objects that differ, in all accounts. */
export const driftedObjects = ({ drifted }: Pick<RoundResult, 'drifted'>): number =>
  [...drifted.values()].reduce((sum, count) => sum + count, 0);

/** Makes the figures of the rounds. `rateLimit` counts requests that waited for it, and that were refused. */
export function openMetrics(nowMs: () => number, rateLimit: () => { waits: number; refused: number }) {
  const registry = new Registry();
  const registers = [registry];
  let last: RoundResult | undefined;
  const gauges: readonly (readonly [name: string, help: string, value: () => number | undefined])[] = [
    ['accounts', 'Accounts that the last round looked at', () => last?.accounts ?? 0],
    ['accounts_in_drift', 'Accounts that differ from their manifest', () => last?.drifted.size ?? 0],
    ['objects_in_drift', 'Objects that differ from the manifest', () => (last ? driftedObjects(last) : 0)],
    ['accounts_failed', 'Accounts that the last round could not look at or correct', () => last?.failed ?? 0],
    ['round_duration_seconds', 'Duration of the last round', () => (last?.tookMs ?? 0) / 1000],
    [
      'last_look_age_seconds',
      'Time since the end of the last whole round',
      () => last && (nowMs() - last.endedMs) / 1000,
    ],
    [
      'rate_limit_waits_total',
      'Requests that waited for the rate limit of the service',
      () => rateLimit().waits,
    ],
    ['rate_limit_refusals_total', 'Requests that the service turned away (429)', () => rateLimit().refused],
  ];
  for (const [name, help, value] of gauges)
    new Gauge({
      name: `telctl_${name}`,
      help,
      registers,
      collect() {
        const now = value();
        if (now !== undefined) this.set(now);
      },
    });
  const byAccount = new Gauge({
    name: 'telctl_account_drift_objects',
    help: 'Objects of one account that differ from the manifest',
    labelNames: ['account'],
    registers,
  });
  const failures = new Counter({
    name: 'telctl_failures_total',
    help: 'Accounts that could not be looked at or corrected, by kind of failure',
    labelNames: ['kind'],
    registers,
  });
  const corrections = new Counter({
    name: 'telctl_corrections_total',
    help: 'Accounts that were corrected',
    registers,
  });
  return {
    round(result: RoundResult): void {
      last = result;
      byAccount.reset();
      for (const [account, count] of result.drifted) byAccount.set({ account }, count);
    },
    failed: (kind: string): void => failures.inc({ kind }),
    corrected: (): void => corrections.inc(),
    /** The figures in Prometheus' own format. */
    text: () => registry.metrics(),
  };
}

/**
 * Offers figures at `/metrics`, and at `/health` 200 while rounds come in time, else 503. Throws `Failure` of kind
 * `usage` for what is no address and one that cannot be listened on.
 */
export async function serveMetrics(
  word: string,
  metrics: Pick<ReturnType<typeof openMetrics>, 'text'>,
  health: () => { readonly ok: boolean; readonly text: string },
): Promise<{ readonly address: string; close(): Promise<void> }> {
  const { host, port } = addressOf(word);
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/s, '');
    const send = (status: number, text: string): void => {
      const isWhole = request.method === 'GET' || request.method === 'HEAD';
      response.writeHead(status, {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        // A body is not read: it may have no end.
        ...(isWhole ? {} : { connection: 'close' }),
      });
      response.end(request.method === 'HEAD' ? undefined : text, () => {
        if (!isWhole) request.destroy();
      });
    };
    if (isLoopback(host) && !isOwnName(request)) return send(403, 'only under its own name\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(405, 'only GET\n');
    if (path === '/health') {
      const { ok, text } = health();
      return send(ok ? 200 : 503, `${text}\n`);
    }
    if (path !== '/metrics') return send(404, 'only /metrics and /health\n');
    metrics.text().then(
      (text) => send(200, text),
      () => send(500, 'the figures cannot be read\n'),
    );
  });
  server.maxConnections = 64;
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Failure('usage', `--metrics ${word} cannot be listened on.`, {
      hint: 'Give another address or port; port 0 takes a free one.',
      cause,
    });
  }
  const bound = server.address();
  const shown = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${shown}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host);

/** A page in a browser can be made to ask for this machine under another name. */
const isOwnName = ({ headers, socket }: IncomingMessage): boolean =>
  ['127.0.0.1', 'localhost', '[::1]', `[${socket.localAddress}]`, socket.localAddress]
    .map((name) => `${name}:${socket.localPort}`)
    .includes((headers.host ?? '').toLowerCase());

function addressOf(word: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:\s]+)):)?(\d{1,5})$/.exec(word) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    throw new Failure('usage', `--metrics takes an address and a port, not ${JSON.stringify(word)}.`, {
      hint: 'For example --metrics 127.0.0.1:9464; 0.0.0.0:9464 is reached from other machines.',
    });
  return { host: bracketed ?? plain ?? '127.0.0.1', port };
}
