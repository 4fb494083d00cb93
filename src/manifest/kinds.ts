import { operationOf, resourceByName } from '../contract/catalogue.ts';
import type { Schema } from '../contract/schema-node.ts';
import type { Operation, Resource, ResourceName } from '../contract/types.ts';

/** A section of a manifest: the plural noun, or the name of what an account has once. */
export type KindName =
  | 'accounts'
  | 'account_settings'
  | 'limits'
  | 'services'
  | 'metaflows'
  | 'selector_rules'
  | 'users'
  | 'vmboxes'
  | 'menus'
  | 'groups'
  | 'directories'
  | 'conferences'
  | 'callflows'
  | 'numbers'
  | 'ports'
  | 'webhooks'
  | 'apps'
  | 'selectors';

/** The calls by which objects of a kind are read and changed, as far as the service has them. */
export interface KindCalls {
  readonly list?: Operation;
  readonly get?: Operation;
  readonly create?: Operation;
  /** Merges a part of the record. */
  readonly patch?: Operation;
  /** Replaces the whole record. */
  readonly replace?: Operation;
  readonly delete?: Operation;
}

/** What can stand in one section of a manifest, and how the service is asked for it. */
export interface Kind {
  readonly name: KindName;
  readonly resource: Resource;
  /** `many`: objects by local name. `one`: the section is the object. */
  readonly shape: 'many' | 'one';
  /** Shape of the record, or of the part of it that the section holds. */
  readonly schema: Schema;
  /**
   * Fields by which an object of the manifest is found in the account, best first. `id`: the local name is the id
   * itself (a phone number). None for what an account has once.
   */
  readonly keys: readonly string[];
  readonly calls: KindCalls;
  /** A change can add charges, which the service tells by a 402. */
  readonly mayCost?: true;
}

const callsOf = (name: ResourceName): KindCalls => {
  const found = {
    list: operationOf(name, 'list'),
    get: operationOf(name, 'get'),
    create: operationOf(name, 'create'),
    patch: operationOf(name, 'patch'),
    replace: operationOf(name, 'update'),
    delete: operationOf(name, 'delete'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, operation]) => operation !== undefined));
};

function many(name: KindName & ResourceName, more: Partial<Kind> = {}): Kind {
  const resource = resourceByName(name);
  const { schema, naturalKeys } = resource;
  return { name, resource, shape: 'many', schema, keys: naturalKeys, calls: callsOf(name), ...more };
}

function one(name: KindName, of: ResourceName, calls: KindCalls, more: Partial<Kind> = {}): Kind {
  const resource = resourceByName(of);
  return { name, resource, shape: 'one', schema: resource.schema, keys: [], calls, ...more };
}

const required = (id: string): Operation => {
  const [of, verb] = id.split('.') as [ResourceName, string];
  const found = operationOf(of, verb);
  if (!found) throw new Error(`The contract has no operation ${id}.`);
  return found;
};

const selectorRules = required('selectors.update-rules');

/**
 * Every kind that a manifest can hold, in the order of sections in exported manifests and schemas. Faxes, messages
 * and participants are deeds, not settings; tokens, keys, links and providers belong to the service or to one person.
 */
export const kinds: readonly Kind[] = [
  many('accounts'),
  one('account_settings', 'accounts', {
    get: required('accounts.get'),
    patch: required('accounts.patch'),
    replace: required('accounts.update'),
  }),
  one(
    'limits',
    'limits',
    { get: required('limits.get'), replace: required('limits.set') },
    { mayCost: true },
  ),
  one('services', 'services', {
    get: required('services.get'),
    replace: required('services.update'),
  }),
  one('metaflows', 'metaflows', {
    get: required('metaflows.get'),
    replace: required('metaflows.update'),
    delete: required('metaflows.delete'),
  }),
  one(
    'selector_rules',
    'selectors',
    { get: required('selectors.rules'), replace: selectorRules },
    { schema: selectorRules.body?.kind === 'value' ? selectorRules.body.schema : {} },
  ),
  many('users'),
  many('vmboxes'),
  many('menus'),
  many('groups'),
  many('directories'),
  many('conferences'),
  many('callflows'),
  many('numbers', { keys: ['id'] }),
  many('ports'),
  many('webhooks'),
  many('apps'),
  many('selectors'),
];

const byName = new Map<string, Kind>(kinds.map((kind) => [kind.name, kind]));

/** The kind of that section; `undefined` where a manifest has no such section. */
export const kindOf = (section: string): Kind | undefined => byName.get(section);

/** The kind of an object that was read already. An unknown one is a bug. */
export function kindByName(name: string): Kind {
  const found = byName.get(name);
  if (!found) throw new Error(`There is no kind ${name}.`);
  return found;
}
