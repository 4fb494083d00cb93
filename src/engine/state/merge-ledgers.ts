import { Failure } from '../../base/failure.ts';
import { ledgerInLines, parseAnyLedger } from './files/read-ledger.ts';
import {
  changedLedger,
  entryName,
  type Ledger,
  type LedgerEntry,
  objectName,
  withoutHashes,
} from './ledger.ts';

/** Two entries that contradict each other, or an entry and its removal. */
export interface LedgerConflict {
  readonly key: string;
  readonly set: string;
  readonly why: string;
  /** `undefined` if the entry was removed. */
  readonly ours: LedgerEntry | undefined;
  readonly theirs: LedgerEntry | undefined;
}

interface MergedLedger {
  readonly ledger: Ledger;
  readonly conflicts: readonly LedgerConflict[];
}

/** `why` explains a conflict. */
type Outcome = { readonly entry: LedgerEntry | undefined } | { readonly why: string };

/**
 * Merges two versions of a ledger by object and field. Conflicts are objects that both sides created, changed
 * differently, or gave different names or sets, and objects that one side removed and the other changed. `base` is
 * the common ancestor, if there is one.
 */
function mergeLedgers(base: Ledger | undefined, ours: Ledger, theirs: Ledger): MergedLedger {
  const [before, left, right] = [base, ours, withComparableHashes(ours, theirs)].map(
    (ledger) => new Map(ledger?.entries.map((entry) => [entryName(entry), entry])),
  );
  const names = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? []), ...(before?.keys() ?? [])]);
  const entries: LedgerEntry[] = [];
  const conflicts: LedgerConflict[] = [];
  for (const name of names) {
    const [was, our, their] = [before?.get(name), left?.get(name), right?.get(name)];
    const outcome = mergeEntries(was, our, their);
    const { set = '', key = '' } = our ?? their ?? was ?? {};
    if ('why' in outcome) conflicts.push({ key, set, why: outcome.why, ours: our, theirs: their });
    else if (outcome.entry !== undefined) entries.push(outcome.entry);
  }
  const twice = [...Map.groupBy(entries, objectName).values()].flatMap((same) =>
    findDoubleClaims(same, before),
  );
  const claimed = new Set(twice.flatMap(({ ours: one, theirs: other }) => [one, other]));
  const sources = mergedSources(ours, theirs);
  return {
    ledger: changedLedger(
      { ...ours, ...(sources === undefined ? {} : { sources }), entries: [] },
      {
        put: entries.filter((entry) => !claimed.has(entry)),
        unfiltered: new Set([...(ours.unfiltered ?? []), ...(theirs.unfiltered ?? [])]),
      },
    ),
    conflicts: [...conflicts, ...twice],
  };
}

/** Removes hashes with another salt. */
const withComparableHashes = ({ salt }: Ledger, theirs: Ledger): Ledger =>
  salt === theirs.salt ? theirs : { ...theirs, entries: theirs.entries.map(withoutHashes) };

function mergedSources({ sources: ours }: Ledger, { sources: theirs }: Ledger): Ledger['sources'] {
  if (ours === undefined || theirs === undefined) return ours ?? theirs;
  const sets = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return Object.fromEntries(
    [...sets].map((set) => [set, [...new Set([...(theirs[set] ?? []), ...(ours[set] ?? [])])]]),
  );
}

/** Finds entries of one object whose sets or keys differ only since the common ancestor. */
function findDoubleClaims(
  same: readonly LedgerEntry[],
  before: ReadonlyMap<string, LedgerEntry> | undefined,
): readonly LedgerConflict[] {
  const news = same.filter((entry) => !before?.has(entryName(entry)));
  const [one, other] = [...news, ...same.filter((entry) => !news.includes(entry))];
  if (one === undefined || other === undefined || news.length === 0) return [];
  const name = ({ set, key }: LedgerEntry): string => `${key} of ${JSON.stringify(set)}`;
  const why = `one object, ${one.id}, is ${name(other)} on one side and ${name(one)} on the other`;
  return [{ key: one.key, set: one.set, why, ours: other, theirs: one }];
}

