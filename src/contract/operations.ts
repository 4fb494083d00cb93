import { inWords, oneOf } from '../base/wording.ts';
import type { ErrorShape, GenericVerb, Method, Operation, Resource } from './types.ts';

const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const satisfies readonly Method[];
const genericVerbs = [
  'list',
  'get',
  'create',
  'update',
  'patch',
  'delete',
] as const satisfies readonly GenericVerb[];

/** Facts that a resource's file says once for all of its operations. */
export interface OperationFacts {
  /** Section that describes the record, and its operations where none of the next two is named. */
  readonly section: string;
  /** Section of the specification that lists the operations. */
  readonly listedIn?: string;
  /** Section of operations that are a convention beside listed ones. */
  readonly conventionsIn?: string;
  readonly errors?: ErrorShape;
  readonly prefix?: Operation['prefix'];
}

type Named = OperationFacts & Pick<Resource, 'name' | 'singular' | 'plural' | 'idParameter'>;

const lifeCycle = 'Conventions, life cycle of a record';

/** An operation as its resource has it: a convention with a record as its reply, where it says nothing else. */
export type OperationRow = Pick<Operation, 'summary'> &
  Partial<Omit<Operation, 'id' | 'resource' | 'verb' | 'method' | 'path'>> & {
    readonly route: `${Method} /${string}`;
  };

export type OperationRows = Readonly<Record<string, OperationRow>>;

/** Operations of a resource: rows, or what makes them from its facts. */
export type OperationSet = OperationRows | ((facts: Named) => readonly Operation[]);

/** Reads are safe to repeat, deletes destroy and are idempotent, creates (PUT) are never repeated, others may be. */
const byMethod = {
  GET: { effect: 'read', repeat: 'safe' },
  PUT: { effect: 'write', repeat: 'never' },
  POST: { effect: 'write', repeat: 'idempotent' },
  PATCH: { effect: 'write', repeat: 'idempotent' },
  DELETE: { effect: 'destructive', repeat: 'idempotent' },
} as const satisfies Record<Method, Pick<Operation, 'effect' | 'repeat'>>;

function operation(
  { name, section, listedIn, conventionsIn, errors, prefix }: Named,
  verb: string,
  { route, ...row }: OperationRow,
): Operation {
  const method = methods.find((each) => route.startsWith(`${each} /`)) ?? 'GET';
  const source = row.source ?? 'convention';
  const ofConvention = conventionsIn ?? (listedIn === undefined ? section : lifeCycle);
  return {
    resource: name,
    section: source === 'convention' ? ofConvention : (listedIn ?? section),
    errors: errors ?? 'reference',
    id: `${name}.${verb}`,
    verb,
    method,
    path: route.slice(method.length + 1),
    source,
    prefix: prefix ?? 'profile',
    authenticated: true,
    role: 'tree',
    reply: { kind: 'record' },
    ...byMethod[method],
    ...row,
  };
}

/** Completes the operations that the file of a resource describes. */
export const operationsOf = (facts: Named, sets: readonly OperationSet[]): readonly Operation[] =>
  sets.flatMap((set) =>
    typeof set === 'function'
      ? set(facts)
      : Object.entries(set).map(([verb, row]) => operation(facts, verb, row)),
  );

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

export interface CollectionFacts {
  /** Path of the collection, where it is not the resource's name in an account. */
  readonly path?: `/${string}`;
  /** Plural where it is not the name of the resource. */
  readonly plural?: string;
  /** Singular where it is not the resource's. */
  readonly singular?: string;
  /** Verbs that the specification lists; the others are the convention of compatible services. */
  readonly documented?: readonly GenericVerb[];
  /** Verbs that the service does not have at all, or that a resource describes by itself. */
  readonly without?: readonly GenericVerb[];
  readonly except?: Partial<Readonly<Record<GenericVerb, Partial<OperationRow>>>>;
}

/** Builds list, get, create, update, patch and delete of a collection (Conventions, life cycle of a record). */
export const collection =
  (own: CollectionFacts = {}) =>
  (facts: Named): readonly Operation[] => {
    const { path = `/accounts/{account_id}/${facts.name}`, documented = [], without = [], except = {} } = own;
    const { singular = inWords(facts.singular), plural = inWords(facts.name) } = own;
    const one = `${path}/{${facts.idParameter}}` as const;
    const body = { kind: 'record' } as const;
    const verbs: Readonly<Record<GenericVerb, OperationRow>> = {
      list: { route: `GET ${path}`, reply: { kind: 'list' }, summary: `List ${plural}` },
      get: { route: `GET ${one}`, summary: `Show one ${singular}` },
      create: { route: `PUT ${path}`, body, summary: `Create ${oneOf(singular)}` },
      update: { route: `POST ${one}`, body, summary: `Replace ${oneOf(singular)}: what is not sent is lost` },
      patch: {
        route: `PATCH ${one}`,
        body: { kind: 'partial' },
        summary: `Change fields of ${oneOf(singular)}`,
      },
      delete: { route: `DELETE ${one}`, summary: `Delete ${oneOf(singular)}` },
    };
    return genericVerbs
      .filter((verb) => !without.includes(verb))
      .map((verb) => {
        const isListed = documented.includes(verb);
        const where = isListed ? { source: 'specification' as const } : { section: lifeCycle };
        return operation(facts, verb, { ...verbs[verb], ...where, ...except[verb] });
      });
  };

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

/** Builds get, update and delete of settings that an account has once; `what` names them: `the rules of tokens`. */
export const settings = (path: `/${string}`, what: string): OperationRows => ({
  get: { route: `GET ${path}`, summary: `Show ${what}` },
  update: { route: `POST ${path}`, body: { kind: 'record' }, summary: `Replace ${what}` },
  delete: { route: `DELETE ${path}`, summary: `Remove ${what}` },
});
