import { deepestRecord, type Json, type JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import {
  isKnownName,
  isPrivateKey,
  type NameList,
  nameWords,
  nearestName,
} from '../../contract/known-names.ts';
import { acceptance } from '../../contract/resource.ts';
import { masked } from '../../contract/secrets.ts';
import {
  type DocumentNode,
  type Entry,
  type MapNode,
  nodeAt,
  type Problem,
  placeOf,
  problemAt,
  type ScalarNode,
} from './document.ts';
import { anyLength, expectation, isNothing, readScalar, type Shape, shapeOf } from './read-scalar.ts';
import { extraKey, mergeExtra, type Stored } from './stored-fields.ts';

const mask = 'the mask that stands for a secret; give the value or leave the field out';
const placeholder = 'a placeholder without a value; give the value or leave the field out';

/** Text that is nothing but a placeholder of another tool: `##NAME##`, `@@NAME@@`, `{{ name }}`. */
const wholly = /^(?:##[A-Z]\w*##|@@[A-Z]\w*@@|\{\{\s*[\w.]+\s*\}\})$/;
/** In a secret, which nobody reads over again, a placeholder may also stand inside other text. */
const inside = /##[A-Z]\w*##|@@[A-Z]\w*@@|\{\{[^{}]*\}\}/;
const variable = /^(?:%[A-Z]\w*%|\$[A-Z_][A-Z0-9_]*|\$\([A-Z_][A-Z0-9_]*\))$/;
const maskWord =
  /^(?:\[(?:masked|redacted)\]|<(?:masked|redacted)>|\((?:masked|redacted|sensitive value)\))$/i;
/** One of the characters that each of the above holds. */
const suspicious = /[•*#@{%$\]>)]/;

/**
 * Returns the reason why text cannot be meant as a value: it is how telctl or another tool shows a secret, or what a
 * template left behind. Secret fields, and what is inside them, are checked more strictly than others, where the same
 * text may be meant.
 */
export function looksUnfilled(text: string, { types }: Shape, secret: boolean): string | undefined {
  if (!suspicious.test(text)) return undefined;
  if (text.includes(masked) || /^(?:\*{6,}|•+)$/.test(text)) return mask;
  if (maskWord.test(text)) return mask;
  // Where anything may stand, a template may be what is meant.
  if (types.size > 0 && wholly.test(text)) return placeholder;
  if (!secret) return undefined;
  if (/^\*{3,}$/.test(text)) return mask;
  return inside.test(text) || variable.test(text) ? placeholder : undefined;
}

/** Keys that the service adds to every record, whatever its resource. */
const serviceKeys = new Set(['_read_only']);

/** Origins of the values of a record. */
export interface Places {
  /** Place of the field at a dotted path, or of the nearest thing around it. A dot inside a key is `%2E`. */
  place(path?: string): string;
  problem(path: string, message: string): Problem;
}

/** Rules for how strict to be. */
export interface ReadRules {
  /** Fields that the contract does not name are sent all the same. */
  readonly allowUnknownFields: boolean;
  /** `null` removes a field (patch); elsewhere it is a problem. */
  readonly allowNull: boolean;
  /** Fields of the stored record that other programs keep there: they go back as they came. */
  readonly stored?: Stored;
  /** Fields that the contract does not know stand under `extra`, and are sent as they are. */
  readonly takesExtra?: true;
  /** Names of other records stand where their ids are expected. */
  readonly takesNames?: boolean;
  /** Warns of fields that are left out since the service makes them. */
  readonly tellReadOnly?: true;
  /** The id of a record stays: it says which one is meant. */
  readonly keepsId?: boolean;
}

export type Filled =
  | {
      readonly text: string;
      /** May be a number, true or false, as if it had been typed there without quotes. */
      readonly plain: boolean;
      /** Holds what is known only later, so that neither its length nor its words can be checked. */
      readonly open: boolean;
    }
  /** The field is left out. */
  | 'absent'
  /** It could not be filled in, and that was told. */
  | 'wrong';

/** Handles each text before it is read; `undefined`: it stays as it is. `path` gives its dotted path. */
export type Fill = (
  node: ScalarNode | Entry,
  text: string,
  path: () => string,
  shape: Shape | undefined,
  /** The text is a secret's, or stands in one. */
  isSecret?: boolean,
) => Filled | undefined;

/** Receives every problem as it is found. */
export interface Report {
  problem(problem: Problem): void;
  warning(warning: Problem): void;
}

const anythingAt = shapeOf(undefined);

/**
 * Makes a function that reads a map of fields by the shapes they have. Scalars are read by the field they stand in;
 * unknown fields, wrong types and masked secrets are problems. What the service makes by itself (`id`, `_read_only`)
 * is left out, so that a record shown by `get` can be edited and sent back.
 */
export function fieldReader(rules: ReadRules, report: Report, fill?: Fill) {
  const path: string[] = [];
  let secrets = 0;
  /** Inside a field of another program: what stands there is that program's matter. */
  let isForeign = false;
  const pathHere = (): string => path.map((key) => key.replaceAll('.', '%2E')).join('.');
  const problem = (node: DocumentNode | Entry, message: string): void =>
    report.problem(problemAt(node, message));

  function unknown(entry: Entry, within: Shape): void {
    // It would be left out of the request, whatever was said.
    if (path.length === 0 && entry.key === acceptance) {
      problem(entry, `"${acceptance}" is not a field of a record; --accept-charges accepts charges`);
      return;
    }
    if (rules.allowUnknownFields) {
      report.warning(problemAt(entry, `unknown field ${JSON.stringify(entry.key)} is sent as it is`));
      return;
    }
    const near = nearest(entry.key, within.keys);
    const suggestion = near === undefined ? '' : `; did you mean "${near}"?`;
    report.problem({
      ...problemAt(entry, `unknown field ${JSON.stringify(entry.key)}${suggestion}`),
      unknownKey: true,
      mayBeStored: true,
    });
  }

  function readKey(entry: Entry, within: Shape): string | undefined {
    const filled = fill?.(entry, entry.key, pathHere, within);
    if (filled === undefined) return entry.key;
    return typeof filled === 'string' ? undefined : filled.text;
  }

  function readMap(node: MapNode, within: Shape, top: boolean): JsonObject {
    const value: Record<string, Json> = {};
    let extra: Entry | undefined;
    for (const entry of node.entries) {
      if (top && serviceKeys.has(entry.key)) continue;
      if (top && rules.takesExtra && entry.key === extraKey) {
        extra = entry;
        continue;
      }
      const key = readKey(entry, within);
      if (key === undefined) continue;
      if (key !== entry.key && Object.hasOwn(value, key))
        problem(entry, `${JSON.stringify(entry.key)} is given twice`);
      const inner = within.under(key);
      const isStored = !inner && rules.stored?.has(within, key) === true;
      if (isStored && top && isPrivateKey(key)) continue;
      if (!inner && !isStored) unknown(entry, within);
      if (inner?.readOnly && !(rules.keepsId && top && key === 'id')) {
        if (rules.tellReadOnly)
          report.warning(problemAt(entry, `${JSON.stringify(key)} is made by the service and is not sent`));
        continue;
      }
      path.push(key);
      const around = secrets;
      // In a secret map these values are none.
      if (within.open.includes(key)) secrets = 0;
      const readInner = () => readValue(entry.value, inner ?? anythingAt, entry.key);
      const read = isStored ? unchecked(readInner) : readInner();
      path.pop();
      secrets = around;
      if (read !== undefined) put(value, key, read);
    }
    if (extra === undefined) return value;
    return mergeExtra(value, extra, {
      read: (map) => unchecked(() => readMap(map, anythingAt, false)),
      problem,
    });
  }

  /** Reads what other programs keep in a record. */
  function unchecked<T>(read: () => T): T {
    const around = isForeign;
    isForeign = true;
    const value = read();
    isForeign = around;
    return value;
  }

  /** A name that this runtime does not know is mistyped, or newer than the runtime. */
  function checkName(node: ScalarNode, list: NameList, value: string, name: string): void {
    if (value === '' || isKnownName(list, value)) return;
    const what = `${JSON.stringify(name)} is not ${nameWords[list]} that is known here: ${JSON.stringify(value)}`;
    if (rules.allowUnknownFields) {
      report.warning(problemAt(node, `${what}; it is sent as it is`));
      return;
    }
    const near = nearestName(list, value);
    problem(node, `${what}${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`}`);
  }

  function readText(node: ScalarNode, within: Shape, name: string): Json | undefined {
    const filled = fill?.(node, node.text, pathHere, within, secrets > 0);
    if (filled === 'absent') return undefined;
    if (filled === 'wrong') return null;
    const scalar = filled ? typed(node, filled) : node;
    const unfilled = isForeign ? undefined : looksUnfilled(scalar.text, within, secrets > 0);
    if (unfilled) {
      problem(node, `${JSON.stringify(name)} is ${unfilled}`);
      return null;
    }
    if (!filled && isNothing(scalar)) {
      if (rules.allowNull || isForeign || rules.stored?.holdsNull(pathHere())) return null;
      const isFree = within.node?.type === undefined;
      report.problem({
        ...problemAt(node, `${JSON.stringify(name)} has no value; leave it out`),
        ...(isFree ? { mayBeStored: true } : {}),
      });
      return null;
    }
    if (filled?.open && (within.types.size === 0 || within.types.has('string'))) return filled.text;
    // A name stands for an id until it is resolved, and is as long as it is.
    const isNamed = rules.takesNames && within.node?.['x-ref'] !== undefined;
    const reading = readScalar(scalar, isNamed ? { ...within, length: anyLength } : within);
    if ('value' in reading) {
      if (within.names) checkName(node, within.names, String(reading.value), name);
      return reading.value;
    }
    report.problem({
      ...problemAt(
        node,
        `${JSON.stringify(name)} must be ${reading.expected}${secrets > 0 ? '' : found(node)}`,
      ),
      ...(node.plain || filled ? {} : { wrongType: true }),
    });
    return null;
  }

  function readValue(node: DocumentNode, within: Shape, name: string): Json | undefined {
    if (!within.secret) return readShaped(node, within, name);
    secrets += 1;
    const read = readShaped(node, within, name);
    secrets -= 1;
    return read;
  }

  function readShaped(node: DocumentNode, within: Shape, name: string): Json | undefined {
    if (node.kind === 'scalar') return readText(node, within, name);
    if (path.length >= deepestRecord) {
      problem(node, `a record must not be nested deeper than ${deepestRecord} levels`);
      return null;
    }
    const wanted = node.kind === 'list' ? 'array' : 'object';
    if (within.types.size > 0 && !within.types.has(wanted)) {
      const instead = node.kind === 'list' ? 'a list' : 'a map';
      problem(node, `${JSON.stringify(name)} must be ${expectation(within)}, not ${instead}`);
      return null;
    }
    if (node.kind === 'map') return readMap(node, within, false);
    const items = within.items();
    const read = node.items.map((item, index) => {
      path.push(String(index));
      const value = readValue(item, items, `${name}.${index}`);
      path.pop();
      return value;
    });
    // A list is sent as a whole: one that lacks an item would say something else.
    const whole = read.filter((item) => item !== undefined);
    return whole.length === read.length ? whole : undefined;
  }

  return (root: MapNode, shape: Shape): JsonObject => readMap(root, shape, true);
}

/** Sets a key of a value that is being made. A key named __proto__ is data like any other. */
function put(value: Record<string, Json>, key: string, inner: Json): void {
  if (key === '__proto__')
    Object.defineProperty(value, key, {
      value: inner,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  else value[key] = inner;
}

/** A scalar as it was filled in: whatever its text is, it is there, and so is never null. */
function typed(node: ScalarNode, { text, plain }: Exclude<Filled, string>): ScalarNode {
  const scalar = { ...node, text, plain };
  return isNothing(scalar) ? { ...scalar, plain: false } : scalar;
}

/** Says what is there instead, as it was typed. */
function found({ text, plain }: ScalarNode): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return `, not ${plain ? '' : 'the text '}${JSON.stringify(short)}`;
}

/** Says where the fields below a node stand; what is about all of it, or about nothing in it, stands at `whole`. */
export function placesIn(root: MapNode, whole: DocumentNode | Entry = root): Places {
  const at = (path: string): DocumentNode | Entry => {
    const found = nodeAt(root, path);
    return found === root ? whole : found;
  };
  return {
    place: (path) => placeOf(path === undefined ? whole : at(path)),
    problem: (path, message) => problemAt(at(path), message),
  };
}
