import { hash } from 'node:crypto';
import type { LedgerEntry } from './ledger.ts';

/** Number of hexadecimal characters of a hash that are kept. */
const kept = 20;

/** Salted hash of a text: SHA-256, cut. For values of files and environments as well as for fields. */
export const saltedHash = (salt: string, text: string): string =>
  hash('sha256', `${salt}\0${text}`, 'hex').slice(0, kept);

/**
 * Stands before the hash of a secret that the service shows, such as a PIN: short ones can be guessed from it, so a
 * ledger that leaves this machine does not have it.
 */
export const guessable = 's:';

export const bareHash = (hashOrMarked: string): string =>
  hashOrMarked.startsWith(guessable) ? hashOrMarked.slice(guessable.length) : hashOrMarked;

/** An entry as a ledger that leaves this machine has it: empty text for secrets that could be guessed. */
export function withoutGuessable(entry: LedgerEntry): LedgerEntry {
  const isMarked = (each: string): boolean => each.startsWith(guessable);
  if (![...Object.values(entry.fields), ...Object.values(entry.given)].some(isMarked)) return entry;
  const without = (hashes: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(hashes).map(([path, each]) => [path, isMarked(each) ? '' : each]));
  const { whole: _, fields, given, ...rest } = entry;
  return { ...rest, fields: without(fields), given: without(given) };
}
