import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { JsonObject } from '../../base/json.ts';
import { needAccount } from '../calls/call-request.ts';
import type { ControlRoute } from '../control-route.ts';
import { textAt } from '../fields.ts';
import { reseeded, type Seed } from '../seed.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';
import type { FaultCount, Faults } from './fault-routes.ts';
import type { LogEntry, RequestLog } from './request-log.ts';
import type { Snapshots } from './snapshots.ts';
import { clockState, type SandboxClock } from './turned-clock.ts';

export interface OverviewParts {
  readonly clock: SandboxClock;
  readonly faults: Faults;
  readonly seed: () => Seed;
  readonly snapshots?: Snapshots;
}

/** Tells whether a fault may strike again. */
const isActive = ({ rule, disturbed }: FaultCount): boolean => disturbed < (rule.times ?? Infinity);

/** `GET /sandbox/overview`: in counts, what is not as in a sandbox that was just started. */
export const overviewRoute = (services: Services, parts: OverviewParts): ControlRoute => ({
  method: 'GET',
  path: '/sandbox/overview',
  answer: async (): Promise<JsonObject> => {
    const [queued, webhooks] = await Promise.all([
      services.store.queued(),
      services.store.everyOf('webhooks'),
    ]);
    const disabled = webhooks.filter(({ body }) => body.enabled === false);
    const seed = parts.seed();
    return {
      clock: clockState(parts.clock),
      faults: parts.faults.list().filter(isActive).length,
      deliveries_queued: queued.deliveries,
      events_queued: queued.events,
      webhooks_disabled: disabled.length,
      webhooks_failed: disabled.filter(({ body }) => textAt(body, 'disable_reason') !== undefined).length,
      snapshots: parts.snapshots?.list().length ?? 0,
      rate_limit: services.rateLimit?.text ?? null,
      account_name: seed.accountName,
      account_id: seed.accountId,
    };
  },
});

/**
 * `GET /sandbox/accounts/find?account=ID|NAME|REALM`, and `POST /sandbox/accounts/reset`: erases what one account has
 * and nothing else; the seeded accounts are then as they were made. Its id, its API key and the accounts below it
 * stay.
 */
export function accountRoutes(services: Services, seed: () => Seed): readonly ControlRoute[] {
  const need = (named: string): Promise<StoredRecord> => needAccount(services.store, named);
  const accountRow = ({ id, body }: StoredRecord) => ({ account_id: id, name: textAt(body, 'name') ?? id });
  return [
    {
      method: 'GET',
      path: '/sandbox/accounts/find',
      answer: async ({ query }) => accountRow(await need(query.get('account') ?? '')),
    },
    {
      method: 'POST',
      path: '/sandbox/accounts/reset',
      alone: true,
      answer: async ({ body }) => {
        const account = await need(textAt(body, 'account') ?? '');
        const { recordsOf } = await import('../special/accounts.ts');
        const records = await recordsOf(account, services.store);
        await services.store.commit([
          ...records.map((record) => ({ change: 'remove', record, erase: true }) as const),
          { change: 'forget-account', accountId: account.id },
          ...reseeded(account, seed(), services),
        ]);
        return { ...accountRow(account), erased: records.length };
      },
    },
  ];
}

const lineOf = (entry: LogEntry): string => `${JSON.stringify(entry)}\n`;

/** `GET /sandbox/log?since=SEQUENCE`: what is kept, oldest first. */
export const logRoutes = (log: RequestLog): readonly ControlRoute[] => [
  {
    method: 'GET',
    path: '/sandbox/log',
    answer: async ({ query }) => ({ entries: log.since(Number(query.get('since') ?? 0)) }),
  },
];

/** `GET /sandbox/log/follow?since=SEQUENCE`: the same and all that comes, a JSON object a line, without end. */
export function followLog(
  app: FastifyInstance,
  log: RequestLog,
  refuse: (request: FastifyRequest) => void,
): void {
  const streams = new Set<PassThrough>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });
  app.get<{ Querystring: { readonly since?: string } }>('/sandbox/log/follow', (request, reply) => {
    refuse(request);
    const stream = new PassThrough();
    streams.add(stream);
    // The reply begins at once, also where there is nothing to tell yet.
    stream.write('\n');
    for (const entry of log.since(Number(request.query.since ?? 0))) stream.write(lineOf(entry));
    const unfollow = log.follow((entry) => stream.write(lineOf(entry)));
    const end = (): void => {
      unfollow();
      streams.delete(stream);
    };
    stream.on('close', end);
    reply.raw.on('close', () => stream.destroy());
    return reply
      .header('content-type', 'application/x-ndjson')
      .header('cache-control', 'no-store')
      .send(stream);
  });
}
