import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Ledger, LedgerEntry } from '../ledger.ts';
import type { Account } from '../state.ts';

/** Facts about a ledger's text before it is read. */
export interface LedgerText extends Account {
  /** The file as people know it. */
  readonly shown: string;
  /** True for a kind of objects that this telctl knows. */
  knows(kind: string): boolean;
}

/**
 * The ledger in a file's text, checked. Throws `Failure`: `invalid` where it is none, `conflict` where it is that of
 * another account or service.
 */
export function parseLedger(text: string, { shown, origin, accountId, knows }: LedgerText): Ledger {
  const found = headOf(text, shown);
  if (found.origin !== origin || found.accountId !== accountId)
    throw new Failure(
      'conflict',
      `The ledger ${shown} is that of account ${String(found.accountId)} at ${String(found.origin)}, not of ${accountId} at ${origin}. Nothing was done.`,
      {
        hint: 'Name another file with --ledger; a folder (with a slash at its end) holds one for each account.',
      },
    );
  const { salt, entries, unfiltered, sources } = found;
  if (typeof salt !== 'string' || !/^[0-9a-f]{8,}$/.test(salt) || !Array.isArray(entries))
    throw noLedger(shown, 'it has no salt, or no entries');
  return {
    version: 1,
    origin,
    accountId,
    salt,
    ...(Array.isArray(unfiltered) ? { unfiltered: unfiltered.filter(isText).filter(knows) } : {}),
    ...(isObject(sources) ? { sources: sourcesIn(sources) } : {}),
    entries: entries.map((value, index) => {
      const entry = readEntry(value);
      if (entry === undefined || !knows(entry.kind)) throw noLedger(shown, `entry ${index + 1} is damaged`);
      return entry;
    }),
  };
}

const sourcesIn = (sources: JsonObject): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(sources).map(([set, paths]) => [set, Array.isArray(paths) ? paths.filter(isText) : []]),
  );

function headOf(text: string, shown: string): JsonObject {
  const value = parsed(text, shown);
  if (!isObject(value) || typeof value.origin !== 'string' || typeof value.accountId !== 'string')
    throw noLedger(shown, 'it names no account and no service');
  if (value.version !== 1)
    throw noLedger(
      shown,
      `its version is ${JSON.stringify(value.version ?? null)}, and this telctl reads version 1`,
    );
  return value;
}

function parsed(text: string, shown: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw noLedger(shown, 'it is not JSON', error);
  }
}

const noLedger = (shown: string, why: string, cause?: unknown): Failure =>
  new Failure('invalid', `${shown} is not a ledger of telctl: ${why}. It was left as it is.`, {
    hint: 'Name another file with --ledger, or move this one away; without it nothing is pruned before telctl adopt.',
    cause,
  });

const origins = new Map<Json | undefined, LedgerEntry['origin']>([
  ['created', 'created'],
  ['adopted', 'adopted'],
  ['found', 'found'],
]);

/** An entry as a file holds it, checked; `undefined` where it is none. */
export function readEntry(value: Json): LedgerEntry | undefined {
  if (!isObject(value)) return undefined;
  const {
    set,
    key,
    kind,
    id,
    natural,
    origin: word,
    protect,
    confidential,
    fields,
    whole,
    given,
    seen,
    appliedMs,
  } = value;
  const origin = origins.get(word);
  if (
    typeof set !== 'string' ||
    typeof key !== 'string' ||
    typeof id !== 'string' ||
    typeof kind !== 'string' ||
    origin === undefined ||
    typeof protect !== 'boolean' ||
    typeof seen !== 'number' ||
    typeof appliedMs !== 'number' ||
    !isTexts(natural) ||
    !isTexts(fields) ||
    !isTexts(given)
  )
    return undefined;
  return {
    set,
    key,
    kind,
    id,
    natural,
    origin,
    protect,
    ...(Array.isArray(confidential) ? { confidential: confidential.filter(isText) } : {}),
    fields,
    ...(typeof whole === 'string' ? { whole } : {}),
    given,
    seen,
    appliedMs,
  };
}

const isText = (value: Json): value is string => typeof value === 'string';

const isTexts = (value: Json | undefined): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string');
