import { inWords, oneOf } from '../base/wording.ts';
import type { ErrorShape, GenericVerb, Method, Operation, Resource, ResourceName } from './types.ts';

/** The facts that every operation of a resource shares, so that a resource's file says them once. */
export interface OperationDefaults {
  readonly resource: ResourceName;
  /** Section of the specification, for documented operations; conventional ones name their own. */
  readonly section: string;
  readonly errors: ErrorShape;
  readonly prefix?: Operation['prefix'];
}

/** Source of the generic verbs of collections when the specification does not list them. */
const lifeCycle = 'Conventions, life cycle of a record';

/** Facts that an operation must give of itself; the rest follows from its method. */
export type OperationFacts = Pick<Operation, 'verb' | 'method' | 'path' | 'source' | 'reply' | 'summary'> &
  Partial<Operation>;

/**
 * Completes an operation's description: reads are safe to repeat, deletes destroy and are idempotent, creates
 * (PUT) are never repeated, replace and merge may be.
 */
export function operation(defaults: OperationDefaults, facts: OperationFacts): Operation {
  const byMethod = {
    GET: { effect: 'read', repeat: 'safe' },
    PUT: { effect: 'write', repeat: 'never' },
    POST: { effect: 'write', repeat: 'idempotent' },
    PATCH: { effect: 'write', repeat: 'idempotent' },
    DELETE: { effect: 'destructive', repeat: 'idempotent' },
  } as const satisfies Record<Method, Pick<Operation, 'effect' | 'repeat'>>;
  return {
    ...defaults,
    ...(facts.source === 'convention' ? { section: lifeCycle } : {}),
    id: `${defaults.resource}.${facts.verb}`,
    prefix: defaults.prefix ?? 'profile',
    authenticated: true,
    role: 'tree',
    ...byMethod[facts.method],
    ...facts,
  };
}

/** True for an operation whose records come one by one, wherever its reply has them. */
export const isListed = ({ reply, listed }: Operation): boolean =>
  reply.kind === 'list' || listed !== undefined;

/** The operation of a verb; a patch of what services have none for is a merge by replacement. */
export function operationOfVerb(
  { operations, patchedByUpdate }: Pick<Resource, 'operations' | 'patchedByUpdate'>,
  verb: string,
): Operation | undefined {
  const found = operations.find((each) => each.verb === verb);
  const update = verb === 'patch' && patchedByUpdate ? operationOfVerb({ operations }, 'update') : undefined;
  return found ?? (update && { ...update, body: { kind: 'partial', whole: true } });
}

/** The conventional six operations of a collection, with the documented ones marked as such. */
export interface CollectionFacts extends OperationDefaults {
  /** Path of the collection, for example `/accounts/{account_id}/users`. */
  readonly path: string;
  readonly idParameter: string;
  readonly singular: string;
  /** Plural where it is not the name of the resource. */
  readonly plural?: string;
  /** Verbs that the specification lists; the others are the convention of compatible services. */
  readonly documented: readonly GenericVerb[];
  /** Verbs that the service does not have at all, or that a resource describes by itself. */
  readonly without?: readonly GenericVerb[];
  /** Exceptions from the usual, by verb. */
  readonly except?: Partial<Readonly<Record<GenericVerb, Partial<Operation>>>>;
}

/** Builds list, get, create, update, patch and delete of a collection (Conventions, life cycle of a record). */
export function collectionOperations(facts: CollectionFacts): readonly Operation[] {
  const { path, idParameter, singular, plural, documented, without = [], except = {}, ...defaults } = facts;
  const one = `${path}/{${idParameter}}`;
  const record = { kind: 'record' } as const;
  const verbs = [
    {
      verb: 'list',
      method: 'GET',
      path,
      reply: { kind: 'list' },
      summary: `List ${plural ?? inWords(defaults.resource)}`,
    },
    { verb: 'get', method: 'GET', path: one, reply: record, summary: `Show one ${singular}` },
    {
      verb: 'create',
      method: 'PUT',
      path,
      body: record,
      reply: record,
      summary: `Create ${oneOf(singular)}`,
    },
    {
      verb: 'update',
      method: 'POST',
      path: one,
      body: record,
      reply: record,
      summary: `Replace ${oneOf(singular)}: what is not sent is lost`,
    },
    {
      verb: 'patch',
      method: 'PATCH',
      path: one,
      body: { kind: 'partial' },
      reply: record,
      summary: `Change fields of ${oneOf(singular)}`,
    },
    {
      verb: 'delete',
      method: 'DELETE',
      path: one,
      reply: record,
      summary: `Delete ${oneOf(singular)}`,
    },
  ] as const satisfies readonly Omit<OperationFacts, 'source'>[];
  return verbs
    .filter(({ verb }) => !without.includes(verb))
    .map((each) =>
      operation(defaults, {
        ...each,
        source: documented.includes(each.verb) ? 'specification' : 'convention',
        ...except[each.verb],
      }),
    );
}

/** The key of a request that accepts charges (Errors, rule 1). It is no field of any record. */
export const acceptance = 'accept_charges';

/** Path or query parameter by which an operation takes the account that it acts on. */
export const accountParameter = 'account_id';

/** True for an operation that takes its account from the query, and acts on the caller's without it. */
export const takesAccountInQuery = ({ query = [] }: Pick<Operation, 'query'>): boolean =>
  query.some(({ name }) => name === accountParameter);

/** True for an operation that acts on an account of the caller's choice. */
export const namesAccount = (operation: Pick<Operation, 'path' | 'query'>): boolean =>
  operation.path.includes(`{${accountParameter}}`) || takesAccountInQuery(operation);

export interface SettingFacts extends OperationDefaults {
  readonly path: string;
  /** The settings in words: `the rules of tokens`. */
  readonly what: string;
}

/** Builds get, update and delete of settings that an account has once, and that no table of the specification lists. */
export function settingOperations({ path, what, ...defaults }: SettingFacts): readonly Operation[] {
  const { section } = defaults;
  const facts = { path, source: 'convention', section } as const;
  const record = { kind: 'record' } as const;
  return [
    operation(defaults, { ...facts, verb: 'get', method: 'GET', reply: record, summary: `Show ${what}` }),
    operation(defaults, {
      ...facts,
      ...{ verb: 'update', method: 'POST', body: record, reply: record, summary: `Replace ${what}` },
    }),
    operation(defaults, {
      ...facts,
      ...{ verb: 'delete', method: 'DELETE', reply: record, summary: `Remove ${what}` },
    }),
  ];
}
