import type { JsonObject } from '../../base/json.ts';

/** Something that webhooks can be told of (Events). */
export interface Event {
  /** 10 hexadecimal digits, where whoever publishes it wants to know them; made where left out. */
  readonly id?: string;
  /** Hook that it fires: `channel_create`, `object`, `notifications`. */
  readonly hook: string;
  /** Account that it happened in. */
  readonly accountId: string;
  /** What is told of it, without what subscriptions add. */
  readonly payload: JsonObject;
  /** What subscriptions choose it by: of `object` type and action, of `notifications` the type. */
  readonly modifiers?: { readonly type?: string; readonly action?: string };
  /** A loop-back leg, which subscriptions may leave out. */
  readonly isInternalLeg?: boolean;
  /** When it happens, in Unix milliseconds of the sandbox's clock; now where left out. */
  readonly atMs?: number;
}
