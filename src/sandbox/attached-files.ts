import type { JsonObject } from '../base/json.ts';
import type { ResourceName } from '../contract/types.ts';
import type { ReceivedFile } from './request.ts';
import type { Change, RecordName, Store } from './store/store.ts';

/** Kind of the records of files; they belong to other records, and are told to nobody. */
const kind = 'files';

/** The record that a file belongs to, and which of its files it is. */
export interface FileOf {
  readonly scope: string;
  readonly resource: ResourceName;
  readonly id: string;
  /** Left out: it has one alone. */
  readonly part?: string;
}

/** A file with what was said of it. */
export interface KeptFile extends ReceivedFile {
  readonly name: string;
}

const nameOf = ({ scope, resource, id, part = '' }: FileOf): RecordName => ({
  ...{ kind, scope, id: [resource, id, part].join(' ') },
});

/** Reads a file; `undefined` where the record has none. */
export async function keptFile(store: Store, of: FileOf): Promise<KeptFile | undefined> {
  const record = await store.get(nameOf(of));
  if (!record) return undefined;
  const { type, name, content } = record.body;
  return { type: String(type), name: String(name), bytes: Buffer.from(String(content), 'base64') };
}

/** The write of a file in place of the one that is there. */
export async function filePut(
  store: Store,
  of: FileOf,
  { type, name, bytes }: KeptFile,
  now: number,
): Promise<Change> {
  const found = nameOf(of);
  const before = await store.get(found);
  const body: JsonObject = { type, name, content: Buffer.from(bytes).toString('base64') };
  return {
    change: 'put',
    record: {
      ...found,
      ...{ body, hidden: {}, createdAt: now, modifiedAt: now, revision: before?.revision ?? 0 },
    },
    ...{ order: '', keys: [], claims: [] },
  };
}

/** The removal of a file. */
export const fileRemoval = (of: FileOf): Change => ({
  ...{ change: 'remove', record: nameOf(of), erase: true, isUntold: true },
});
