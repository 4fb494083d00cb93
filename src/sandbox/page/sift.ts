import type { ListedRecord, Position, Store, Stretch } from '../store/store.ts';

/** Records that are read at once, and in all for one page: a search of more than that goes on at the next one. */
const readAtOnce = 400;
const readAtMost = 20_000;

/** Records of a list that were wanted, in the order they were read in. */
export interface Sifted {
  readonly found: readonly ListedRecord[];
  /** The first record that was not looked at any more; `undefined` at the end of the list. */
  readonly next: ListedRecord | undefined;
}

/** Reads a list from a place on, until there are `limit` wanted records or enough was read. */
export async function sift(
  store: Store,
  where: Omit<Stretch, 'limit'>,
  limit: number,
  isWanted: (record: ListedRecord) => boolean,
): Promise<Sifted> {
  const found: ListedRecord[] = [];
  let from: Position | undefined = where.from;
  let [read, size] = [0, limit];
  for (;;) {
    const records = await store.stretch({ ...where, ...(from && { from }), limit: size + 1 });
    for (const record of records.slice(0, size)) {
      if (found.length === limit) return { found, next: record };
      if (isWanted(record)) found.push(record);
    }
    const next = records[size];
    read += size;
    if (!next || read >= readAtMost || found.length === limit) return { found, next };
    // Where everything is wanted, the first stretch was enough.
    size = readAtOnce;
    from = next;
  }
}

/** The place of a record in its list, as an address holds it, and back. */
export const textOfPosition = ({ id = '', order }: Position): string => `${id}~${order}`;

export function positionAt(text: string | undefined): Position | undefined {
  const mark = text?.indexOf('~') ?? -1;
  return text === undefined || mark < 0
    ? undefined
    : { id: text.slice(0, mark), order: text.slice(mark + 1) };
}
