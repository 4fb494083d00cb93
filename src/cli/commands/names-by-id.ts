import { Failure } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { ResourceName } from '../../contract/types.ts';
import { targetName } from '../../engine/callflows/flow-set.ts';
import type { Context } from '../command/context.ts';
import { listItems } from './generic/listed-records.ts';

/** The name of a record where it is referred to: people know a user by the username. */
export const shownName = (kind: ResourceName, record: JsonObject): Json | undefined =>
  kind === 'users' ? record.username : targetName(kind, record);

/** Lists the names of the records of a kind by their ids; `undefined` where they cannot be read. */
export async function namesById(
  context: Pick<Context, 'api'>,
  kind: ResourceName,
): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const resource = resourceByName(kind);
    const items = await listItems(await context.api(), resource);
    return (
      items &&
      new Map(
        items.flatMap((item) => {
          const name = shownName(kind, item);
          return typeof item.id === 'string' && typeof name === 'string' ? [[item.id, name]] : [];
        }),
      )
    );
  } catch (error) {
    // Without names the table shows ids, as it would for records that nobody may list.
    if (error instanceof Failure && error.kind !== 'interrupted') return undefined;
    throw error;
  }
}
