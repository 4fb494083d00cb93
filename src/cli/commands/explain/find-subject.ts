import { Failure, type NextStep, nextStep } from '../../../base/failure.ts';
import { findNearest } from '../../../base/nearest.ts';
import { hyphenate } from '../../../base/wording.ts';
import { resourceByWord, resources } from '../../../contract/catalogue.ts';
import { explainedModule, moduleNames } from '../../../contract/module-data.ts';
import {
  findChildNode,
  resolveReference,
  type Schema,
  type SchemaNode,
  stepKind,
} from '../../../contract/schema-node.ts';
import type { Operation, Resource } from '../../../contract/types.ts';
import { groupOf } from '../nouns.ts';
import { suggestWord, synonymsOf } from '../synonyms.ts';

/** The resource, operation or field that a path of `telctl explain` names. */
export type ExplainSubject =
  | { readonly kind: 'resource'; readonly resource: Resource }
  | { readonly kind: 'operation'; readonly resource: Resource; readonly operation: Operation }
  | {
      readonly kind: 'field';
      readonly resource: Resource;
      /** The operation whose body contains the field. `undefined` for fields of the record. */
      readonly operation?: Operation;
      readonly root: Schema;
      readonly node: SchemaNode;
      /** Keys below the resource or the operation. `*` stands for any position of a list or key of a map. */
      readonly keys: readonly string[];
    };

/** Returns the schema of an operation's body, if the body is not the record. */
export const bodySchema = ({ body }: Operation): Schema | undefined =>
  body?.kind === 'value' ? body.schema : undefined;

/**
 * Resolves a dotted path to a resource, one of its operations, or a field of the record or of an operation's body.
 * The path may omit keys of lists and maps: `callflows.flow.children.module`. Below a step of a flow, the name of a
 * module refers to the data of the module: `callflows.flow.menu`. Throws `usage` with the nearest match.
 */
export function findSubject(path: string): ExplainSubject {
  const [word = '', ...keys] = path.split('.');
  const resource = resourceByWord(word);
  if (resource === undefined) {
    throw unknownResource(word);
  }
  const [first, ...rest] = keys;
  if (first === undefined) return { kind: 'resource', resource };
  const fields = Object.keys(resolveReference(resource.schema, resource.schema).properties ?? {});
  const operation = resource.operations.find(({ verb }) => verb === first);
  const isField = findChildNode(resource.schema, resource.schema, first) !== undefined;
  if (operation && (rest.length === 0 ? !fields.includes(first) : !isField)) {
    const root = bodySchema(operation);
    if (rest.length === 0) return { kind: 'operation', resource, operation };
    if (root)
      return { kind: 'field', resource, operation, root, ...resolveKeys(root, `${word}.${first}`, rest) };
  }
  const verbs = resource.operations.map(({ verb }) => verb);
  const found = resolveKeys(resource.schema, word, keys, verbs);
  return { kind: 'field', resource, root: resource.schema, ...found };
}

/** Returns the failure for an unknown resource. Suggests a resource for trade terms, and help for other nouns. */
function unknownResource(word: string): Failure {
  const names = resources.map(({ name }) => name);
  const typed = hyphenate(word.toLowerCase());
  const other = suggestWord(typed, names.map(hyphenate))?.split(' ')[0];
  const known = groupOf(typed) !== undefined || synonymsOf(typed).length > 0;
  return unknownWord(
    'There is no resource',
    word,
    [],
    names,
    known ? nextStep`help ${typed}` : nextStep`explain`,
    other,
  );
}

