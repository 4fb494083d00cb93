import type { JsonObject } from '../../src/base/json.ts';
import { gregorianOffset } from '../../src/base/moment.ts';
import type { World } from './world.ts';

/** Returns the Gregorian seconds of a time some minutes ago in the world. */
export const minutesAgo = ({ clock }: World, minutes: number): number =>
  Math.floor(clock.now() / 1000) + gregorianOffset - minutes * 60;

/** Adds a failed attempt to the service log. `more` overrides fields. */
export async function logAttempt(world: World, webhookId: string, more: JsonObject = {}): Promise<void> {
  const timestamp = typeof more.timestamp === 'number' ? more.timestamp : minutesAgo(world, 1);
  const body = {
    hook_id: webhookId,
    hook_event: 'channel_create',
    event_id: '0123456789',
    result: 'failure',
    timestamp,
    uri: 'http://127.0.0.1:9100/hook',
    resp_status_code: 500,
    reason: 'bad response code',
    retries_left: 1,
    try: 1,
    ...more,
  };
  const attempt = { webhookId, accountId: world.seed.accountId, timestamp, body };
  await world.sandbox.store.commit([{ change: 'attempt', attempt }]);
}
