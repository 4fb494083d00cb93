import { isObject, type JsonObject } from '../../contract/json.ts';
import type { KindName } from '../kinds.ts';
import type { Section } from './exported.ts';

/**
 * A section's records without what is no setting, or stands in another section: the name and the realm of the account
 * itself, which no other may have; its metaflows; comments on port requests, which would be made anew; members of a
 * directory that the service works out from its users.
 */
export function settingsOnly(section: Section, all: readonly Section[]): Section {
  const { kind, records } = section;
  const has = (name: KindName) => all.some((each) => each.kind.name === name && each.records.length > 0);
  if (kind.name === 'account_settings') {
    const own = kind.resource.unique.filter(({ within }) => within === 'service').map(({ field }) => field);
    return {
      ...section,
      records: records.map((each) => without(each, [...own, ...(has('metaflows') ? ['metaflows'] : [])])),
    };
  }
  if (kind.name === 'ports')
    return { ...section, records: records.map((each) => without(each, ['comments'])) };
  if (kind.name !== 'directories') return section;
  const users = new Map(
    all.flatMap((each) =>
      each.kind.name === 'users' ? each.records.map((user) => [user.id, user] as const) : [],
    ),
  );
  const isWorkedOut = (directory: JsonObject): boolean =>
    Array.isArray(directory.users) &&
    directory.users.every((member: unknown) => {
      const places =
        isObject(member) && typeof member.user_id === 'string'
          ? users.get(member.user_id)?.directories
          : undefined;
      return isObject(member) && isObject(places) && places[String(directory.id)] === member.callflow_id;
    });
  return {
    ...section,
    records: records.map((each) => (isWorkedOut(each) ? without(each, ['users']) : each)),
  };
}

const without = (record: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
