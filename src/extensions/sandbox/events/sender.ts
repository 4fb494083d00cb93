import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Timers } from '../../../base/host/host.ts';
import type { JsonObject } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import type { HookRequest } from '../../../contract/hook-request.ts';
import { buildPut } from '../placement.ts';
import type { Services } from '../services.ts';
import type { DeliveryAttempt, QueuedDelivery } from '../store/queue.ts';
import { type StoreChange, StoreConflict } from '../store/store.ts';
import { notification } from './event.ts';
import { publish } from './queue-events.ts';
import type { Subscription, Targets } from './subscriptions.ts';

/** Maximum number of bytes of a reply that are read. The rest is discarded. */
const replyLimit = 65_536;

export type SendResult =
  | { readonly status: number; readonly headers: JsonObject; readonly body: string }
  | { readonly error: string; readonly isForbidden?: true };

export interface Sender {
  /** Never rejects. Returns errors as results. */
  send(request: HookRequest): Promise<SendResult>;
  close(): Promise<void>;
}

type AllAddresses = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/** Creates a lookup for connections. It fails unless every address of the name is allowed. */
export const guardedLookup =
  (targets: Targets, resolve: AllAddresses = lookup): LookupFunction =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const refusals = error ? [] : addresses.map(({ address }) => targets.addressRefusal(host, address));
      const refusal = refusals.find((each) => each !== undefined);
      const [first] = addresses ?? [];
      if (error) done(error, '');
      else if (refusal !== undefined) done(new ForbiddenAddress(refusal), '');
      else if (options.all) done(null, [...addresses]);
      else done(null, first?.address ?? '', first?.family);
    });
  };

/** Names of connection errors, as compatible services report them (Conventions, attempt record). */
const errorNames = new Map([
  ['ENOTFOUND', 'nxdomain'],
  ['EAI_AGAIN', 'nxdomain'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['UND_ERR_SOCKET', 'econnreset'],
  ['UND_ERR_HEADERS_OVERFLOW', 'bad_reply'],
  ['HTTPParserError', 'bad_reply'],
]);

function describeError(error: unknown): SendResult {
  if (error instanceof ForbiddenAddress) return { error: error.message, isForbidden: true };
  if (!(error instanceof Error)) return { error: String(error) };
  // HTTP parse errors have a name, but not always a code.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const word = errorNames.get(error.name) ?? errorNames.get(code ?? '');
  return { error: word ?? code?.toLowerCase() ?? error.message };
}

const textHeaders = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));

/** Sends one request and reads its reply up to the limit. Does not follow redirects. */
function sendRequest(
  agent: Dispatcher,
  request: HookRequest,
  timeoutMs: number,
  timers: Timers,
): Promise<SendResult> {
  const { method, headers, body = null } = request;
  const url = new URL(request.url);
  return new Promise((resolve) => {
    let controller: { abort(reason: Error): void } | undefined;
    let isLate = false;
    let status = 0;
    let replyHeaders: JsonObject = {};
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (sent: SendResult): void => {
      callOff();
      resolve(sent);
    };
    const reply = (): SendResult => ({
      status,
      headers: replyHeaders,
      body: Buffer.concat(chunks).toString('utf8', 0, replyLimit),
    });
    // The time limit covers the whole exchange, so a reply that arrives byte by byte also times out.
    const callOff = timers.later(timeoutMs, () => {
      isLate = true;
      controller?.abort(new Error('timeout'));
      finish({ error: 'timeout' });
    });
    agent.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers, body },
      {
        onRequestStart(started) {
          controller = started;
          if (isLate) started.abort(new Error('timeout'));
        },
        onResponseStart(_, code, received) {
          status = code;
          replyHeaders = textHeaders(received);
        },
        onResponseData(started, chunk) {
          chunks.push(chunk);
          size += chunk.length;
          if (size < replyLimit) return;
          finish(reply());
          started.abort(new Error('the reply is too long'));
        },
        onResponseEnd: () => finish(reply()),
        onResponseError: (_, error) => finish(describeError(error)),
      },
    );
  });
}

