import type { JsonObject } from '../../base/json.ts';
import { isObject, valueAt } from '../../base/json.ts';
import { bareHash } from '../../state/hashes.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import { type KindName, kindByName } from '../kinds.ts';
import { leafHashes, liveHash, wholeHash } from './hashing.ts';
import { leavesOf, valueBelow } from './leaves.ts';

/** Facts about an object once it was written, found to be as wanted, or adopted. */
export interface Managed {
  readonly set: string;
  readonly key: string;
  readonly kind: KindName;
  readonly id: string;
  readonly origin: LedgerEntry['origin'];
  readonly protect: boolean;
  /** Dotted paths whose value came from the environment or a file. */
  readonly confidential?: readonly string[] | undefined;
  /**
   * The fields of the manifest that now stand in the service, references resolved. Leave out what was not sent and
   * cannot be seen there (a password that is not known to be the one).
   */
  readonly fields: JsonObject;
  /**
   * Record that the service gave back, or that was read since. `undefined`: none, so that drift of the fields is not
   * reported.
   */
  readonly record: JsonObject | undefined;
  /** The service's time of that reply, in Gregorian seconds; `undefined` where it told none. */
  readonly atSeconds: number | undefined;
  /** The clock's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** The entry of the ledger that says so. */
export function entryFor(salt: string, managed: Managed): LedgerEntry {
  const {
    set,
    key,
    kind: name,
    id,
    origin,
    protect,
    fields,
    record,
    atSeconds,
    nowMs,
    confidential = [],
  } = managed;
  const kind = kindByName(name);
  const hashed = { salt, kind, id };
  const leaves = leavesOf(kind.schema, fields);
  const sent = leafHashes(hashed, leaves);
  const given = leaves.flatMap(({ path, keys, node, value }): [string, string][] => {
    // What comes back as it was sent has the same hash; most does.
    if (record && node.writeOnly !== true && valueBelow(record, keys) === value) return [];
    const live = node.writeOnly === true || !record ? '' : liveHash(hashed, record, path);
    const ours = sent[path] ?? '';
    return live === bareHash(ours) ? [] : [[path, live === '' ? '' : ours.replace(bareHash(ours), live)]];
  });
  return {
    set,
    key,
    kind: name,
    id,
    natural: naturalOf(kind.keys, record ?? fields),
    origin,
    protect,
    ...(confidential.length === 0 ? {} : { confidential }),
    fields: sent,
    whole: wholeHash(hashed, fields),
    given: Object.fromEntries(given),
    seen: record === undefined ? 0 : (atSeconds ?? 0),
    appliedMs: nowMs,
  };
}

/** Natural keys of a record that are plain texts. */
function naturalOf(keys: readonly string[], record: JsonObject): Readonly<Record<string, string>> {
  if (!isObject(record)) return {};
  return Object.fromEntries(
    keys.flatMap((key): [string, string][] => {
      const value = valueAt(record, key);
      return typeof value === 'string' ? [[key, value]] : [];
    }),
  );
}
