import { gregorianOffset } from '../../base/gregorian.ts';
import type { HookRequest } from '../../contract/hook-request.ts';
import type { Attempt, QueuedDelivery } from '../store/delivery.ts';
import type { Sent } from './sender.ts';
import type { Subscription } from './subscriptions.ts';

/** How much of a reply is noted, in characters. */
const notedReply = 4096;

/** Any 2xx is a success (Events, delivery rule 4). */
export const isSuccess = (sent: Sent): boolean => 'status' in sent && sent.status >= 200 && sent.status < 300;

/** What is noted of one try (Conventions, attempt record). */
export function attemptOf(
  delivery: QueuedDelivery,
  subscription: Subscription,
  { request, sent, atMs }: { readonly request: HookRequest; readonly sent: Sent; readonly atMs: number },
): Attempt {
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
            resp_body: sent.body.slice(0, notedReply),
          }
        : {}),
      ...(succeeded ? {} : { ...reason, retries_left: left > 0 ? left : 'retries exceeded' }),
      retries,
      try: delivery.tries + 1,
      ...(Object.keys(customData).length > 0 ? { custom_data: customData } : {}),
    },
  };
}
