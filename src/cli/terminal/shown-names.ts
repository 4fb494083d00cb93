import { type JsonObject, valueAt } from '../../base/json.ts';
import { missingName } from '../../base/wording.ts';
import { mayRefer, type SchemaNode } from '../../contract/schema-node.ts';
import type { Column, ResourceName } from '../../contract/types.ts';
import type { View } from './view.ts';

const idPattern = /^(?:\d{6}-)?[0-9a-f]{32}$/;

/**
 * Gives records as tables show them: names in the place of ids, in columns that refer to other records. An id that leads
 * nowhere is marked; where nobody can tell, it stays. Each kind is asked for once, and only if some record refers to it.
 */
export async function* withNames(
  records: AsyncIterable<JsonObject>,
  columns: readonly Column[],
  namesOf: View['namesOf'],
): AsyncGenerator<JsonObject> {
  const referring = columns.flatMap(({ paths: [path], refers }) =>
    path && refers ? [{ path, refers }] : [],
  );
  const known = new Map<ResourceName, Promise<ReadonlyMap<string, string> | undefined>>();
  const namesFor = (kind: ResourceName) => {
    const names = known.get(kind) ?? namesOf?.(kind) ?? Promise.resolve(undefined);
    known.set(kind, names);
    return names;
  };
  for await (const record of records) {
    let shown = record;
    for (const { path, refers } of referring) {
      const id = valueAt(record, path);
      if (typeof id !== 'string' || !idPattern.test(id)) continue;
      const names = await namesFor(refers);
      if (names) shown = { ...shown, [path]: names.get(id) ?? missingName(id) };
    }
    yield shown;
  }
}

/** Columns for records with names: what is a name by then is shortened no more. */
export const namedColumns = (columns: readonly Column[]): readonly Column[] =>
  columns.map((column) => {
    const { show, ...rest } = column;
    return column.refers && show === 'id' ? rest : column;
  });

/**
 * Gives a record as people see it: names in the place of the ids by which it refers to others, as `withNames` has them. Two
 * of one name in one map keep the ids that tell them apart.
 */
export async function recordWithNames(
  record: JsonObject,
  schema: SchemaNode,
  namesOf: View['namesOf'],
): Promise<JsonObject> {
  if (!namesOf || !mayRefer(schema, record)) return record;
  const { referencesOfRecord, withTextsAt } = await import('../../contract/record-references.ts');
  const found = [...referencesOfRecord({ schema }, record)].filter(({ id }) => idPattern.test(id));
  const kindsOf = ({ to, or }: (typeof found)[number]) => [to, or].flatMap((kind) => kind ?? []);
  // The list of accounts has those below alone.
  const kinds = new Set<ResourceName>(found.flatMap(kindsOf).filter((kind) => kind !== 'accounts'));
  const lists = new Map(
    await Promise.all([...kinds].map(async (kind) => [kind, await namesOf(kind)] as const)),
  );
  const texts = new Map<string, string>();
  const taken = new Set<string>();
  for (const reference of found) {
    const names = kindsOf(reference).map((kind) => lists.get(kind));
    const name = names.flatMap((list) => list?.get(reference.id) ?? [])[0];
    const isMissing = names.length > 0 && names.every((list) => list !== undefined);
    const text = name ?? (isMissing ? missingName(reference.id) : undefined);
    if (text === undefined) continue;
    const place = (last: string): string => [...reference.keys.slice(0, -1), last].join('\0');
    texts.set(reference.keys.join('\0'), taken.has(place(text)) ? `${text} ${reference.id}` : text);
    taken.add(place(text));
  }
  return withTextsAt(record, texts);
}
