import { hyphenated, inWords } from '../base/wording.ts';
import { object } from './fields.ts';
import { type OperationFacts, type OperationSet, operationsOf } from './operations.ts';
import type { Schema, SchemaNode } from './schema-node.ts';
import type { Operation, Resource } from './types.ts';

/** A resource as its file describes it: its schema is made when somebody first looks at it. */
export type ResourceFacts = Omit<Resource, 'schema' | 'operations' | Usual> &
  Partial<Pick<Resource, Usual>> &
  OperationFacts &
  RecordShape & { readonly operations: readonly OperationSet[] };

/** The fields of a record and what it is, or a schema of another kind. */
export type RecordShape =
  | { readonly doc: string; readonly fields: () => Readonly<Record<string, Schema>> }
  | { readonly doc?: never; readonly fields?: never; readonly schema: () => Schema };

/** Facts that are empty where a file does not name them; records are many with an id of their own. */
type Usual = 'naturalKeys' | 'required' | 'unique' | 'listFields' | 'kind';

/** A schema all of whose fields are the convention of compatible services. */
function conventional(node: SchemaNode): SchemaNode {
  const fields = (all: Readonly<Record<string, SchemaNode>>) =>
    Object.fromEntries(
      Object.entries(all).map(([key, field]): [string, SchemaNode] => [
        key,
        { ...conventional(field), 'x-source': 'convention' },
      ]),
    );
  const { properties, additionalProperties, items, anyOf } = node;
  return {
    ...node,
    ...(properties ? { properties: fields(properties) } : {}),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: conventional(additionalProperties) }
      : {}),
    ...(items ? { items: conventional(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(conventional) } : {}),
  };
}

/**
 * A resource whose schema comes into being on first use: a command needs one or two of them, and making all would
 * be felt at each start of the program. Where the specification lists none of its operations, its fields are a
 * convention, too.
 */
export function resource(said: ResourceFacts): Resource {
  let made: Schema | undefined;
  const { kind = 'collection', singular } = said;
  const given = {
    ...(kind === 'collection' ? { idParameter: `${singular.replaceAll(' ', '_')}_id` } : {}),
    ...said,
    kind,
  };
  const operations = operationsOf(given, given.operations);
  const { listedIn: _, conventionsIn: __, errors: ___, prefix: ____, doc, fields, ...facts } = given;
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
  };
  loaded.set(facts.name, described);
  return described;
}

const loaded = new Map<string, Resource>();

/** The resource of that name where its file is loaded, which it is wherever somebody has one of its operations. */
export const loadedResource = (name: string): Resource | undefined => loaded.get(name);

export function resourceOf({ resource: name }: Pick<Operation, 'resource'>): Resource {
  const found = loaded.get(name);
  if (found === undefined) throw new Error(`The resource ${name} of an operation is not loaded.`);
  return found;
}

/** Schema of a body of which nothing is known: no field of it is secret. */
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
  plural ?? inWords(name);

/** Words with which the commands of a resource begin: `sso apps`, `car-parks`. */
export const commandWordsOf = ({
  name,
  commandWords = [hyphenated(name)],
}: Pick<Resource, 'name' | 'commandWords'>): readonly [string, ...string[]] => commandWords;
