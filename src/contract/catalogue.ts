import { hyphenated } from '../base/wording.ts';
import { commandWordsOf } from './resource.ts';
import * as listed from './resource-list.ts';
import type { Operation, Resource, ResourceName } from './types.ts';

const byName: Readonly<Record<ResourceName, Resource>> = listed;

/** Every resource, in the order of reference pages: those without an `order` last, by name. */
export const resources: readonly Resource[] = Object.values(byName).toSorted(
  (one, other) => (one.order ?? Infinity) - (other.order ?? Infinity) || (one.name < other.name ? -1 : 1),
);

export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

const operationsById = new Map(operations.map((each) => [each.id, each]));
const resourcesByWord = new Map<string, Resource>(
  resources.flatMap((resource) => [
    [resource.name, resource],
    [commandWordsOf(resource).join(' '), resource],
    [resource.singular, resource],
    [hyphenated(resource.singular), resource],
  ]),
);

export function resourceByName(name: ResourceName): Resource {
  return byName[name];
}

/** The resource that a word on the command line means, plural or singular; `undefined` for other words. */
export function resourceByWord(word: string): Resource | undefined {
  return resourcesByWord.get(word);
}

/** The operation of that id, for example `users.vcard`. An unknown id is a bug and throws a plain error. */
export function operationById(id: string): Operation {
  const found = operationsById.get(id);
  if (found === undefined) throw new Error(`The contract has no operation ${id}.`);
  return found;
}

export function operationOf(resource: ResourceName | Resource, verb: string): Operation | undefined {
  return operationsById.get(`${typeof resource === 'string' ? resource : resource.name}.${verb}`);
}
