import { type JsonObject, valueAt } from '../../base/json.ts';
import { shortId } from '../../base/wording.ts';
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
      if (names) shown = { ...shown, [path]: names.get(id) ?? `(missing: ${shortId(id)})` };
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
