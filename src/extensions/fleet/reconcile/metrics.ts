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
  /** Number of objects that differ from the manifest, by account. Accounts without drift are absent. */
  readonly drifted: ReadonlyMap<string, number>;
  readonly failed: number;
  readonly tookMs: number;
  readonly endedMs: number;
}

export const driftedObjects = ({ drifted }: Pick<RoundResult, 'drifted'>): number =>
  [...drifted.values()].reduce((sum, count) => sum + count, 0);

type GaugeRow = readonly [name: string, help: string, value: () => number | undefined];

function addGauges(registers: Registry[], rows: readonly GaugeRow[]): void {
  for (const [name, help, value] of rows)
    new Gauge({
      name: `telctl_${name}`,
      help,
      registers,
      collect() {
        const now = value();
        if (now !== undefined) this.set(now);
      },
    });
}

/** Creates the metrics. `rateLimit` returns how many requests waited for the rate limit, and how many were refused. */
export function openMetrics(nowMs: () => number, rateLimit: () => { waits: number; refused: number }) {
  const registry = new Registry();
  const registers = [registry];
  let last: RoundResult | undefined;
  addGauges(registers, [
    ['accounts', 'Accounts checked in the last round', () => last?.accounts ?? 0],
    ['accounts_in_drift', 'Accounts that differ from their manifest', () => last?.drifted.size ?? 0],
    ['objects_in_drift', 'Objects that differ from the manifest', () => (last ? driftedObjects(last) : 0)],
    ['accounts_failed', 'Accounts that the last round could not check or correct', () => last?.failed ?? 0],
    ['round_duration_seconds', 'Duration of the last round', () => (last?.tookMs ?? 0) / 1000],
    [
      'last_look_age_seconds',
      'Seconds since the last complete round',
      () => last && (nowMs() - last.endedMs) / 1000,
    ],
    [
      'rate_limit_waits_total',
      'Requests that waited for the rate limit of the service',
      () => rateLimit().waits,
    ],
    ['rate_limit_refusals_total', 'Requests that the service refused with 429', () => rateLimit().refused],
  ]);
  const byAccount = new Gauge({
    name: 'telctl_account_drift_objects',
    help: 'Objects of one account that differ from the manifest',
    labelNames: ['account'],
    registers,
  });
  const failures = new Counter({
    name: 'telctl_failures_total',
    help: 'Accounts that could not be checked or corrected, by kind of failure',
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
    /** Returns the metrics in the text format of Prometheus. */
    text: () => registry.metrics(),
  };
}

/**
 * Serves `/metrics`, and `/health` with 200, or 503 if a round is late. Throws `Failure` (`usage`) for an invalid or
 * unavailable address.
 */
export async function serveMetrics(
  word: string,
  metrics: Pick<ReturnType<typeof openMetrics>, 'text'>,
  health: () => { readonly ok: boolean; readonly text: string },
): Promise<LoopbackServer> {
  const at = parseAddress(word);
  if (!at)
    throw new Failure('usage', `--metrics must be an address and a port, not ${JSON.stringify(word)}.`, {
      hint: 'For example: --metrics 127.0.0.1:9464. With 0.0.0.0:9464, other machines can connect.',
    });
  const { host = loopback, port } = at;
  const hint = 'Pass another address or port with --metrics. Port 0 chooses a free one.';
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
      () => send(500, 'the metrics cannot be read\n'),
    );
  });
}
