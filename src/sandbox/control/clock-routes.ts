import type { JsonObject } from '../../base/json.ts';
import type { ControlRoute } from '../control-route.ts';
import { Refusal } from '../refusal.ts';
import type { SandboxClock } from './turned-clock.ts';

/** What the clock says: `now`, and how far it is ahead of the machine's, `offset_ms`. */
export const clockState = (clock: Pick<SandboxClock, 'now' | 'offsetMs'>): JsonObject => ({
  now: new Date(clock.now()).toISOString(),
  offset_ms: clock.offsetMs,
});

/** Further than this, dates cannot be written. */
const latestMs = Date.UTC(9999, 0, 1);

const refuse = (message: string): Refusal => new Refusal(400, 'invalid_request', message);

async function turn(
  clock: SandboxClock,
  { advance_ms: ms, set, dry_run: dry }: JsonObject,
): Promise<JsonObject> {
  const target = typeof ms === 'number' ? clock.now() + ms : typeof set === 'string' ? Date.parse(set) : NaN;
  if (!Number.isFinite(target)) throw refuse('Give advance_ms (a number) or set (a moment in ISO 8601).');
  if (target > latestMs) throw refuse('The clock goes no further than the year 9998.');
  const isForward = typeof ms === 'number' && ms >= 0;
  const aheadMs = isForward ? Math.round(ms) : Math.round(target) - clock.now();
  if (aheadMs < 0) {
    const now = new Date(clock.now()).toISOString().slice(0, 19);
    throw new Refusal(409, 'clock_goes_forward', `The clock goes forward only, and it is ${now}Z already.`, {
      hint: 'Back in time go: telctl sandbox snapshot load, telctl sandbox reset',
    });
  }
  if (dry === true)
    return clockState({ now: () => clock.now() + aheadMs, offsetMs: clock.offsetMs + aheadMs });
  if (isForward) await clock.advance(aheadMs);
  else await clock.set(Math.round(target));
  return clockState(clock);
}

/** `GET /sandbox/clock`, and `POST` with `advance_ms` or `set`. */
export const clockRoutes = (clock: SandboxClock): readonly ControlRoute[] => [
  { method: 'GET', path: '/sandbox/clock', answer: async () => clockState(clock) },
  { method: 'POST', path: '/sandbox/clock', answer: ({ body }) => turn(clock, body) },
];
