import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { callflowModules, kindsNamed, listReferences, namesRecord } from './callflow-modules.ts';
import { resourceByName, resourceByWord } from './catalogue.ts';
import { findReach } from './map-value.ts';
import { findChildNode, resolveReference, type SchemaNode, stepKind, subschemas } from './schema-node.ts';
import type { ResourceName } from './types.ts';

export interface RecordReference {
  /** For example, `['flow', 'children', '2', 'data', 'id']`. */
  readonly keys: readonly string[];
  /** For people: `flow/2 data.id`. */
  readonly path: string;
  /** `undefined` if the contract does not describe the resource, or cannot determine it. */
  readonly to: ResourceName | undefined;
  readonly or?: ResourceName;
  /** Noun for messages, such as `user`. */
  readonly word: string;
  readonly id: string;
  /** The step whose data contains the reference. */
  readonly step?: JsonObject;
  /** The service derives the field from other records, so it disappears with the record. */
  readonly workedOut?: true;
}

interface Described {
  readonly schema: SchemaNode;
}

interface Here {
  readonly node: SchemaNode;
  readonly value: Json;
  readonly keys: readonly string[];
  readonly workedOut: boolean;
}

const isStep = (node: SchemaNode): boolean => stepKind(node) !== undefined;

const canRefer = (node: SchemaNode): boolean =>
  node['x-ref'] !== undefined || node['x-key-ref'] !== undefined || isStep(node);

/**
 * Finds references in fields, in maps whose keys are ids, and in steps of flows. Skips secrets and fields that only
 * the service writes. The ids of `wanted` are also found if the contract describes no reference: in other fields, and
 * under any key of step data.
 */
export function* referencesOfRecord(
  { schema }: Described,
  record: JsonObject,
  wanted: ReadonlySet<string> = new Set(),
): Generator<RecordReference> {
  const open: Here[] = [{ node: schema, value: record, keys: [], workedOut: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = resolveReference(schema, next.node);
    if (node['x-secret'] === true || node.readOnly === true) continue;
    const here = { ...next, node, workedOut: next.workedOut || node['x-worked-out'] === true };
    if (typeof next.value === 'string') yield* referenceInText(here, next.value, wanted);
    if (typeof next.value !== 'object' || next.value === null) continue;
    yield* referencesInKeys(here, wanted);
    const step = stepAt(here);
    if (step) yield* referencesOfStep(step, here.keys, wanted);
    for (const inner of innerPlaces(schema, here, wanted).toReversed()) open.push(inner);
  }
}

const stepAt = ({ node, value }: Here): JsonObject | undefined =>
  isStep(node) && isObject(value) ? value : undefined;

function referenceTo(
  to: ResourceName | undefined,
  id: string,
  keys: readonly string[],
  { workedOut }: Here,
): RecordReference {
  const word = to === undefined ? 'id' : resourceByName(to).singular;
  return { keys, path: shownField(keys), to, word, id, ...(workedOut ? { workedOut } : {}) };
}

function* referenceInText(here: Here, id: string, wanted: ReadonlySet<string>): Generator<RecordReference> {
  const to = here.node['x-ref'];
  if (to && namesRecord(to, id)) yield referenceTo(to, id, here.keys, here);
  else if (wanted.has(id)) yield referenceTo(undefined, id, here.keys, here);
}

/** Skips the data of a step, whose keys contain no references. */
function* referencesInKeys(here: Here, wanted: ReadonlySet<string>): Generator<RecordReference> {
  const { node, value, keys } = here;
  const keyRef = isObject(value) ? node['x-key-ref'] : undefined;
  const isWanted = (key: string): boolean => stepAt(here) === undefined && wanted.has(key);
  for (const [key, inner] of Object.entries<Json | undefined>(Object(value))) {
    const to = keyRef === 'type' ? namedByType(inner) : keyRef;
    if (to !== undefined || isWanted(key)) yield referenceTo(to, key, [...keys, key], here);
  }
}

/** Returns the inner values that can contain references. The module describes the data of a step. */
function innerPlaces(schema: SchemaNode, here: Here, wanted: ReadonlySet<string>): readonly Here[] {
  const { node, value, keys, workedOut } = here;
  const reach = findReach(schema, canRefer, node);
  const isOpen = (key: string): boolean => wanted.size > 0 || reach.others || reach.fields.includes(key);
  const isStepData = (key: string): boolean => key === 'data' && stepAt(here) !== undefined;
  return Object.entries<Json | undefined>(Object(value)).flatMap(([key, inner]) =>
    inner === undefined || !isOpen(key) || isStepData(key)
      ? []
      : [{ node: findChildNode(schema, node, key) ?? {}, value: inner, keys: [...keys, key], workedOut }],
  );
}

const namedByType = (value: Json | undefined): ResourceName | undefined =>
  isObject(value) && typeof value.type === 'string' ? resourceByWord(value.type)?.name : undefined;

function* referencesOfStep(
  step: JsonObject,
  keys: readonly string[],
  wanted: ReadonlySet<string>,
): Generator<RecordReference> {
  const known = new Set<string>();
  for (const { reference, keys: within, id } of listReferences(step)) {
    const at = [...keys, ...within];
    const { to, or, word } = reference;
    known.add(id);
    yield { keys: at, path: shownField(at), to, ...(or ? { or } : {}), word, id, step };
  }
  if (wanted.size === 0) return;
  for (const { keys: within, id } of findIds(step.data, wanted)) {
    const at = [...keys, 'data', ...within];
    if (!known.has(id)) yield { keys: at, path: shownField(at), to: undefined, word: 'id', id, step };
  }
}

function* findIds(
  value: Json | undefined,
  wanted: ReadonlySet<string>,
): Generator<{ readonly keys: readonly string[]; readonly id: string }> {
  const open: { readonly value: Json | undefined; readonly keys: readonly string[] }[] = [
    { value, keys: [] },
  ];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    const { value: each, keys } = here;
    if (typeof each === 'string' && wanted.has(each)) yield { keys, id: each };
    if (typeof each !== 'object' || each === null) continue;
    for (const [key, inner] of Object.entries(each)) {
      if (wanted.has(key)) yield { keys: [...keys, key], id: key };
      open.push({ value: inner, keys: [...keys, key] });
    }
  }
}

