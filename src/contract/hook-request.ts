import type { JsonObject } from '../base/json.ts';
import { toForm } from './hook-form.ts';

/** The methods and formats of a delivery (Resources and their fields, Webhook subscription). */
export const hookVerbs = ['get', 'post', 'put'] as const;
export const hookFormats = ['form-data', 'json'] as const;

/** The fields of a subscription that describe its deliveries. */
export interface HookTarget {
  readonly uri: string;
  readonly verb: (typeof hookVerbs)[number];
  readonly format: (typeof hookFormats)[number];
  readonly customData?: JsonObject | undefined;
  readonly hookId: string;
  /** Account of the subscription. */
  readonly accountId: string;
}

/** A delivery, ready to be sent. */
export interface HookRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Names by which `custom_data` chooses events, and which it does not overwrite in them. */
const modifiers = new Set(['type', 'action']);

/** The payload with the subscription's own properties over it (Events, delivery rule 2; Conventions, payloads). */
const mergedPayload = (payload: JsonObject, customData: JsonObject = {}): JsonObject => ({
  ...payload,
  ...Object.fromEntries(
    Object.entries(customData).filter(([key]) => !modifiers.has(key) || !Object.hasOwn(payload, key)),
  ),
});

const methods = { get: 'GET', post: 'POST', put: 'PUT' } as const;

/**
 * The request that delivers an event (Events, delivery rules 1 and 2; Conventions, request sent to the receiver). With
 * GET the payload stands in the query and the format does not matter.
 */
export function hookRequest(target: HookTarget, event: JsonObject): HookRequest {
  const { uri, verb, format, customData, hookId, accountId } = target;
  const payload = mergedPayload(event, customData);
  const method = methods[verb];
  const headers = { 'x-hook-id': hookId, 'x-account-id': accountId };
  if (method === 'GET') {
    const url = new URL(uri);
    url.search = [url.search.slice(1), toForm(payload)].filter((part) => part !== '').join('&');
    return { method, url: url.href, headers };
  }
  const isJson = format === 'json';
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  return {
    method,
    url: uri,
    headers: { ...headers, 'content-type': type },
    body: isJson ? JSON.stringify(payload, null, 2) : toForm(payload),
  };
}
