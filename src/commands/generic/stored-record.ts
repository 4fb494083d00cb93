import type { Reply } from '../../api/api.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import type { Resource } from '../../contract/types.ts';
import { recordIn, replyIfOffered } from '../read-if-offered.ts';
import { type Found, operationFor, pathTo } from './find-record.ts';

/** Reads the stored records that records of the input are about; none where the service cannot show them. */
export type ReadStored = (input: readonly JsonObject[]) => Promise<readonly JsonObject[]>;

/** A record that is named, and is looked for and read when that is first needed, and no second time. */
export interface NamedRecord {
  find(): Promise<Found>;
  /** The reply with the record; `undefined`, after a warning, where the service does not offer the read. */
  read(): Promise<Reply | undefined>;
  readonly stored: ReadStored;
}

/** A record that `look` finds. `without` says what follows where the service does not show it. */
export function namedRecord(
  context: Context,
  resource: Resource,
  look: () => Promise<Found>,
  without: string,
): NamedRecord {
  let found: Promise<Found> | undefined;
  let reply: Promise<Reply | undefined> | undefined;
  const find = (): Promise<Found> => {
    found ??= look();
    return found;
  };
  const readFound = async () => {
    const { id } = await find();
    const call = { operation: operationFor(resource, 'get'), path: pathTo(resource, id) };
    return replyIfOffered(context, await context.api(), call, without);
  };
  const read = (): Promise<Reply | undefined> => {
    reply ??= readFound();
    return reply;
  };
  return {
    find,
    read,
    stored: async () => {
      const record = recordIn(await read());
      return record ? [record] : [];
    },
  };
}
