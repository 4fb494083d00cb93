import { textOf } from '../../../base/json.ts';
import { oneOf } from '../../../base/wording.ts';
import { kindsNamed } from '../../../contract/callflow-modules.ts';
import { referencesOfRecord } from '../../../contract/record-references.ts';
import type { Resource, ResourceName } from '../../../contract/types.ts';
import type { Problem } from '../../input/document.ts';
import type { DesiredAccount, DesiredObject } from '../desired.ts';
import { kindByName } from '../kinds.ts';

/**
 * Finds names of objects of the manifest that stand where an id has to stand: a service takes such a text, and the
 * record then leads nowhere. `${menus.main}` is the way to write it. These are warnings, since an account may hold such a
 * text already, and what is exported of it has to apply.
 */
export function* plainNames({ objects }: DesiredAccount): Generator<Problem> {
  const named = new Map<string, DesiredObject>();
  for (const object of objects) {
    const { keys, resource, shape } = kindByName(object.kind);
    // A phone number is its own id.
    if (shape === 'one' || keys.includes('id')) continue;
    for (const name of [object.name, ...keys.flatMap((key) => textOf(object.fields[key]) ?? [])])
      if (name !== object.id) named.set(slot(resource.name, name), object);
  }
  for (const place of textsForIds({ objects })) {
    const [meant] = place.kinds.flatMap((kind) => named.get(slot(kind, place.text)) ?? []);
    if (meant !== undefined) yield place.named(kindByName(meant.kind).resource, meant.key);
  }
}

/** Texts that stand where an id has to stand and are none, each with the problem that it is a name. */
export const textsForIds = ({ objects }: Pick<DesiredAccount, 'objects'>) =>
  objects.flatMap((object) =>
    [...referencesOfRecord(kindByName(object.kind), object.fields)].flatMap((reference) => {
      const { keys, id: text } = reference;
      const named = ({ singular }: Resource, key: string): Problem =>
        object.problem(
          keys.join('.'),
          `${JSON.stringify(text)} is the name of ${oneOf(singular)}, and an id belongs here; write \${${key}}`,
        );
      return /^[0-9a-f]{32}$/i.test(text) ? [] : [{ text, kinds: kindsNamed(reference), named }];
    }),
  );

const slot = (kind: ResourceName, name: string): string => `${kind} ${name}`;
