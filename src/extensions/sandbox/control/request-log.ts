import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Json, JsonObject } from '../../../base/json.ts';
import { maskUrl, redactTarget } from '../../../contract/secrets.ts';
import type { SentDelivery } from '../events/deliverer.ts';
import type { LogEntry as PageEntry } from '../reader.ts';
import { isSandboxUrl } from '../requests/routes.ts';
import type { ControlParts } from './control.ts';

/** An entry of the log. Times are those of the sandbox's clock. Secrets in targets are masked. */
export interface RequestLogEntry extends PageEntry, JsonObject {
  /** Address of the caller. Only set if other machines can connect. */
  readonly from?: string;
  readonly [more: string]: Json | undefined;
}

const capacity = 1000;

/** The latest requests and deliveries, in memory. Subscribers get new entries. */
export class RequestLog {
  readonly #entries: RequestLogEntry[] = [];
  readonly #listeners = new Set<(entry: RequestLogEntry) => void>();
  #sequence = 0;

  add(entry: Omit<RequestLogEntry, 'sequence'>): void {
    this.#sequence += 1;
    // Only the sequence was missing.
    const numbered = { ...entry, sequence: this.#sequence } as RequestLogEntry;
    this.#entries.push(numbered);
    if (this.#entries.length > capacity) this.#entries.shift();
    for (const tell of this.#listeners) tell(numbered);
  }

  /** Returns the entries, oldest first. With `sequence`, only later entries. */
  since(sequence = 0): readonly RequestLogEntry[] {
    return this.#entries.filter((entry) => entry.sequence > sequence);
  }

  /** Calls `tell` for each new entry. Returns a function that unsubscribes. */
  follow(tell: (entry: RequestLogEntry) => void): () => void {
    this.#listeners.add(tell);
    return () => this.#listeners.delete(tell);
  }
}

export function logDelivery(
  { clock, log }: Pick<ControlParts, 'clock' | 'log'>,
  { delivery, subscription, method, sent, ms }: SentDelivery,
): void {
  const words = [
    ...(delivery.tries > 0 ? [`try ${delivery.tries + 1}`] : []),
    ...('status' in sent ? [] : [sent.error]),
  ];
  log.add({
    kind: 'delivery',
    time: new Date(clock.now()).toISOString(),
    method: method.toUpperCase(),
    path: maskUrl(subscription.target.uri),
    status: 'status' in sent ? sent.status : null,
    ms: Math.round(ms * 10) / 10,
    account_id: subscription.target.accountId,
    request_id: null,
    hook: delivery.hook,
    webhook_id: subscription.target.hookId,
    ...(words.length > 0 ? { note: words.join(', ') } : {}),
  });
}

/** Log messages about failed requests and injected faults. They contain no values of fields. */
export const notes = new WeakMap<FastifyRequest, string>();

export const senderNames = new WeakMap<FastifyRequest, string>();

const dropped = new WeakSet<FastifyRequest>();

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function shownTarget(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? redactTarget(url, '') : redactTarget(url.slice(0, mark), url.slice(mark));
}

type LogParts = Pick<ControlParts, 'clock' | 'log' | 'isShared'>;

/** Statuses of failed authentication. A shared sandbox also logs them for requests to its controls. */
const loggedRefusals = [401, 403, 429];

function logRequest(
  { clock, log, isShared }: LogParts,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number | null,
): void {
  const { account_id: accountId } = Object(request.params);
  const words = notes.get(request);
  const by = senderNames.get(request);
  log.add({
    kind: 'request',
    time: new Date(clock.now()).toISOString(),
    method: request.method,
    path: shownTarget(request.originalUrl),
    status,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    account_id: textOrNull(accountId),
    request_id: textOrNull(reply.getHeader('x-request-id')),
    ...(by === undefined ? {} : { by }),
    ...(words === undefined ? {} : { note: words }),
    ...(isShared ? { from: request.ip } : {}),
  });
}

export function logDroppedRequest(parts: LogParts, request: FastifyRequest, reply: FastifyReply): void {
  dropped.add(request);
  logRequest(parts, request, reply, null);
}

export function logRequests(app: FastifyInstance, parts: LogParts): void {
  app.addHook('onResponse', async (request, reply) => {
    const isNoted =
      !isSandboxUrl(request.originalUrl) || (parts.isShared && loggedRefusals.includes(reply.statusCode));
    if (!isNoted || dropped.has(request)) return;
    logRequest(parts, request, reply, reply.statusCode);
  });
}

/** Returns a function that opens streaming responses. They end when the sandbox stops. */
export function streamOpener(
  app: FastifyInstance,
): (reply: FastifyReply, onClose: () => void) => PassThrough {
  const streams = new Set<PassThrough>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });
  return (reply, onClose) => {
    const stream = new PassThrough();
    streams.add(stream);
    stream.on('close', () => {
      onClose();
      streams.delete(stream);
    });
    reply.raw.on('close', () => stream.destroy());
    return stream;
  };
}

const formatLine = (entry: RequestLogEntry): string => `${JSON.stringify(entry)}\n`;

/** Adds `GET /sandbox/log/follow?since=SEQUENCE`, an endless stream of entries as JSON lines. */
export function addLogStream(
  app: FastifyInstance,
  log: RequestLog,
  refuse: (request: FastifyRequest) => void,
): void {
  const open = streamOpener(app);
  app.get<{ Querystring: { readonly since?: string } }>('/sandbox/log/follow', (request, reply) => {
    refuse(request);
    const stream = open(reply, () => unfollow());
    // Starts the response immediately, even without entries.
    stream.write('\n');
    for (const entry of log.since(Number(request.query.since ?? 0))) stream.write(formatLine(entry));
    const unfollow = log.follow((entry) => stream.write(formatLine(entry)));
    return reply
      .header('content-type', 'application/x-ndjson')
      .header('cache-control', 'no-store')
      .send(stream);
  });
}
