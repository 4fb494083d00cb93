import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Context } from '../../../command/context.ts';
import { withoutSecret } from '../shared-secret.ts';
import type { Delivery } from './receiver.ts';

/** An event that was received, as it is shown and kept: never with the shared secret. */
export interface ReceivedEvent {
  readonly [key: string]: Json | undefined;
  /** Short name of its own, for `replay`. */
  readonly id: string;
  /** ISO time, UTC. */
  readonly received_at: string;
  readonly hook: string;
  readonly account_id: string;
  readonly webhook_id: string;
  readonly verb: 'get' | 'post' | 'put';
  readonly format: 'form-data' | 'json';
  /** Address that a listener sent it on to. */
  readonly forward?: string;
  readonly payload: JsonObject;
}

const verbs = { GET: 'get', POST: 'post', PUT: 'put' } as const;

const textAt = (payload: JsonObject, key: string): string => {
  const value = Object.hasOwn(payload, key) ? payload[key] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Returns what came in, as an event. `subscribed` is the hook of the webhook that it is of. */
export function eventOf(
  { host }: Pick<Context, 'host'>,
  delivery: Delivery,
  subscribed: string | undefined,
  forward: string | undefined,
): ReceivedEvent {
  const { payload, method, format, webhookId, accountId } = delivery;
  return {
    id: Buffer.from(host.random.bytes(4)).toString('hex'),
    received_at: new Date(host.clock.now()).toISOString(),
    hook: textAt(payload, 'hook_event') || subscribed || 'unknown',
    account_id: textAt(payload, 'account_id') || accountId || '',
    webhook_id: webhookId ?? '',
    verb: verbs[method],
    format,
    ...(forward === undefined ? {} : { forward }),
    payload: withoutSecret(payload),
  };
}

/** Reads an event that was kept; `undefined` for a line that is none. */
export function readEvent(line: string): ReceivedEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // Lines are written whole by a listener; the last one of a killed one may be a part, which is no JSON.
    return isObject(value) && typeof value.id === 'string' && isObject(value.payload)
      ? (value as unknown as ReceivedEvent)
      : undefined;
  } catch {
    return undefined;
  }
}

/** An event in a few words: who called whom, what was changed. */
export function summaryOf({ hook, payload }: Pick<ReceivedEvent, 'hook' | 'payload'>): string {
  const at = (key: string): string => textAt(payload, key);
  const words = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('  ');
  const between = (from: string, to: string): string => (from === '' && to === '' ? '' : `${from} → ${to}`);
  if (hook.startsWith('channel_')) {
    const seconds = at('duration_seconds');
    return words(
      between(at('caller_id_number') || at('from'), at('callee_id_number') || at('to')),
      at('call_direction'),
      at('hangup_cause'),
      seconds === '' ? '' : `${seconds} s`,
    );
  }
  if (hook === 'object') return words(at('action'), at('type'), at('id'));
  if (hook === 'sms') return words(between(at('from'), at('to')), at('body'));
  const people = between(at('caller_id_number'), at('callee_id_number'));
  return words(at('event_name') || at('type'), people, at('voicemail_box'), at('fax_id'));
}
