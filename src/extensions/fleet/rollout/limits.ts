import {
  addDecimals,
  compareDecimals,
  formatDecimal,
  parseDecimal,
  zeroDecimal,
} from '../../../base/decimal.ts';
import { Failure } from '../../../base/failure.ts';
import { formatCount } from '../../../base/wording.ts';
import { isTimeZone, localTime } from '../../../base/zoned-time.ts';
import type { Consent, Context } from '../../../cli/command/context.ts';
import type { Rollout, RolloutStart, RolloutWindow } from '../../../engine/state/rollouts.ts';

export const defaultWaves = '1,5%,25%,100%';

export const defaultMaxFailures = '1%';

/**
 * Returns the number of accounts in each wave. A wave is a count or a percentage of all accounts, rounded up. `100%`
 * means all remaining accounts. Throws `Failure` (`usage`) for an invalid wave, or if accounts are left over.
 */
export function parseWaves(text: string, accounts: number): readonly number[] {
  let left = accounts;
  const waves = text.split(',').map((word) => {
    const { count, percent } = parseShare(word.trim(), '--waves');
    const wanted =
      percent === undefined ? count : percent === 100 ? left : Math.ceil((accounts * percent) / 100);
    if (wanted < 1 && left > 0)
      throw new Failure(
        'usage',
        `--waves must be waves of at least one account, not ${JSON.stringify(word.trim())}.`,
      );
    const wave = Math.min(left, wanted);
    left -= wave;
    return wave;
  });
  if (left > 0)
    throw new Failure('usage', `--waves ${text} leaves ${formatCount(left, 'account')} of ${accounts} out.`, {
      hint: `End with 100%, which is the rest: --waves ${text},100%`,
    });
  return waves.filter((wave) => wave > 0);
}

/** Reads `--max-failures`. Throws `Failure` (`usage`) unless it is a count or a percentage. */
export function parseMaxFailures(text: string): RolloutStart['maxFailures'] {
  const { count, percent } = parseShare(text.trim(), '--max-failures');
  return percent === undefined ? { count } : { percent };
}

/** Returns the number of failures that a wave allows. A canary allows none. */
export function failuresAllowed(
  { maxFailures, waves, canary }: Pick<RolloutStart, 'maxFailures' | 'waves' | 'canary'>,
  wave: number,
): number {
  if (canary !== undefined && wave === 1) return 0;
  const accounts = waves[wave - 1] ?? 0;
  return 'count' in maxFailures ? maxFailures.count : Math.floor((accounts * maxFailures.percent) / 100);
}

function parseShare(
  word: string,
  option: string,
): { readonly count: number; readonly percent: number | undefined } {
  const [, digits, sign] = /^(\d{1,9})(%?)$/.exec(word) ?? [];
  const number = Number(digits);
  if (digits === undefined || (sign === '%' && number > 100))
    throw new Failure('usage', `${option} must be counts or percentages, not ${JSON.stringify(word)}.`, {
      hint: `For example ${option} ${option === '--waves' ? defaultWaves : '2%'}.`,
    });
  return sign === '%' ? { count: 0, percent: number } : { count: number, percent: undefined };
}

const dayMinutes = 1440;

/** Reads `--window` and `--window-zone`. Throws `Failure` (`usage`) if they are invalid. */
export function parseWindow(text: string, zone = 'UTC'): RolloutWindow {
  const [, ...digits] = /^([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = digits.map(Number);
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  if (digits.length === 0 || from === to)
    throw new Failure('usage', `--window must be two times of day, not ${JSON.stringify(text)}.`, {
      hint: 'For example: --window 22:00-05:00, which includes midnight.',
    });
  if (!isTimeZone(zone))
    throw new Failure('usage', `--window-zone must be a time zone, not ${JSON.stringify(zone)}.`, {
      hint: 'For example: --window-zone Europe/Zurich',
    });
  return { from, to, zone };
}

/** Formats a window such as `22:00-05:00 Europe/Zurich`. */
export const windowText = ({ from, to, zone }: RolloutWindow): string =>
  `${[from, to].map((at) => [at / 60, at % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')).join('-')} ${zone}`;

/** Returns the milliseconds until accounts can start, after the pause of the wave and within the window. */
export function waitMs({ heldUntilMs = 0, window }: Rollout, nowMs: number): number {
  const pauseMs = Math.max(0, heldUntilMs - nowMs);
  if (window === undefined) return pauseMs;
  const { from, to, zone } = window;
  const at = localTime(zone, Math.floor((nowMs + pauseMs) / 1000)).second / 60;
  const since = (at - from + dayMinutes) % dayMinutes;
  const isOpen = since < (to - from + dayMinutes) % dayMinutes;
  return isOpen ? pauseMs : pauseMs + Math.ceil((dayMinutes - since) * 60_000);
}

/** Counts deletions of a rollout before they are sent. Throws `Failure` (`refused`) above the limit. */
export async function countDeletes(
  context: Context,
  { id, maxDeletesTotal }: Rollout,
  more: number,
): Promise<void> {
  const { rollouts } = await context.state();
  const added = await rollouts.change(id, ({ deletes }) =>
    deletes + more > maxDeletesTotal ? undefined : { deletes: deletes + more },
  );
  if (added !== undefined) return;
  throw new Failure(
    'refused',
    `The rollout would delete more than ${formatCount(maxDeletesTotal, 'object')} in all accounts. No requests were sent to this account.`,
    { hint: 'To allow this, start a rollout with a higher --max-deletes-total.' },
  );
}

/** Creates a context with one limit of charges for the whole rollout instead of one per account. */
export function withChargeLimit(context: Context, own: Context, { id, charges }: Rollout): Context {
  const budget = typeof charges === 'string' ? undefined : parseDecimal(charges.upTo);
  const consent: Consent =
    charges === 'none'
      ? { kind: 'ask' }
      : {
          kind: 'decide',
          async decide({ estimate }) {
            const amount = estimate === undefined ? undefined : parseDecimal(estimate);
            if (amount === undefined) return budget === undefined;
            const { rollouts } = await context.state();
            const taken = await rollouts.change(id, ({ charged }) => {
              const sum = addDecimals(parseDecimal(charged) ?? zeroDecimal, amount);
              return budget !== undefined && compareDecimals(sum, budget) > 0
                ? undefined
                : { charged: formatDecimal(sum) };
            });
            return taken !== undefined;
          },
        };
  return { ...own, bulkApi: (name) => own.bulkApi(name, { recorded: false, consent }) };
}
