import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { emergencyNumbers } from '../../../contract/emergency-numbers.ts';
import { classesOfCountry } from '../../../contract/number-classes.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { type Section, sectionsOfManifest } from '../../../engine/manifest/account-reader.ts';
import { type DesiredAccount, withReferences } from '../../../engine/manifest/desired.ts';
import { type KindName, kindByName } from '../../../engine/manifest/kinds.ts';
import type { Plan } from '../../../engine/manifest/plan.ts';
import type { CallAccount } from '../engine/types.ts';

interface StoredAccount {
  readonly id: string;
  readonly record: JsonObject;
  readonly byKind: ReadonlyMap<ResourceName, readonly JsonObject[]>;
  readonly unknown?: ReadonlySet<ResourceName>;
  readonly classes?: CallAccount['classes'];
  readonly emergency?: CallAccount['emergency'];
  readonly country?: CallAccount['country'];
}

export function callAccount({ byKind, ...held }: StoredAccount): CallAccount {
  const ids = new Map(
    [...byKind].map(([kind, records]) => [kind, new Map(records.map((each) => [String(each.id), each]))]),
  );
  return {
    unknown: new Set(),
    of: (kind) => byKind.get(kind) ?? [],
    get: (kind, wanted) => ids.get(kind)?.get(wanted),
    assumesCarrier: (byKind.get('system_carriers') ?? []).length === 0,
    ...held,
  };
}

const settingsKind: KindName = 'account_settings';

/** Returns the account that a manifest describes, with local names as ids. */
export function accountOfManifest(desired: DesiredAccount): CallAccount {
  const { account = 'account', country, objects } = desired;
  const places = new Map(objects.map((object) => [object.key, object]));
  const numbers = { classes: classesOfCountry(country), emergency: emergencyNumbers(country), country };
  return {
    ...accountOfRecords(account, sectionsOfManifest(desired), numbers),
    placeOf: (_, id, path = []) =>
      places
        .get(id)
        ?.place(path.map((word) => String(word).replaceAll('.', '%2E')).join('.'))
        .replace(/:\d+$/, ''),
  };
}

export function accountOfRecords(
  id: string,
  sections: readonly Section[],
  numbers: Pick<CallAccount, 'classes' | 'emergency' | 'country'> = {},
): CallAccount {
  const many = sections.filter(({ kind }) => kind.name !== settingsKind);
  const record = sections.find(({ kind }) => kind.name === settingsKind)?.records[0] ?? {};
  return callAccount({
    id,
    record,
    byKind: new Map(many.map(({ kind, records }) => [kind.resource.name, records])),
    unknown: new Set(
      many.flatMap(({ kind, missing }) => (missing === undefined ? [] : [kind.resource.name])),
    ),
    ...numbers,
  });
}

/** Merges fields into a record, map by map. Flows are replaced completely. */
function mergeFields(before: JsonObject, fields: JsonObject): JsonObject {
  const merged = Object.entries(fields).map(([key, value]): readonly [string, Json | undefined] => {
    const old = before[key];
    return key !== 'flow' && isObject(value) && isObject(old) ? [key, mergeFields(old, value)] : [key, value];
  });
  return { ...before, ...Object.fromEntries(merged) };
}

/** Returns the account after a plan is applied. `readKinds` are the kinds that were read before. */
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
      record = mergeFields(record, fields);
      continue;
    }
    const { name } = kindByName(object.kind).resource;
    const id = ids.get(object.key) ?? object.key;
    const records = changed.get(name) ?? new Map<string, JsonObject>();
    records.set(id, { ...mergeFields(before.get(name, id) ?? {}, fields), id });
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
  const { classes, emergency, country } = before;
  return callAccount({ id: before.id, record, byKind, unknown: before.unknown, classes, emergency, country });
}
