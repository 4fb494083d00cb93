import { humanize, hyphenate, withArticle } from '../base/wording.ts';
import { markConventional, object } from './fields.ts';
import { findChildNode, type Schema } from './schema-node.ts';
import type { Column, ErrorShape, GenericVerb, Method, Operation, Resource } from './types.ts';

/** The schema is built on first access. */
export type ResourceFacts = Omit<Resource, 'schema' | 'operations' | 'columns' | Usual> &
  Partial<Pick<Resource, Usual>> &
  OperationFacts &
  RecordShape & {
    readonly operations: readonly OperationSet[];
    /** A name is short for the column of that field. */
    readonly columns: readonly (string | Column)[];
  };

export type RecordShape =
  | { readonly doc: string; readonly fields: () => Readonly<Record<string, Schema>> }
  | { readonly doc?: never; readonly fields?: never; readonly schema: () => Schema };

type Usual = 'naturalKeys' | 'required' | 'unique' | 'listFields' | 'kind';

/**
 * Creates a resource. Its schema is created on first use, because a command needs few schemas, and creating all would
 * delay each start. If the specification lists no operation of the resource, its fields are also a convention.
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
        made = isListed ? schema() : markConventional(schema());
      }
      return made;
    },
    get columns() {
      table ??= columns.map((each) => (typeof each === 'string' ? fieldColumn(this.schema, each) : each));
      return table;
    },
  };
  loaded.set(facts.name, described);
  return described;
}

/** Returns a column with the field's name as heading, in the format of its type. */
function fieldColumn(schema: Schema, field: string): Column {
  const node = findChildNode(schema, schema, field) ?? {};
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

/** The file of a resource is loaded if one of its operations is in use. */
export const loadedResource = (name: string): Resource | undefined => loaded.get(name);

export function resourceOf({ resource: name }: Pick<Operation, 'resource'>): Resource {
  const found = loaded.get(name);
  if (found === undefined) throw new Error(`The resource ${name} of an operation is not loaded.`);
  return found;
}

export const unknownSchema: Schema = {};

export function requestSchema(operation: Operation): Schema {
  const { body } = operation;
  if (body?.kind === 'value') return body.schema;
  return body?.kind === 'action' || body?.kind === 'file' ? unknownSchema : resourceOf(operation).schema;
}

/** Throws a plain error for a missing verb, which is a bug. */
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

/** Returns words such as `sso apps` or `car-parks`. */
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

/** Defaults for the operations of a resource. */
export interface OperationFacts {
  /** Section of the record, and of its operations unless one of the next two is set. */
  readonly section: string;
  /** Section of the specification that lists the operations. */
  readonly listedIn?: string;
  /** Section of conventional operations, if the specification contains others. */
  readonly conventionsIn?: string;
  readonly errors?: ErrorShape;
  readonly prefix?: Operation['prefix'];
}

type Named = OperationFacts & Pick<Resource, 'name' | 'singular' | 'plural' | 'idParameter'>;

const lifeCycle = 'Conventions, life cycle of a record';

/** By default, a convention that returns a record. */
export type OperationRow = Pick<Operation, 'summary'> &
  Partial<Omit<Operation, 'id' | 'resource' | 'verb' | 'method' | 'path'>> & {
    readonly route: `${Method} /${string}`;
  };

export type OperationRows = Readonly<Record<string, OperationRow>>;

export const listOperation = (
  path: `/${string}`,
  summary: string,
  more: Partial<OperationRow> = {},
): OperationRow => ({ route: `GET ${path}`, reply: { kind: 'list' }, summary, ...more });

/** Data with its own schema, in a request or a response. */
export const value = (schema: Schema) => ({ kind: 'value', schema }) as const;

export const showOperation = (
  path: `/${string}`,
  summary: string,
  schema: Schema,
  more: Partial<OperationRow> = {},
): OperationRow => ({ route: `GET ${path}`, reply: value(schema), summary, ...more });

/** Lists require a time range if services store each month separately. */
export const timeRangeFilters = [
  {
    name: 'created_from',
    doc: 'Start of the range, in Gregorian seconds (at most 31 days and one hour before the end)',
  },
  { name: 'created_to', doc: 'End of the range, in Gregorian seconds (default: now)' },
] as const;

/** Rows, or a function of the resource's facts. */
export type OperationSet = OperationRows | ((facts: Named) => readonly Operation[]);

/**
 * Reads are safe to repeat, deletes are destructive and idempotent, and creates (PUT) are never repeated. Others may
 * be repeated.
 */
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

const operationsOf = (facts: Named, sets: readonly OperationSet[]): readonly Operation[] =>
  sets.flatMap((set) =>
    typeof set === 'function'
      ? set(facts)
      : Object.entries(set).map(([verb, row]) => operation(facts, verb, row)),
  );

export const isListed = ({ reply, listed }: Operation): boolean =>
  reply.kind === 'list' || listed !== undefined;

/** Merges by replacement if services have no patch. */
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
  /** Default: the name of the resource. */
  readonly plural?: string;
  /** Default: the singular of the resource. */
  readonly singular?: string;
  /** Section of conventional operations, if it differs from the record's. */
  readonly section?: string;
  readonly role?: Operation['role'];
  /** Verbs of the specification. Others are conventions of compatible services. */
  readonly documented?: readonly GenericVerb[];
  /** Verbs that the service lacks, or that the resource describes itself. */
  readonly without?: readonly GenericVerb[];
  readonly except?: Partial<Readonly<Record<GenericVerb, Partial<OperationRow>>>>;
}

/** Creates list, get, create, update, patch and delete (Conventions, life cycle of a record). */
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

/** This key of a request accepts charges (Errors, rule 1). It is not a field of a record. */
export const acceptance = 'accept_charges';

/** Path or query parameter. */
export const accountParameter = 'account_id';

/** The account is in the query (default: the caller's account). */
export const takesAccountInQuery = ({ query = [] }: Pick<Operation, 'query'>): boolean =>
  query.some(({ name }) => name === accountParameter);

export const namesAccount = (operation: Pick<Operation, 'path' | 'query'>): boolean =>
  operation.path.includes(`{${accountParameter}}`) || takesAccountInQuery(operation);

/** Creates get, update and delete of settings that an account has once. `what` is their name: `the rules of tokens`. */
export const settings = (path: `/${string}`, what: string): OperationRows => ({
  get: { route: `GET ${path}`, summary: `Show ${what}` },
  update: { route: `POST ${path}`, body: { kind: 'record' }, summary: `Replace ${what}` },
  delete: { route: `DELETE ${path}`, summary: `Remove ${what}` },
});
