import type { ResourceName } from '../../contract/types.ts';
import { referenceTo } from '../desired/references.ts';
import { type KindName, kindOf } from '../kinds.ts';
import type { Section } from './exported.ts';
import { idOf, type LocalNames } from './local-names.ts';

/** Ids as services make them; only these are looked for inside text. */
const token = /(?<![0-9a-fA-F$-])[0-9a-f]{32}(?![0-9a-fA-F-])/g;

/** Ids of the objects that a manifest holds, as the references that stand for them. */
export interface KnownIds {
  /** Text with the ids in it replaced by references. */
  referring(text: string): string;
  /** The value of a field that holds an id of one resource. */
  reference(to: ResourceName, id: string): string;
}

/** Makes references of ids. Objects that an account has once, and numbers, which are text, have no ids to refer to. */
export function knownIds(sections: readonly Section[], names: ReadonlyMap<KindName, LocalNames>): KnownIds {
  const anywhere = new Map<string, string>();
  const byKind = new Map<KindName, Map<string, string>>();
  for (const { kind, records } of sections) {
    if (kind.shape === 'one') continue;
    const ids = new Map<string, string>();
    byKind.set(kind.name, ids);
    for (const record of records) {
      const id = idOf(kind, record);
      const mark = referenceTo(`${kind.name}.${names.get(kind.name)?.get(id) ?? id}`);
      ids.set(id, mark);
      if (kind.keys[0] !== 'id' && idTokens(id)[0] === id && !anywhere.has(id)) anywhere.set(id, mark);
    }
  }
  const referring = (text: string): string =>
    text.length < 32 ? text : text.replaceAll(token, (id) => anywhere.get(id) ?? id);
  const reference = (to: ResourceName, id: string): string => {
    const kind = kindOf(to);
    return (kind && byKind.get(kind.name)?.get(id)) ?? referring(id);
  };
  return { referring, reference };
}

/** The ids that a text holds. */
export const idTokens = (text: string): readonly string[] =>
  text.length < 32 ? [] : (text.match(token) ?? []);
