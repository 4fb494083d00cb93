import { Failure } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { ResourceName } from '../../contract/types.ts';
import { targetName } from '../../engine/callflows/flow-set.ts';
import type { Context } from '../command/context.ts';
import { listItems } from './generic/listed-records.ts';

/** The name of a record where it is referred to: people know a user by the username. */
const shownName = (kind: ResourceName, record: JsonObject): Json | undefined =>
  kind === 'users' ? record.username : targetName(kind, record);

/** The names of a kind's records by their ids; `undefined` where they cannot be listed. */
export async function namesFrom(
  kind: ResourceName,
  list: () => Promise<readonly JsonObject[] | undefined>,
): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const names = (await list())?.flatMap((item) => {
      const name = shownName(kind, item);
      return typeof item.id === 'string' && typeof name === 'string' ? [[item.id, name] as const] : [];
    });
    return names && new Map(names);
  } catch (error) {
    // Without names the ids are shown, as for records that nobody may list.
    if (error instanceof Failure && error.kind !== 'interrupted') return undefined;
    throw error;
  }
}

export const namesById = (context: Pick<Context, 'api'>, kind: ResourceName) =>
  namesFrom(kind, async () => listItems(await context.api(), resourceByName(kind)));
