import { Failure } from '../../base/failure.ts';
import { type JsonObject, textOrUndefined } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import { withArticle } from '../../base/wording.ts';
import { kindsNamed } from '../../contract/callflow-modules.ts';
import { type RecordReference, referencesOfRecord } from '../../contract/record-references.ts';
import type { Resource, ResourceName } from '../../contract/types.ts';
import type { Problem } from '../input/document.ts';
import {
  accountPrefix,
  type DesiredAccount,
  type DesiredObject,
  holdsMarks,
  withReferences,
} from './desired.ts';
import { type Kind, kindByName, kindOfSection } from './kinds.ts';
import { indexByNaturalKey } from './match-objects.ts';
import type { Service } from './service.ts';

/** Finds names that are used instead of ids. Lists each kind once. */
export async function findAccountNames(
  service: Service,
  desired: DesiredAccount,
): Promise<readonly Problem[]> {
  const places = textsInIdFields(desired);
  const kinds = [...new Set(places.flatMap((place) => place.kinds))].flatMap(
    (name) => kindOfSection(name) ?? [],
  );
  const found = kinds.map(async (kind) => {
    const items = kind.keys.includes('id') ? [] : ((await service.list(kind))?.items ?? []);
    const index = indexByNaturalKey(kind, items);
    return places.flatMap(({ text, kinds: meant, named }) =>
      meant.includes(kind.resource.name) &&
      kind.keys.some((key) => index.idsOf(key, text).length > 0) &&
      !items.some(({ id }) => id === text)
        ? [named(kind.resource, `${accountPrefix}.${kind.name}.${text}`)]
        : [],
    );
  });
  return (await Promise.all(found)).flat();
}

const isAccountKey = (key: string): boolean => key.startsWith(`${accountPrefix}.`);

function splitAccountKey(key: string): { readonly kind: Kind; readonly name: string } {
  const rest = key.slice(accountPrefix.length + 1);
  const dot = rest.indexOf('.');
  return { kind: kindByName(rest.slice(0, dot)), name: rest.slice(dot + 1) };
}

/**
 * Replaces references such as `${account.users.alice}` with ids. Throws `Failure` (`invalid`) unless each has one
 * match.
 */
export async function resolveAccountNames(
  service: Service | undefined,
  desired: DesiredAccount,
): Promise<DesiredAccount> {
  const keys = new Set(desired.objects.flatMap(({ refersTo }) => refersTo.filter(isAccountKey)));
  if (keys.size === 0) return desired;
  const ids = new Map<string, string>();
  const troubles: string[] = [];
  for (const [kind, named] of Map.groupBy(keys, (key) => splitAccountKey(key).kind)) {
    const items = service ? ((await service.list(kind))?.items ?? []) : [];
    const index = indexByNaturalKey(kind, items);
    for (const key of named) {
      const { name } = splitAccountKey(key);
      const found = [...new Set(kind.keys.flatMap((field) => index.idsOf(field, name)))];
      const [id, other] = found;
      if (id !== undefined && other === undefined) ids.set(key, id);
      else {
        const names = items.flatMap((item) =>
          kind.keys.flatMap((field) => textOrUndefined(item[field]) ?? []),
        );
        const near = findNearest(name, names);
        const meant = near === undefined ? '' : `; did you mean \${${accountPrefix}.${kind.name}.${near}}?`;
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
      if (!object.refersTo.some(isAccountKey)) return object;
      return {
        ...object,
        fields: withReferences(object.fields, (key) => ids.get(key)),
        refersTo: object.refersTo.filter((key) => !isAccountKey(key)),
      };
    }),
  };
}

/**
 * Finds object names in id fields. They are warnings and not errors, because exports of accounts with such values
 * must apply.
 */
export function* findManifestNames({ objects }: DesiredAccount): Generator<Problem> {
  const named = new Map<string, DesiredObject>();
  for (const object of objects) {
    const { keys, resource, shape } = kindByName(object.kind);
    // A phone number is its own id.
    if (shape === 'one' || keys.includes('id')) continue;
    for (const name of [object.name, ...keys.flatMap((key) => textOrUndefined(object.fields[key]) ?? [])])
      if (name !== object.id) named.set(nameKey(resource.name, name), object);
  }
  for (const place of textsInIdFields({ objects })) {
    const [meant] = place.kinds.flatMap((kind) => named.get(nameKey(kind, place.text)) ?? []);
    if (meant !== undefined) yield place.named(kindByName(meant.kind).resource, meant.key);
  }
}

const knownReferences = new WeakMap<JsonObject, readonly RecordReference[]>();

/** Cached, because it is needed for names of the manifest and of the account. */
function referencesOfObject({ kind, fields }: DesiredObject): readonly RecordReference[] {
  const known = knownReferences.get(fields) ?? [...referencesOfRecord(kindByName(kind), fields)];
  knownReferences.set(fields, known);
  return known;
}

/** Returns text in id fields, with a function that returns the problem. */
const textsInIdFields = ({ objects }: Pick<DesiredAccount, 'objects'>) =>
  objects.flatMap((object) =>
    referencesOfObject(object).flatMap((reference) => {
      const { keys, id: text } = reference;
      const nameProblem = ({ singular }: Resource, key: string): Problem =>
        object.problem(
          keys.join('.'),
          `${JSON.stringify(text)} is the name of ${withArticle(singular)}, but an id is needed here; write \${${key}}`,
        );
      return /^[0-9a-f]{32}$/i.test(text) || holdsMarks(text)
        ? []
        : [{ text, kinds: kindsNamed(reference), named: nameProblem }];
    }),
  );

const nameKey = (kind: ResourceName, name: string): string => `${kind} ${name}`;
