import { Failure } from '../../../base/failure.ts';
import { isTimeZone, localTime } from '../../../base/zoned-time.ts';
import type { Rollout, RolloutWindow } from '../../../engine/state/rollouts.ts';

const dayMinutes = 1440;

/** The time of day that `--window` names. Throws `Failure` of kind `usage` for what is none, and for no time zone. */
export function windowOf(text: string, zone = 'UTC'): RolloutWindow {
  const [, ...digits] = /^([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = digits.map(Number);
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  if (digits.length === 0 || from === to)
    throw new Failure('usage', `--window takes two times of a day, not ${JSON.stringify(text)}.`, {
      hint: 'For example --window 22:00-05:00, which goes over midnight.',
    });
  if (!isTimeZone(zone))
    throw new Failure('usage', `--window-zone takes a time zone, not ${JSON.stringify(zone)}.`, {
      hint: 'For example --window-zone Europe/Zurich.',
    });
  return { from, to, zone };
}

/** `22:00-05:00 Europe/Zurich` */
export const windowText = ({ from, to, zone }: RolloutWindow): string =>
  `${[from, to].map((at) => [at / 60, at % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')).join('-')} ${zone}`;

/** Time until accounts of a rollout may be begun, in milliseconds: after the pause of its wave, in its window. */
export function heldMs({ heldUntilMs = 0, window }: Rollout, nowMs: number): number {
  const pauseMs = Math.max(0, heldUntilMs - nowMs);
  if (window === undefined) return pauseMs;
  const { from, to, zone } = window;
  const at = localTime(zone, Math.floor((nowMs + pauseMs) / 1000)).second / 60;
  const since = (at - from + dayMinutes) % dayMinutes;
  const isOpen = since < (to - from + dayMinutes) % dayMinutes;
  return isOpen ? pauseMs : pauseMs + Math.ceil((dayMinutes - since) * 60_000);
}
