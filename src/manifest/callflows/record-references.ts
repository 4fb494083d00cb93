import { isObject, type Json, type JsonObject } from '../../contract/json.ts';
import { referencesOf } from '../../contract/module-references.ts';
import type { Resource, ResourceName } from '../../contract/types.ts';
import { shownField, textsOf } from './record-texts.ts';
import { keysTo, stepsIn } from './walk-flow.ts';

/** An id in a record that names something else. */
export interface RecordReference {
  /** `flow/2/_ data.id`. */
  readonly path: string;
  /** `undefined` for what the contract does not describe, such as devices. */
  readonly to: ResourceName | undefined;
  /** What it names, as a word: `user`. */
  readonly word: string;
  readonly id: string;
}

const words: Readonly<Partial<Record<ResourceName, string>>> = {
  users: 'user',
  groups: 'group',
  callflows: 'callflow',
  directories: 'directory',
  accounts: 'account',
  ports: 'port',
};

const reference = (keys: readonly string[], to: ResourceName, id: string): RecordReference => ({
  path: shownField(keys),
  to,
  word: words[to] ?? to,
  id,
});

/** What a record refers to: by fields of its schema, by its flow, and by maps whose keys are ids. */
export function referencesOfRecord(resource: Resource, record: JsonObject): readonly RecordReference[] {
  const byField = [...textsOf(resource.schema, record)].flatMap(({ keys, text, isKey, node }) => {
    const to = node['x-ref'];
    return to === undefined || isKey || text === '' ? [] : [reference(keys, to, text)];
  });
  return [...byField, ...byFlow(record), ...byMap(resource, record)];
}

function byFlow(record: JsonObject): readonly RecordReference[] {
  return [...stepsIn(record.flow)].flatMap((at) =>
    referencesOf(at.step).map(({ reference: { to, word }, path, id }) => ({
      path: `${['flow', ...keysTo(at)].join('/')} data.${path}`,
      to,
      word,
      id,
    })),
  );
}

const members = new Map<string, ResourceName>([
  ['user', 'users'],
  ['group', 'groups'],
]);

/** References that no schema has a word for: members of groups, and who is in which directory. */
function byMap({ name }: Resource, record: JsonObject): readonly RecordReference[] {
  if (name === 'groups' && isObject(record.endpoints))
    return Object.entries(record.endpoints).flatMap(([id, member]) => {
      const to = isObject(member) ? members.get(String(member.type)) : undefined;
      return to === undefined ? [] : [reference(['endpoints', id], to, id)];
    });
  if (name === 'users' && isObject(record.directories))
    return Object.entries(record.directories).flatMap(([id, callflow]) => [
      reference(['directories', id], 'directories', id),
      ...(typeof callflow === 'string' && callflow !== ''
        ? [reference(['directories', id], 'callflows', callflow)]
        : []),
    ]);
  if (name === 'directories' && Array.isArray(record.users))
    return record.users.flatMap((entry, index) =>
      (['user_id', 'callflow_id'] as const).flatMap((key) => {
        const id: Json | undefined = isObject(entry) ? entry[key] : undefined;
        const to = key === 'user_id' ? 'users' : 'callflows';
        return typeof id === 'string' && id !== '' ? [reference(['users', String(index), key], to, id)] : [];
      }),
    );
  return [];
}
