import { Failure } from '../../base/failure.ts';
import { isObject, textOf } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import type { Problem } from '../input/document.ts';
import { textsForIds } from './desired/plain-names.ts';
import { accountWord, type DesiredAccount, withReferences } from './desired.ts';
import { type Kind, kindByName, kindOf } from './kinds.ts';
import { indexOf } from './match.ts';
import type { Service } from './service.ts';

/** Finds names of what is in the account alone that stand where an id has to stand. Each kind that may be meant is listed once. */
export async function accountPlainNames(
  service: Service,
  desired: DesiredAccount,
): Promise<readonly Problem[]> {
  const places = textsForIds(desired);
  const kinds = [...new Set(places.flatMap((place) => place.kinds))].flatMap((name) => kindOf(name) ?? []);
  const found = kinds.map(async (kind) => {
    const items = kind.keys.includes('id') ? [] : ((await service.list(kind))?.items ?? []);
    const index = indexOf(kind, items);
    return places.flatMap(({ text, kinds: meant, named }) =>
      meant.includes(kind.resource.name) &&
      kind.keys.some((key) => index.idsOf(key, text).length > 0) &&
      !items.some(({ id }) => id === text)
        ? [named(kind.resource, `${accountWord}.${kind.name}.${text}`)]
        : [],
    );
  });
  return (await Promise.all(found)).flat();
}

const isNamed = (key: string): boolean => key.startsWith(`${accountWord}.`);

/** `users` and `alice` of `account.users.alice`; a name may hold dots. */
function partsOf(key: string): { readonly kind: Kind; readonly name: string } {
  const rest = key.slice(accountWord.length + 1);
  const dot = rest.indexOf('.');
  return { kind: kindByName(rest.slice(0, dot)), name: rest.slice(dot + 1) };
}

/**
 * What is wanted of an account, with ids in the place of names that mean what is in the account and in no manifest
 * (`${account.users.alice}`). Each kind that is named is listed once; without a service there is no account yet.
 * Throws `Failure`: `invalid` for a name that nothing or several have, with its place.
 */
export async function withAccountNames(
  service: Service | undefined,
  desired: DesiredAccount,
): Promise<DesiredAccount> {
  const keys = new Set(desired.objects.flatMap(({ refersTo }) => refersTo.filter(isNamed)));
  if (keys.size === 0) return desired;
  const ids = new Map<string, string>();
  const troubles: string[] = [];
  for (const [kind, named] of Map.groupBy(keys, (key) => partsOf(key).kind)) {
    const items = service ? ((await service.list(kind))?.items ?? []) : [];
    const index = indexOf(kind, items);
    for (const key of named) {
      const { name } = partsOf(key);
      const found = [...new Set(kind.keys.flatMap((field) => index.idsOf(field, name)))];
      const [id, other] = found;
      if (id !== undefined && other === undefined) ids.set(key, id);
      else {
        const names = items.flatMap((item) => kind.keys.flatMap((field) => textOf(item[field]) ?? []));
        const near = nearest(name, names);
        const meant = near === undefined ? '' : `; did you mean \${${accountWord}.${kind.name}.${near}}?`;
        const place = desired.objects.find(({ refersTo }) => refersTo.includes(key))?.place() ?? '';
        troubles.push(
          found.length > 1
            ? `${place}: ${found.length} ${kind.name} of the account are called ${JSON.stringify(name)}: ${found.join(', ')}`
            : `${place}: the account has no ${kind.resource.singular} ${JSON.stringify(name)}${meant}`,
        );
      }
    }
  }
  if (troubles.length > 0) throw new Failure('invalid', [...troubles, 'Nothing was sent.']);
  return {
    ...desired,
    objects: desired.objects.map((object) => {
      if (!object.refersTo.some(isNamed)) return object;
      const fields = withReferences(object.fields, (key) => ids.get(key));
      return {
        ...object,
        fields: isObject(fields) ? fields : object.fields,
        refersTo: object.refersTo.filter((key) => !isNamed(key)),
      };
    }),
  };
}
