import { accounts } from './resources/accounts.ts';
import { apps } from './resources/apps.ts';
import { callflows } from './resources/callflows.ts';
import { conferences } from './resources/conferences.ts';
import { contacts } from './resources/contacts.ts';
import { directories } from './resources/directories.ts';
import { faxes } from './resources/faxes.ts';
import { groups } from './resources/groups.ts';
import { keys } from './resources/keys.ts';
import { limits } from './resources/limits.ts';
import { links } from './resources/links.ts';
import { menus } from './resources/menus.ts';
import { messages } from './resources/messages.ts';
import { metaflows } from './resources/metaflows.ts';
import { numbers } from './resources/numbers.ts';
import { participants } from './resources/participants.ts';
import { ports } from './resources/ports.ts';
import { providers } from './resources/providers.ts';
import { selectors } from './resources/selectors.ts';
import { services } from './resources/services.ts';
import { tokens } from './resources/tokens.ts';
import { users } from './resources/users.ts';
import { vmboxes } from './resources/vmboxes.ts';
import { webhooks } from './resources/webhooks.ts';
import type { Operation, Resource, ResourceName } from './types.ts';

const byName = {
  accounts,
  users,
  groups,
  callflows,
  metaflows,
  menus,
  directories,
  conferences,
  participants,
  vmboxes,
  messages,
  faxes,
  numbers,
  ports,
  contacts,
  selectors,
  services,
  limits,
  webhooks,
  tokens,
  apps,
  providers,
  links,
  keys,
} as const satisfies Readonly<Record<ResourceName, Resource>>;

/** Every resource, in the order of help pages. */
export const resources: readonly Resource[] = Object.values(byName);

/** Every operation of every resource. */
export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

const operationsById = new Map(operations.map((each) => [each.id, each]));
const resourcesByWord = new Map<string, Resource>(
  resources.flatMap((resource) => [
    [resource.name, resource],
    [resource.singular, resource],
  ]),
);

/** The resource of that name. */
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

/** The operation of a resource by its verb, or `undefined` where the service does not have it. */
export function operationOf(resource: ResourceName | Resource, verb: string): Operation | undefined {
  return operationsById.get(`${typeof resource === 'string' ? resource : resource.name}.${verb}`);
}
