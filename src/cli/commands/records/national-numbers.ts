import {
  dependsOnCountry,
  dialledDigits,
  isUnreadNational,
  keptNumber,
  meantNumber,
  normalisedNumber,
  unreadBecause,
} from '../../../contract/phone-number.ts';
import type { Context, Notices } from '../../command/context.ts';

const warned = new WeakMap<Pick<Notices, 'warn'>, Set<string>>();

/** Warns that a national number is kept as typed, once in a run for each number. `place` is its row or field. */
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
  notices.warn(`${place === undefined ? '' : `${place}: `}${unreadBecause(text, country)}.`);
}

/**
 * Reads a number that was typed as an argument or option, in the form in which services keep it. National numbers are
 * read by the country of the account; those that cannot be read draw a warning.
 */
export async function numberTyped(
  { api, notices }: Pick<Context, 'api' | 'notices'>,
  typed: string,
): Promise<string> {
  if (!dependsOnCountry(typed)) return normalisedNumber(typed);
  const country = await (await api()).country();
  if (isUnreadNational(typed, country)) warnUnread(notices, typed, country);
  return keptNumber(meantNumber(typed, country));
}
