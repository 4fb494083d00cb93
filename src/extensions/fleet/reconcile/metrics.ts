import { Counter, Gauge, Registry } from 'prom-client';
import { Failure } from '../../../base/failure.ts';
import {
  findForeignHeader,
  isLoopbackAddress,
  type LoopbackServer,
  loopback,
  openServer,
  parseAddress,
  rejectRequest,
} from '../../../base/host/loopback-server.ts';

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
): Promise<LoopbackServer> {
  const at = parseAddress(word);
  if (!at)
    throw new Failure('usage', `--metrics takes an address and a port, not ${JSON.stringify(word)}.`, {
      hint: 'For example --metrics 127.0.0.1:9464; 0.0.0.0:9464 is reached from other machines.',
    });
  const { host = loopback, port } = at;
  const hint = 'Give another address or port to --metrics; port 0 takes a free one.';
  return openServer({ port, address: host, hint }, async (request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/s, '');
    const send = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    if (isLoopbackAddress(host) && findForeignHeader(request) === 'host')
      return rejectRequest(response, 403, 'only under its own name');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return rejectRequest(response, 405, 'only GET');
    if (path === '/health') {
      const { ok, text } = health();
      return send(ok ? 200 : 503, `${text}\n`);
    }
    if (path !== '/metrics') return send(404, 'only /metrics and /health\n');
    await metrics.text().then(
      (text) => send(200, text),
      () => send(500, 'the figures cannot be read\n'),
    );
  });
}
