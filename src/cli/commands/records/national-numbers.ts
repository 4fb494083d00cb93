import {
  dependsOnCountry,
  dialledDigits,
  explainUnread,
  isUnreadNational,
  normalisedNumber,
  normaliseTyped,
  toStoredNumber,
} from '../../../contract/phone-number.ts';
import type { Context, Notices } from '../../command/context.ts';

const warned = new WeakMap<Pick<Notices, 'warn'>, Set<string>>();

/** Warns once in a run for each national number that is stored as typed. `place`: its row or field. */
export function warnUnread(
  notices: Pick<Notices, 'warn'>,
  text: string,
  country: string | undefined,
  place?: string,
): void {
  const seen = warned.get(notices) ?? new Set();
  warned.set(notices, seen);
  const digits = dialledDigits(text);
  if (seen.has(digits)) return;
  seen.add(digits);
  notices.warn(`${place === undefined ? '' : `${place}: `}${explainUnread(text, country)}.`);
}

/** Converts a typed number to its stored form by the account's country. Warns about unreadable numbers. */
export async function readTypedNumber(
  { api, notices }: Pick<Context, 'api' | 'notices'>,
  typed: string,
): Promise<string> {
  if (!dependsOnCountry(typed)) return normalisedNumber(typed);
  const country = await (await api()).country();
  if (isUnreadNational(typed, country)) warnUnread(notices, typed, country);
  return toStoredNumber(normaliseTyped(typed, country));
}
