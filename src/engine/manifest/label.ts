import { type JsonObject, valueAt } from '../../base/json.ts';
import { quoted } from '../../base/wording.ts';
import { shownReferences } from './desired.ts';
import type { Kind } from './kinds.ts';

/** The name by which people know a record: its first natural key that is text, else its name. */
function nameIn(kind: Kind, record: JsonObject): string | undefined {
  return [...kind.keys, 'name']
    .map((key) => valueAt(record, key))
    .find((value) => typeof value === 'string' && value !== '')
    ?.toString();
}

/** `user alice`, `callflow "Main line"`, `account settings`. */
export function labelOf(kind: Kind, name: string, records: readonly JsonObject[]): string {
  if (kind.shape === 'one') return kind.name.replaceAll('_', ' ');
  const known = kind.keys.includes('id') ? name : records.map((record) => nameIn(kind, record)).find(Boolean);
  return `${kind.resource.singular} ${quoted(shownReferences(known ?? name))}`;
}
