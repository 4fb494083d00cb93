import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  ownValue,
  parseJson,
  textOrUndefined,
} from '../../../base/json.ts';
import { entryName, type Ledger, type LedgerEntry } from '../ledger.ts';
import type { Account } from '../state.ts';

export interface LedgerText extends Account {
  readonly shown: string;
  /** Returns true if this telctl version has the kind of objects. */
  knows(kind: string): boolean;
}

/** Throws `Failure`: `invalid` if the text is not a ledger, `conflict` if it belongs to another account or service. */
export function parseLedger(text: string, { shown, origin, accountId, knows }: LedgerText): Ledger {
  const found = readHead(text, shown);
  if (found.origin !== origin || found.accountId !== accountId)
    throw new Failure(
      'conflict',
      `The ledger ${shown} belongs to account ${String(found.accountId)} at ${String(found.origin)}, not to ${accountId} at ${origin}. Nothing was changed.`,
      {
        hint: 'Pass another file to --ledger, or a folder (with a slash at its end) for one file per account.',
      },
    );
  const { salt, entries, unfiltered, sources } = found;
  if (typeof salt !== 'string' || !/^[0-9a-f]{8,}$/.test(salt) || !Array.isArray(entries))
    throw invalidLedgerFailure(shown, 'it has no salt or no entries');
  return {
    version: 1,
    origin,
    accountId,
    salt,
    ...(Array.isArray(unfiltered) ? { unfiltered: unfiltered.filter(isText).filter(knows) } : {}),
    ...(isObject(sources) ? { sources: readSources(sources) } : {}),
    entries: entries.map((value, index) => {
      const entry = readEntry(value);
      if (entry === undefined || !knows(entry.kind))
        throw invalidLedgerFailure(shown, `entry ${index + 1} is damaged`);
      return entry;
    }),
  };
}

/** Accepts any account. Throws `Failure` like `parseLedger`. */
export function parseAnyLedger(text: string, shown: string): Ledger {
  const { origin, accountId } = readHead(text, shown);
  return parseLedger(text, {
    shown,
    origin: String(origin),
    accountId: String(accountId),
    knows: () => true,
  });
}

const readSources = (sources: JsonObject): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(sources).map(([set, paths]) => [set, Array.isArray(paths) ? paths.filter(isText) : []]),
  );

function readHead(text: string, shown: string): JsonObject {
  const value = parseLines(text, shown) ?? parseJsonOrFail(text, shown);
  if (!isObject(value) || typeof value.origin !== 'string' || typeof value.accountId !== 'string')
    throw invalidLedgerFailure(shown, 'it has no account or no service');
  if (value.version !== 1)
    throw invalidLedgerFailure(
      shown,
      `its version is ${JSON.stringify(value.version ?? null)}, and this telctl reads versions 1 and ${linesVersion}`,
    );
  return value;
}

/** git can merge this version by lines, because the head and each entry have their own line. */
const linesVersion = 2;

const isMark = (line: string): boolean => /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/.test(line);

/** Returns the object of the other format, or `undefined` if the ledger is not in lines. */
function parseLines(text: string, shown: string): JsonObject | undefined {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const mark = lines.findIndex(isMark);
  if (mark >= 0) throw unmergedFailure(shown, mark + 1);
  const [first = '', ...rest] = lines;
  // The other format has several lines for its head.
  const head = parseJson(first);
  if (!isObject(head) || head.version !== linesVersion) return undefined;
  const entries: Json[] = [];
  const unfiltered: Json[] = [];
  const sources: Record<string, Json[]> = {};
  const places = new Map<string, number>();
  for (const [index, line] of rest.entries()) {
    if (line === '') continue;
    const value: Json = parseJsonOrFail(line, shown, `line ${index + 2} is damaged`);
    if (isObject(value) && typeof value.unfiltered === 'string') unfiltered.push(value.unfiltered);
    else if (isObject(value) && typeof value.source === 'string')
      sources[String(value.set)] = [...(sources[String(value.set)] ?? []), value.source];
    else {
      const entry = readEntry(value);
      if (!entry) throw invalidLedgerFailure(shown, `line ${index + 2} is damaged`);
      const name = entryName(entry);
      const other = places.get(name);
      if (other !== undefined) {
        const twice = `${entry.key} of ${JSON.stringify(entry.set)} is duplicate`;
        throw invalidLedgerFailure(shown, `${twice} (lines ${other} and ${index + 2})`);
      }
      places.set(name, index + 2);
      entries.push(value);
    }
  }
  return {
    ...head,
    version: 1,
    ...(unfiltered.length === 0 ? {} : { unfiltered }),
    ...(Object.keys(sources).length === 0 ? {} : { sources }),
    entries,
  };
}

/**
 * Writes sorted lines of JSON for the head and each entry, so that additions of two branches do not touch the same
 * line.
 */
export function ledgerInLines({ entries, unfiltered = [], sources = {}, ...head }: Ledger): string {
  const lines: readonly unknown[] = [
    { ...head, version: linesVersion },
    ...unfiltered.map((kind) => ({ unfiltered: kind })),
    ...Object.entries(sources).flatMap(([set, paths]) => paths.map((source) => ({ set, source }))),
    ...entries,
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const unmergedFailure = (shown: string, line: number): Failure =>
  new Failure(
    'invalid',
    `The ledger ${shown} has unresolved conflict markers (line ${line}). It was not changed.`,
    {
      hint: `Keep one of the two lines between the markers, remove the markers and the other line, and git add the file. The merge driver telctl state merge leaves fewer of them.`,
    },
  );

function parseJsonOrFail(text: string, shown: string, why = 'it is not JSON'): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidLedgerFailure(shown, why, error);
  }
}

const invalidLedgerFailure = (shown: string, why: string, cause?: unknown): Failure =>
  new Failure('invalid', `${shown} is not a ledger of telctl: ${why}. It was not changed.`, {
    hint: createHint`Pass another file to --ledger, or move this one away. Without it, --prune deletes nothing before ${nextStep`adopt`}.`,
    cause,
  });

const origins = ['created', 'adopted', 'found'] as const;

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
    file,
    given,
    seen,
    appliedMs,
  } = value;
  const origin = origins.find((each) => each === word);
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
  const hash = textOrUndefined(ownValue(file, 'hash'));
  const bytes = ownValue(file, 'bytes');
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
    ...(hash === undefined ? {} : { file: { hash, ...(typeof bytes === 'number' ? { bytes } : {}) } }),
    given,
    seen,
    appliedMs,
  };
}

const isText = (value: Json): value is string => typeof value === 'string';

const isTexts = (value: Json | undefined): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string');
