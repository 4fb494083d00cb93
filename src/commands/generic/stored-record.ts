import type { JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import type { Resource } from '../../contract/types.ts';
import { isNotOffered } from '../../manifest/state/service.ts';
import { getRecord, operationFor } from './find-record.ts';

/** Reads the stored records that input is about; none where the service cannot show them. */
export type ReadStored = () => Promise<readonly JsonObject[]>;

/** Makes what reads the record that a word names. It throws `Failure` as `findRecord` does. */
export const storedRecord =
  (context: Context, resource: Resource, word: string): ReadStored =>
  async () => {
    try {
      return [await getRecord(context, resource, word)];
    } catch (error) {
      if (isNotOffered(error, operationFor(resource, 'get'))) return [];
      throw error;
    }
  };
