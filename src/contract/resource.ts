import { humanize, hyphenate, withArticle } from '../base/wording.ts';
import { conventional, object } from './fields.ts';
import { childOf, type Schema } from './schema-node.ts';
import type { Column, ErrorShape, GenericVerb, Method, Operation, Resource } from './types.ts';

/** A resource as described in its file. Its schema is built on first access. */
export type ResourceFacts = Omit<Resource, 'schema' | 'operations' | 'columns' | Usual> &
  Partial<Pick<Resource, Usual>> &
  OperationFacts &
  RecordShape & {
    readonly operations: readonly OperationSet[];
    /** A name is short for the column of that field. */
    readonly columns: readonly (string | Column)[];
  };

/** The fields of a record, or a schema of another kind. */
export type RecordShape =
  | { readonly doc: string; readonly fields: () => Readonly<Record<string, Schema>> }
  | { readonly doc?: never; readonly fields?: never; readonly schema: () => Schema };

/** Facts with a default. */
type Usual = 'naturalKeys' | 'required' | 'unique' | 'listFields' | 'kind';

/**
 * Creates a resource. Its schema is created on first use, because a command needs only a few, and creating all would
 * slow down each start. If the specification lists no operation of the resource, its fields are also a convention.
 */
export function resource(said: ResourceFacts): Resource {
  let made: Schema | undefined;
  let table: readonly Column[] | undefined;
  const { kind = 'collection', singular } = said;
  const given = {
    ...(kind === 'collection' ? { idParameter: `${singular.replaceAll(' ', '_')}_id` } : {}),
    ...said,
    kind,
  };
  const operations = operationsOf(given, given.operations);
  const { listedIn: _, conventionsIn: __, errors: ___, prefix: ____, doc, fields, columns, ...facts } = given;
  const schema = () => ('schema' in facts ? facts.schema() : object({ ...fields?.() }, doc ?? ''));
  const described: Resource = {
    naturalKeys: [],
    required: [],
    unique: [],
    listFields: [],
    ...facts,
    operations,
    get schema() {
      if (made === undefined) {
        const isListed = operations.some(({ source }) => source === 'specification');
        made = isListed ? schema() : conventional(schema());
      }
      return made;
    },
    get columns() {
      table ??= columns.map((each) => (typeof each === 'string' ? columnOf(this.schema, each) : each));
      return table;
    },
  };
  loaded.set(facts.name, described);
  return described;
}

/** The column of a field: headed by its name, shown as its type says. */
function columnOf(schema: Schema, field: string): Column {
  const node = childOf(schema, schema, field) ?? {};
  const { type, items, 'x-ref': refers } = node;
  const paths = [field];
  const header = field.toUpperCase().replaceAll('_', ' ');
  if (field === 'id') return { header, paths, show: 'id' };
  if (refers && field.endsWith('_id'))
    return { header: header.replace(/ ID$/, ''), paths, show: 'id', refers };
  if (type === 'boolean') return { header, paths, show: 'flag' };
  if (node['x-shown-as'] === 'moment') return { header, paths, show: 'time' };
  const isList = type === 'array' && (items?.type ?? 'string') === 'string';
  return isList ? { header, paths, show: 'list' } : { header, paths };
}

const loaded = new Map<string, Resource>();

/** Returns a resource by name, if its file is loaded. It is, if one of its operations is in use. */
export const loadedResource = (name: string): Resource | undefined => loaded.get(name);

export function resourceOf({ resource: name }: Pick<Operation, 'resource'>): Resource {
  const found = loaded.get(name);
  if (found === undefined) throw new Error(`The resource ${name} of an operation is not loaded.`);
  return found;
}

/** Schema of unknown data, without secret fields. */
export const unknownSchema: Schema = {};

export function requestSchema(operation: Operation): Schema {
  const { body } = operation;
  if (body?.kind === 'value') return body.schema;
  return body?.kind === 'action' || body?.kind === 'file' ? unknownSchema : resourceOf(operation).schema;
}

/** The operation of a resource by its verb. One that it does not have is a bug and throws a plain error. */
export function operationIn(
  { name, operations }: Pick<Resource, 'name' | 'operations'>,
  verb: string,
): Operation {
  const found = operations.find((each) => each.verb === verb);
  if (found === undefined) throw new Error(`The contract has no operation ${name}.${verb}.`);
  return found;
}

export const pluralIn = ({ name, plural }: Pick<Resource, 'name' | 'plural'>): string =>
  plural ?? humanize(name);

/** Returns the first words of a resource's commands: `sso apps`, `car-parks`. */
export const commandWordsOf = ({
  name,
  commandWords = [hyphenate(name)],
}: Pick<Resource, 'name' | 'commandWords'>): readonly [string, ...string[]] => commandWords;

const genericVerbs = [
  'list',
  'get',
  'create',
  'update',
  'patch',
  'delete',
] as const satisfies readonly GenericVerb[];
const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const satisfies readonly Method[];

/** Facts that a resource's file says once for all of its operations. */
export interface OperationFacts {
  /** Section that describes the record, and its operations unless one of the next two is set. */
  readonly section: string;
  /** Section of the specification that lists the operations. */
  readonly listedIn?: string;
  /** Section of conventional operations, if others are in the specification. */
  readonly conventionsIn?: string;
  readonly errors?: ErrorShape;
  readonly prefix?: Operation['prefix'];
}