function resolveKeys(
  root: Schema,
  start: string,
  keys: readonly string[],
  verbs: readonly string[] = [],
): { readonly node: SchemaNode; readonly keys: readonly string[] } {
  let node = resolveReference(root, root);
  let taken: readonly string[] = [];
  for (const key of keys) {
    const step = stepOf(root, node, key.replaceAll('%2E', '.'));
    if (step === undefined) {
      const where = [start, ...taken].join('.');
      const inside = objectInside(root, node);
      const known = [
        ...Object.keys(inside.properties ?? {}),
        ...modulesOf(inside),
        ...(taken.length === 0 ? verbs : []),
      ];
      throw unknownWord(`${where} has no field`, key, [start, ...taken], known, nextStep`explain ${where}`);
    }
    node = step.node;
    taken = [...taken, ...step.over, key];
  }
  return { node, keys: taken };
}

export function modulesOf(node: SchemaNode): readonly string[] {
  const kind = stepKind(node);
  return kind === undefined ? [] : moduleNames(kind);
}

interface Step {
  readonly node: SchemaNode;
  /** Positions of lists and maps before the key that the path omitted. */
  readonly over: readonly string[];
}

function stepOf(root: Schema, node: SchemaNode, key: string, over: readonly string[] = []): Step | undefined {
  const own = node.properties && Object.hasOwn(node.properties, key) ? node.properties[key] : undefined;
  if (own) return { node: resolveReference(root, own), over };
  const kind = stepKind(node);
  const module = kind && explainedModule(kind, key);
  if (module) return { node: module, over };
  const many = itemNode(root, node);
  const inside = many && key !== '*' ? stepOf(root, many, key, [...over, '*']) : undefined;
  if (inside && Object.keys(inside.node).length > 0) return inside;
  const child = findChildNode(root, node, key);
  // Objects that allow any key have nothing to explain about a single key.
  return child && Object.keys(child).length > 0 ? { node: child, over } : undefined;
}

function itemNode(root: Schema, node: SchemaNode): SchemaNode | undefined {
  if (node.items) return resolveReference(root, node.items);
  if (node.properties === undefined && typeof node.additionalProperties === 'object') {
    return resolveReference(root, node.additionalProperties);
  }
  return undefined;
}

/** Returns the object whose fields a node shows. Looks into lists and maps. */
export function objectInside(root: Schema, reference: SchemaNode): SchemaNode {
  const node = resolveReference(root, reference);
  const many = itemNode(root, node);
  return many ? objectInside(root, many) : node;
}

function unknownWord(
  what: string,
  word: string,
  before: readonly string[],
  known: readonly string[],
  list: NextStep,
  near = findNearest(word, known),
): Failure {
  const meant = near === undefined ? '' : ` Did you mean ${JSON.stringify([...before, near].join('.'))}?`;
  return new Failure('usage', `${what} ${JSON.stringify(word)}.${meant}`, { hint: list });
}

interface PathWord {
  readonly word: string;
  readonly doc: string;
}

function fieldsIn(root: Schema, node: SchemaNode): readonly PathWord[] {
  const inside = objectInside(root, node);
  return [
    ...Object.entries(inside.properties ?? {}).map(([word, { description = '' }]) => ({
      word,
      doc: description,
    })),
    ...modulesOf(inside).map((word) => ({ word, doc: 'Data of the module' })),
  ];
}

function wordsIn(subject: ExplainSubject): readonly PathWord[] {
  if (subject.kind === 'field') return fieldsIn(subject.root, subject.node);
  if (subject.kind === 'operation') {
    const schema = bodySchema(subject.operation);
    return schema ? fieldsIn(schema, schema) : [];
  }
  const { schema, operations } = subject.resource;
  return [
    ...fieldsIn(schema, schema),
    ...operations.map(({ verb, summary }) => ({ word: verb, doc: summary })),
  ];
}

/** Returns the paths one step below the typed text, for completion. */
export function pathWords(typed: string): readonly PathWord[] {
  const dot = typed.lastIndexOf('.');
  if (dot === -1) return resources.map(({ name, summary }) => ({ word: name, doc: summary }));
  const parent = typed.slice(0, dot);
  try {
    return wordsIn(findSubject(parent)).map(({ word, doc }) => ({ word: `${parent}.${word}`, doc }));
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