function mergeEntries(
  was: LedgerEntry | undefined,
  ours: LedgerEntry | undefined,
  theirs: LedgerEntry | undefined,
): Outcome {
  if (comparableText(ours) === comparableText(theirs)) return { entry: newerEntry(ours, theirs) };
  if (comparableText(was) === comparableText(theirs)) return { entry: ours };
  if (comparableText(was) === comparableText(ours)) return { entry: theirs };
  if (ours === undefined || theirs === undefined)
    return { why: 'one side removed it, and the other changed it' };
  if (ours.id !== theirs.id || ours.kind !== theirs.kind)
    return { why: `both sides created it, as ${ours.id} and as ${theirs.id}` };
  return mergedFields(was?.id === ours.id ? was : undefined, ours, theirs);
}

function mergedFields(was: LedgerEntry | undefined, ours: LedgerEntry, theirs: LedgerEntry): Outcome {
  const clashing: string[] = [];
  const mergeMaps = (of: (entry: LedgerEntry) => Readonly<Record<string, string>>) => {
    const [before, left, right] = [was ? of(was) : {}, of(ours), of(theirs)];
    const paths = new Set([...Object.keys(left), ...Object.keys(right), ...Object.keys(before)]);
    return Object.fromEntries(
      [...paths].flatMap((path): readonly (readonly [string, string])[] => {
        const [b, l, r] = [before[path], left[path], right[path]];
        if (l !== r && b !== l && b !== r) clashing.push(path);
        const value = b === l ? r : l;
        return value === undefined ? [] : [[path, value]];
      }),
    );
  };
  const fields = mergeMaps((entry) => entry.fields);
  const given = mergeMaps((entry) => entry.given);
  const natural = mergeMaps((entry) => entry.natural);
  if (clashing.length > 0) return { why: `both sides changed ${[...new Set(clashing)].sort().join(', ')}` };
  const { whole: _, ...rest } = newerEntry(ours, theirs) ?? ours;
  const confidential = [...new Set([...(ours.confidential ?? []), ...(theirs.confidential ?? [])])].sort();
  return {
    entry: {
      ...rest,
      natural,
      origin: ours.origin === 'found' ? theirs.origin : ours.origin,
      protect: ours.protect || theirs.protect,
      ...(confidential.length === 0 ? {} : { confidential }),
      fields,
      given,
      // Neither side has read the object with all changes.
      seen: 0,
    },
  };
}

const comparableText = (entry: LedgerEntry | undefined): string | undefined =>
  entry && JSON.stringify({ ...entry, seen: 0, appliedMs: 0 });

const newerEntry = (
  ours: LedgerEntry | undefined,
  theirs: LedgerEntry | undefined,
): LedgerEntry | undefined => (ours && theirs && theirs.appliedMs > ours.appliedMs ? theirs : ours);

/** Writes conflict markers of git around conflicts. */
function mergedText({ ledger, conflicts }: MergedLedger): string {
  const line = (entry: LedgerEntry | undefined): string =>
    entry === undefined ? '' : `${JSON.stringify(entry)}\n`;
  return [
    ledgerInLines(ledger),
    ...conflicts.map(
      ({ ours, theirs }) => `<<<<<<< ours\n${line(ours)}=======\n${line(theirs)}>>>>>>> theirs\n`,
    ),
  ].join('');
}

type Three<T> = Readonly<Record<'base' | 'ours' | 'theirs', T>>;

/**
 * Merges ledger files in any format. `names` are for messages. Throws `Failure`: `invalid` for a file that is not a
 * ledger, `conflict` for ledgers of different accounts.
 */
export function mergeLedgerTexts(
  texts: Three<string | undefined>,
  names: Three<string>,
): { readonly text: string; readonly entries: number; readonly conflicts: readonly LedgerConflict[] } {
  const [base, ours, theirs] = (['base', 'ours', 'theirs'] as const).map((which) => {
    const text = texts[which];
    return text === undefined ? undefined : parseAnyLedger(text, names[which]);
  });
  const kept = ours ?? theirs;
  if (kept === undefined)
    throw new Failure('invalid', `Neither ${names.ours} nor ${names.theirs} is a ledger.`);
  const other = theirs ?? kept;
  if (kept.accountId !== other.accountId || kept.origin !== other.origin)
    throw new Failure(
      'conflict',
      `The ledgers belong to different accounts: ${kept.accountId} at ${kept.origin}, and ${other.accountId} at ${other.origin}. Nothing was merged.`,
      { hint: 'Pass a folder to --ledger (with a slash at its end), which contains one file per account.' },
    );
  const merged = mergeLedgers(base, kept, other);
  const { ledger, conflicts } = merged;
  return { text: mergedText(merged), entries: ledger.entries.length, conflicts };
}
