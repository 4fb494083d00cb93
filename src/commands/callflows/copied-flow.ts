import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Section } from '../../callflows/flow-set.ts';
import { targetName } from '../../callflows/flow-set.ts';
import { mapValue } from '../../contract/map-value.ts';
import { isPrivateKey } from '../../contract/private-key.ts';
import { type RecordReference, referencesOfRecord } from '../../contract/record-references.ts';
import { callflows } from '../../contract/resources/callflows.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';

/** The replacements in the other account for what a callflow refers to. */
export interface Mapping {
  /** Ids there, by id here. */
  readonly ids: ReadonlyMap<string, string>;
  /** References to what is not there, with the name that was looked for. */
  readonly missing: readonly (RecordReference & { readonly name: string })[];
  /** References to names that several things have there. */
  readonly unclear: readonly (RecordReference & {
    readonly name: string;
    readonly among: readonly string[];
  })[];
  /** References to what cannot be looked up, such as devices. */
  readonly unknown: readonly RecordReference[];
}

/** Finds what a callflow of one account refers to by name in another. */
export function mapReferences(
  record: JsonObject,
  here: readonly Section[],
  there: readonly Section[],
): Mapping {
  const ids = new Map<string, string>();
  const missing: Mapping['missing'][number][] = [];
  const unclear: Mapping['unclear'][number][] = [];
  const unknown: RecordReference[] = [];
  for (const reference of referencesOfRecord(callflows, record)) {
    const { to, id } = reference;
    const source = recordsOf(here, to).find((each) => each.id === id);
    if (to === undefined) {
      unknown.push(reference);
      continue;
    }
    const name = source && targetName(to, source);
    if (name === undefined) {
      missing.push({ ...reference, name: id });
      continue;
    }
    const same = recordsOf(there, to).filter((each) => targetName(to, each) === name);
    const found = same.flatMap((each) => (typeof each.id === 'string' ? [each.id] : []));
    const [only, other] = found;
    if (only === undefined) missing.push({ ...reference, name });
    else if (other !== undefined) unclear.push({ ...reference, name, among: found });
    else ids.set(id, only);
  }
  return { ids, missing, unclear, unknown };
}

const recordsOf = (sections: readonly Section[], resource: string | undefined): readonly JsonObject[] =>
  sections.find(({ kind }) => kind.name === resource)?.records ?? [];

/** A callflow without what the service makes, ready to be sent, with other ids in the place of those that are known. */
export function copiedRecord(record: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  const { properties = {} }: SchemaNode = callflows.schema;
  const readOnly = new Set(Object.keys(properties).filter((key) => properties[key]?.readOnly === true));
  const own = Object.fromEntries(
    Object.entries(record).filter(([key]) => !readOnly.has(key) && !isPrivateKey(key)),
  );
  const mapped = mapValue(callflows.schema, own, (_, here: Json) =>
    typeof here === 'string' ? ids.get(here) : undefined,
  );
  return isObject(mapped) ? mapped : {};
}
