import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Kind, KindName } from '../kinds.ts';

/**
 * A record without what is no setting, or stands in another section: the name and the realm of the account itself,
 * which no other may have; its metaflows, where they are exported too; comments on port requests, which would be made
 * anew.
 */
export function settingsOnly(kind: Kind, record: JsonObject, exported: ReadonlySet<KindName>): JsonObject {
  if (kind.name === 'ports') return without(record, ['comments']);
  if (kind.name !== 'account_settings') return record;
  const own = kind.resource.unique.filter(({ within }) => within === 'service').map(({ field }) => field);
  return without(record, exported.has('metaflows') ? [...own, 'metaflows'] : own);
}

/**
 * Tells whether the members of a directory are only what the service works out from the directories that its users
 * name (Conventions, directories): said twice, users and directories would refer to each other.
 */
export function isWorkedOut(
  directoryId: string,
  members: Json | undefined,
  places: ReadonlyMap<string, Json>,
): boolean {
  return (
    Array.isArray(members) &&
    members.every((member: unknown) => {
      if (!isObject(member)) return false;
      const named = typeof member.user_id === 'string' ? places.get(member.user_id) : undefined;
      return (
        isObject(named) && Object.hasOwn(named, directoryId) && named[directoryId] === member.callflow_id
      );
    })
  );
}

export const without = (record: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
