import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import { type DesiredAccount, type DesiredObject, shownReferences } from '../desired.ts';
import { type Kind, kindByName } from '../kinds.ts';
import { labelOf } from '../label.ts';
import type { Observed } from '../observed.ts';

/** Puts names in the place of references and ids. */
export interface Naming {
  /** A value as people and scripts see it: `${users.alice}` for what the manifest holds, `user bob` for the rest. */
  shown(value: Json): Json;
  text(text: string): string;
}

export const labelOfObject = (object: DesiredObject, record: JsonObject | undefined): string =>
  labelOf(kindByName(object.kind), object.name, [object.fields, ...(record ? [record] : [])]);

/** Tells whether objects of a kind have ids that say nothing: phone numbers are their own names. */
const hasIds = ({ shape, keys }: Kind): boolean => shape === 'many' && !keys.includes('id');

/**
 * Names for everything that is known of an account; `others`, entries of the ledger, name what is neither in the
 * manifest nor among what was listed.
 */
export function namingOf(
  desired: DesiredAccount,
  observed: Observed,
  others: readonly Pick<LedgerEntry, 'kind' | 'id' | 'key'>[] = [],
): Naming {
  const references = new Map(
    desired.objects.flatMap(({ key, kind }) => {
      const live = observed.matches.get(key);
      return live === undefined || !hasIds(kindByName(kind)) ? [] : [[live.id, `\${${key}}`] as const];
    }),
  );
  const noted = new Map(
    others.flatMap(({ kind, id, key }) => (hasIds(kindByName(kind)) ? [[id, `\${${key}}`] as const] : [])),
  );
  const listed = new Map<string, () => string>();
  for (const [name, records] of observed.listed) {
    const kind = kindByName(name);
    if (!hasIds(kind)) continue;
    for (const record of records)
      if (typeof record.id === 'string')
        listed.set(record.id, () => labelOf(kind, String(record.id), [record]));
  }
  const text = (value: string): string =>
    references.get(value) ?? listed.get(value)?.() ?? noted.get(value) ?? shownReferences(value);
  const shown = (value: Json): Json => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map((item: Json) => shown(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [text(key), inner === undefined ? inner : shown(inner)]),
    );
  };
  return { shown, text };
}
