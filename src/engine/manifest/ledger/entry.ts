import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';
import { bareHash, type LedgerEntry } from '../../state/ledger.ts';
import type { Kind } from '../kinds.ts';
import { leafHashes, leavesOf, liveHash, valueBelow, wholeHash } from './hashing.ts';

/** Facts about an object once it was written, found to be as wanted, or adopted. */
export interface ManagedOf {
  readonly set: string;
  readonly key: string;
  readonly kind: Kind;
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
  /** Record that the service gave back, or that was read since; without one no drift is reported. */
  readonly record: JsonObject | undefined;
  /** The file that the object is known to have. */
  readonly file?: LedgerEntry['file'];
  /** The service's time of that reply, in Gregorian seconds; `undefined` where it told none. */
  readonly atSeconds: number | undefined;
  /** The clock's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

export function entryOf(salt: string, managed: ManagedOf): LedgerEntry {
  const {
    set,
    key,
    kind,
    id,
    origin,
    protect,
    fields,
    record,
    atSeconds,
    nowMs,
    confidential = [],
  } = managed;
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
    kind: kind.name,
    id,
    natural: naturalOf(kind.keys, record ?? fields),
    origin,
    protect,
    ...(confidential.length === 0 ? {} : { confidential }),
    fields: sent,
    whole: wholeHash(hashed, fields),
    given: Object.fromEntries(given),
    ...(managed.file === undefined ? {} : { file: managed.file }),
    seen: record === undefined ? 0 : (atSeconds ?? 0),
    appliedMs: nowMs,
  };
}

function naturalOf(keys: readonly string[], record: JsonObject): Readonly<Record<string, string>> {
  if (!isObject(record)) return {};
  return Object.fromEntries(
    keys.flatMap((key): [string, string][] => {
      const value = valueAt(record, key);
      return typeof value === 'string' ? [[key, value]] : [];
    }),
  );
}
