import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ResourceName } from '../../contract/types.ts';
import type { CallAccount } from '../calls/types.ts';
import { type DesiredAccount, withReferences } from '../manifest/desired.ts';
import { kindByName } from '../manifest/kinds.ts';
import type { Plan } from '../manifest/plan.ts';
import { accountOf, settingsKind } from './accounts.ts';

/** Fields laid over a record, map by map; what a flow has is replaced as a whole. */
function over(before: JsonObject, fields: JsonObject): JsonObject {
  const merged = Object.entries(fields).map(([key, value]): readonly [string, Json | undefined] => {
    const old = before[key];
    return key !== 'flow' && isObject(value) && isObject(old) ? [key, over(old, value)] : [key, value];
  });
  return { ...before, ...Object.fromEntries(merged) };
}

/** The account as it will be once a plan is carried out. `readKinds`: what was read of it before. */
export function accountAfter(
  before: CallAccount,
  readKinds: readonly ResourceName[],
  { objects }: DesiredAccount,
  { steps }: Plan,
): CallAccount {
  const ids = new Map(steps.flatMap(({ key, id }) => (id === undefined ? [] : [[key, id] as const])));
  const gone = new Set(
    steps.flatMap(({ action, id }) => (action === 'delete' && id !== undefined ? [id] : [])),
  );
  const changed = new Map<ResourceName, Map<string, JsonObject>>();
  let { record } = before;
  for (const object of objects) {
    const filled = withReferences(object.fields, (key) => ids.get(key) ?? key);
    const fields = isObject(filled) ? filled : {};
    if (object.kind === settingsKind) {
      record = over(record, fields);
      continue;
    }
    const { name } = kindByName(object.kind).resource;
    const id = ids.get(object.key) ?? object.key;
    const records = changed.get(name) ?? new Map<string, JsonObject>();
    records.set(id, { ...over(before.get(name, id) ?? {}, fields), id });
    changed.set(name, records);
  }
  const kinds = new Set<ResourceName>([...readKinds, ...changed.keys()]);
  const byKind = new Map(
    [...kinds].map((kind) => {
      const own = changed.get(kind);
      const kept = before.of(kind).filter(({ id }) => !gone.has(String(id)) && !own?.has(String(id)));
      return [kind, [...kept, ...(own?.values() ?? [])]] as const;
    }),
  );
  return accountOf({ id: before.id, record, byKind, unknown: before.unknown });
}