/** Returns `flow/2/_ data.id` or `caller_id.external.number`. */
export function shownField(keys: readonly string[]): string {
  if (keys[0] !== 'flow') return keys.join('.');
  const way = ['flow'];
  let at = 1;
  for (; keys[at] === 'children' && at + 1 < keys.length; at += 2) way.push(keys[at + 1] ?? '');
  const rest = keys.slice(at).join('.');
  return rest === '' ? way.join('/') : `${way.join('/')} ${rest}`;
}

export const flowTargets: ReadonlySet<ResourceName> = new Set(
  [...callflowModules.values()].flatMap(({ refers }) => refers.flatMap(kindsNamed)),
);

/** Returns the resources that each top-level field can refer to. */
export function refersByField({ schema }: Described): ReadonlyMap<string, ReadonlySet<ResourceName>> {
  return new Map(
    Object.entries(resolveReference(schema, schema).properties ?? {}).map(([field, node]) => [
      field,
      referenceTargets(schema, node),
    ]),
  );
}

function referenceTargets(root: SchemaNode, from: SchemaNode): ReadonlySet<ResourceName> {
  const targets = new Set<ResourceName>();
  const seen = new Set<SchemaNode>();
  const visit = (reference: SchemaNode): void => {
    const node = resolveReference(root, reference);
    if (seen.has(node) || node.readOnly === true || node['x-secret'] === true) return;
    seen.add(node);
    if (node['x-ref']) targets.add(node['x-ref']);
    for (const to of keyTargets(root, node)) targets.add(to);
    if (isStep(node)) for (const to of flowTargets) targets.add(to);
    for (const child of subschemas(node)) visit(child);
  };
  visit(from);
  return targets;
}

/** Returns the resources of a map's keys. The values contain them as `type`. */
function keyTargets(root: SchemaNode, node: SchemaNode): readonly ResourceName[] {
  const keyRef = node['x-key-ref'];
  if (keyRef === undefined) return [];
  if (keyRef !== 'type') return [keyRef];
  const types =
    findChildNode(root, findChildNode(root, node, '*') ?? {}, 'type')?.['x-convention']?.enum ?? [];
  return types.flatMap((word) => resourceByWord(String(word))?.name ?? []);
}
