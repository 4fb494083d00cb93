import { textOf } from '../../../base/json.ts';
import { oneOf } from '../../../base/wording.ts';
import { kindsNamed } from '../../../contract/callflow-modules.ts';
import { referencesOfRecord } from '../../../contract/record-references.ts';
import type { ResourceName } from '../../../contract/types.ts';
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
  for (const object of objects)
    for (const reference of referencesOfRecord(kindByName(object.kind), object.fields)) {
      const { keys, id } = reference;
      const [meant] = kindsNamed(reference).flatMap((kind) => named.get(slot(kind, id)) ?? []);
      if (meant === undefined) continue;
      const { singular } = kindByName(meant.kind).resource;
      yield object.problem(
        keys.join('.'),
        `${JSON.stringify(id)} is the name of ${oneOf(singular)}, and an id belongs here; write \${${meant.key}}`,
      );
    }
}

const slot = (kind: ResourceName, name: string): string => `${kind} ${name}`;