/** Creates a sender that reuses connections to the same host. */
export function createSender(options: {
  readonly targets: Targets;
  readonly timeoutMs: number;
  readonly timers: Timers;
}): Sender {
  const { targets, timeoutMs, timers } = options;
  const open = async (): Promise<Dispatcher> => {
    const { default: Agent } = await import('undici/lib/dispatcher/agent.js');
    return new Agent({
      connect: { timeout: timeoutMs, lookup: guardedLookup(targets) },
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  };
  let agent: Promise<Dispatcher> | undefined;
  return {
    async send(request) {
      const refusal = targets.refusal(request.url);
      if (refusal !== undefined) return { error: refusal, isForbidden: true };
      agent ??= open();
      return sendRequest(await agent, request, timeoutMs, timers);
    },
    async close() {
      await (await agent)?.destroy();
    },
  };
}

/** Maximum length of a stored reply, in characters. */
const storedReplyLimit = 4096;

/** Returns true for any 2xx status (Events, delivery rule 4). */
export const isSuccess = (sent: SendResult): boolean =>
  'status' in sent && sent.status >= 200 && sent.status < 300;

/** Returns the record of an attempt (Conventions, attempt record). */
export function attemptOf(
  delivery: QueuedDelivery,
  subscription: Subscription,
  {
    request,
    sent,
    atMs,
  }: { readonly request: HookRequest; readonly sent: SendResult; readonly atMs: number },
): DeliveryAttempt {
  const { retries, customData, target } = subscription;
  const succeeded = isSuccess(sent);
  const left = 'isForbidden' in sent ? 0 : Math.max(retries - delivery.tries, 0);
  const timestamp = Math.floor(atMs / 1000) + gregorianOffset;
  const reason =
    'status' in sent
      ? { reason: 'bad response code' }
      : sent.isForbidden
        ? { reason: 'forbidden address', client_error: sent.error }
        : { reason: 'http client error', client_error: sent.error };
  return {
    webhookId: target.hookId,
    accountId: target.accountId,
    timestamp,
    body: {
      hook_id: target.hookId,
      hook_event: delivery.hook,
      event_id: delivery.eventId,
      result: succeeded ? 'success' : 'failure',
      timestamp,
      uri: request.url,
      method: request.method.toLowerCase(),
      req_headers: { ...request.headers },
      ...(request.body === undefined ? {} : { req_body: request.body }),
      ...('status' in sent
        ? {
            resp_status_code: sent.status,
            resp_headers: sent.headers,
            resp_body: sent.body.slice(0, storedReplyLimit),
          }
        : {}),
      ...(succeeded ? {} : { ...reason, retries_left: left > 0 ? left : 'retries exceeded' }),
      retries,
      try: delivery.tries + 1,
      ...(Object.keys(customData).length > 0 ? { custom_data: customData } : {}),
    },
  };
}

/** Number of failures within the window that disables a webhook (Conventions, auto-disable). */
const failureLimit = 6;
const windowMs = 60_000;

const disableReason = 'too many failed attempts';

/** Counts the failed attempts of each webhook until it is enabled again. */
export class FailureCounts {
  readonly #failures = new Map<string, readonly number[]>();

  isTooMany(webhookId: string, atMs: number): boolean {
    const recent = (this.#failures.get(webhookId) ?? []).filter((each) => each > atMs - windowMs);
    const failures = [...recent, atMs];
    this.#failures.set(webhookId, failures);
    return failures.length >= failureLimit;
  }

  /** Resets the counts of webhooks that were written or deleted. */
  follow(changes: readonly StoreChange[]): void {
    for (const change of changes) {
      if ('record' in change && change.record.kind === 'webhooks') this.#failures.delete(change.record.id);
    }
  }
}

/**
 * Disables a webhook that is still enabled, and publishes the change (States and transitions; Conventions,
 * auto-disable).
 */
export async function disable(
  services: Services,
  { accountId, webhookId }: { readonly accountId: string; readonly webhookId: string },
): Promise<void> {
  const record = await services.store.get({ kind: 'webhooks', scope: accountId, id: webhookId });
  if (!record || record.body.enabled === false) return;
  const body = { ...record.body, enabled: false, disable_reason: disableReason };
  const event = notification(services, 'webhook_disabled', { accountId, keys: { hook_id: webhookId } });
  try {
    await publish(services, [event], [buildPut({ ...record, body }, 'webhooks')]);
  } catch (error) {
    // Another request just changed the webhook. Its new settings are tried first.
    if (!(error instanceof StoreConflict)) throw error;
  }
}
