import { textOf, valueAt } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { ResourceName } from '../../contract/types.ts';
import { calledName } from '../calls/records.ts';
import type { CallAccount } from '../calls/types.ts';

/** A record that a name means. */
export interface Named {
  readonly kind: ResourceName;
  readonly id: string;
  /** As calls name it. */
  readonly name: string;
}

/** The records of an account by the names that a case file may give them. */
export interface NamesOf {
  readonly find: (text: string, kinds: readonly ResourceName[]) => Named | undefined;
  /** Says that there is no such record, with the nearest name. */
  readonly missing: (text: string, kinds: readonly ResourceName[]) => string;
}

const known = new WeakMap<CallAccount, NamesOf>();

/** Returns the names of an account: local names of a manifest, natural keys, names, ids; `user:alice` says the kind. */
export function namesOf(account: CallAccount): NamesOf {
  const before = known.get(account);
  if (before) return before;
  const made = makeNames(account);
  known.set(account, made);
  return made;
}

function makeNames(account: CallAccount): NamesOf {
  const tables = new Map<ResourceName, ReadonlyMap<string, Named>>();
  const tableOf = (kind: ResourceName): ReadonlyMap<string, Named> => {
    const found = tables.get(kind);
    if (found) return found;
    const table = new Map<string, Named>();
    const { naturalKeys } = resourceByName(kind);
    for (const record of account.of(kind)) {
      const id = textOf(record.id) ?? '';
      const named = { kind, id, name: calledName(kind, record) };
      const local = id.includes('.') ? [id.slice(id.indexOf('.') + 1)] : [];
      const keys = [...naturalKeys, 'name'].map((key) => textOf(valueAt(record, key)));
      const numbers = Array.isArray(record.numbers) ? record.numbers.map(textOf) : [];
      for (const key of [named.name, ...keys, ...numbers, ...local, id])
        if (key !== undefined && key !== '' && !table.has(key)) table.set(key, named);
    }
    tables.set(kind, table);
    return table;
  };
  const told = (text: string, kinds: readonly ResourceName[]) => {
    const [, word, name] = /^(user|device|group):(.+)$/.exec(text) ?? [];
    return {
      name: name ?? text,
      among: word === undefined ? kinds : kinds.filter((kind) => kind === `${word}s`),
    };
  };
  return {
    find(text, kinds) {
      const { name, among } = told(text, kinds);
      for (const kind of among) {
        const found = tableOf(kind).get(name);
        if (found) return found;
      }
      return undefined;
    },
    missing(text, kinds) {
      const { name, among } = told(text, kinds);
      const words = among.map((kind) => resourceByName(kind).singular.replaceAll('_', ' '));
      const near = nearest(
        name,
        among.flatMap((kind) => [...tableOf(kind).keys()]),
      );
      return `there is no ${words.join(' or ')} ${JSON.stringify(name)}.${didYouMean(near)}`;
    },
  };
}