type Named = OperationFacts & Pick<Resource, 'name' | 'singular' | 'plural' | 'idParameter'>;

const lifeCycle = 'Conventions, life cycle of a record';

/** An operation of a resource. The default is a convention with a record as its reply. */
export type OperationRow = Pick<Operation, 'summary'> &
  Partial<Omit<Operation, 'id' | 'resource' | 'verb' | 'method' | 'path'>> & {
    readonly route: `${Method} /${string}`;
  };

export type OperationRows = Readonly<Record<string, OperationRow>>;

/** A read that lists records. */
export const listing = (
  path: `/${string}`,
  summary: string,
  more: Partial<OperationRow> = {},
): OperationRow => ({ route: `GET ${path}`, reply: { kind: 'list' }, summary, ...more });

/** Data of a schema of its own, in a request or a reply. */
export const value = (schema: Schema) => ({ kind: 'value', schema }) as const;

/** A read operation that returns a value of this schema. */
export const showing = (
  path: `/${string}`,
  summary: string,
  schema: Schema,
  more: Partial<OperationRow> = {},
): OperationRow => ({ route: `GET ${path}`, reply: value(schema), summary, ...more });

/** Query for a time range. Lists require it if services store each month separately. */
export const timeRangeFilters = [
  {
    name: 'created_from',
    doc: 'Start of the range, in Gregorian seconds (at most 31 days and one hour before the end)',
  },
  { name: 'created_to', doc: 'End of the range, in Gregorian seconds (default: now)' },
] as const;

/** Operations of a resource, as rows or as a function of its facts. */
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
const operationsOf = (facts: Named, sets: readonly OperationSet[]): readonly Operation[] =>
  sets.flatMap((set) =>
    typeof set === 'function'
      ? set(facts)
      : Object.entries(set).map(([verb, row]) => operation(facts, verb, row)),
  );

/** Returns true for an operation whose response contains a list of records. */
export const isListed = ({ reply, listed }: Operation): boolean =>
  reply.kind === 'list' || listed !== undefined;

/** Returns the operation of a verb. If services have no patch, it merges by replacement. */
export function operationOfVerb(
  { operations, patchedByUpdate }: Pick<Resource, 'operations' | 'patchedByUpdate'>,
  verb: string,
): Operation | undefined {
  const found = operations.find((each) => each.verb === verb);
  const update = verb === 'patch' && patchedByUpdate ? operationOfVerb({ operations }, 'update') : undefined;
  return found ?? (update && { ...update, body: { kind: 'partial', whole: true } });
}

export interface CollectionFacts {
  /** Path of the collection (default: the resource's name below the account). */
  readonly path?: `/${string}`;
  /** Plural (default: the name of the resource). */
  readonly plural?: string;
  /** Singular (default: the resource's). */
  readonly singular?: string;
  /** Section of conventional operations, if it differs from the record's. */
  readonly section?: string;
  /** Role that all of them need. */
  readonly role?: Operation['role'];
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
    const { section = lifeCycle, role = 'tree' } = own;
    const { singular = humanize(facts.singular), plural = humanize(facts.name) } = own;
    const one = `${path}/{${facts.idParameter}}` as const;
    const body = { kind: 'record' } as const;
    const verbs: Readonly<Record<GenericVerb, OperationRow>> = {
      list: { route: `GET ${path}`, reply: { kind: 'list' }, summary: `List ${plural}` },
      get: { route: `GET ${one}`, summary: `Show one ${singular}` },
      create: { route: `PUT ${path}`, body, summary: `Create ${withArticle(singular)}` },
      update: {
        route: `POST ${one}`,
        body,
        summary: `Replace ${withArticle(singular)}; missing fields are removed`,
      },
      patch: {
        route: `PATCH ${one}`,
        body: { kind: 'partial' },
        summary: `Change fields of ${withArticle(singular)}`,
      },
      delete: { route: `DELETE ${one}`, summary: `Delete ${withArticle(singular)}` },
    };
    return genericVerbs
      .filter((verb) => !without.includes(verb))
      .map((verb) => {
        const where = documented.includes(verb) ? { source: 'specification' as const } : { section };
        return operation(facts, verb, { ...verbs[verb], role, ...where, ...except[verb] });
      });
  };

/** The key of a request that accepts charges (Errors, rule 1). It is no field of any record. */
export const acceptance = 'accept_charges';

/** Path or query parameter with the account of an operation. */
export const accountParameter = 'account_id';

/** Returns true for an operation whose account is in the query (default: the caller's account). */
export const takesAccountInQuery = ({ query = [] }: Pick<Operation, 'query'>): boolean =>
  query.some(({ name }) => name === accountParameter);

/** Returns true for an operation on any account. */
export const namesAccount = (operation: Pick<Operation, 'path' | 'query'>): boolean =>
  operation.path.includes(`{${accountParameter}}`) || takesAccountInQuery(operation);

/**
 * Creates the operations get, update and delete of settings that an account has once. `what` is their name: `the rules
 * of tokens`.
 */
export const settings = (path: `/${string}`, what: string): OperationRows => ({
  get: { route: `GET ${path}`, summary: `Show ${what}` },
  update: { route: `POST ${path}`, body: { kind: 'record' }, summary: `Replace ${what}` },
  delete: { route: `DELETE ${path}`, summary: `Remove ${what}` },
});
