import { halfPair, isObject, type Json, type JsonObject, joinPath, maxRecordDepth } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import type { ShownForm } from '../../base/shown-form.ts';
import {
  isKnownName,
  isPrivateKey,
  type NameList,
  nameWords,
  nearestName,
} from '../../contract/name-lists.ts';
import { acceptance } from '../../contract/resource.ts';
import {
  type DocumentNode,
  type Entry,
  type ListNode,
  type Located,
  type MapNode,
  type Problem,
  problemAt,
  type ScalarNode,
} from './document.ts';
import type { Stored } from './read-records.ts';
import {
  anyLength,
  createShape,
  describeTypes,
  isDayText,
  isNullScalar,
  looksUnfilled,
  readScalar,
  type Shape,
} from './read-scalar.ts';

/** Contains the fields of a manifest object that the contract does not have. */
export const extraKey = 'extra';

/** The service adds these keys to records of any resource. */
const serviceKeys = new Set(['_read_only']);

export interface ReadRules {
  /** Sends fields that are not in the contract. */
  readonly allowUnknownFields: boolean;
  /** If true, `null` removes a field (patch). Otherwise it is a problem. */
  readonly allowNull: boolean;
  /** Unknown fields that the stored record has, which are kept unchanged. */
  readonly stored?: Stored;
  /** Reads unknown fields from `extra`, and sends them unchanged. */
  readonly takesExtra?: true;
  /** Fields for ids contain names of records instead. */
  readonly takesNames?: boolean;
  /** Warns about ignored fields that only the service writes. */
  readonly tellReadOnly?: true;
  /** The id selects the record to change. */
  readonly keepsId?: boolean;
  /** Default: UTC. */
  readonly zone?: string | undefined;
  /** Called for each date without a time, because it depends on the zone. `path` is dotted. */
  readonly onDay?: (path: string, text: string, form: ShownForm) => void;
}

export type Filled =
  | {
      readonly text: string;
      /** The text is read as if it had no quotes. It can be a number, true or false. */
      readonly plain: boolean;
      /** Part of the text is not known yet, so its length and content are not checked. */
      readonly open: boolean;
    }
  | 'absent'
  /** The text could not be filled in, and the problem was reported. */
  | 'wrong';

/** Fills in a text before it is read. Returns `undefined` to keep it unchanged. `path` returns its dotted path. */
export type Fill = (
  node: ScalarNode | Entry,
  text: string,
  path: () => string,
  shape: Shape | undefined,
  isSecret?: boolean,
) => Filled | undefined;

export interface ProblemReport {
  problem(problem: Problem): void;
  warning(warning: Problem): void;
}

export function newReport() {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const report: ProblemReport = {
    problem: (problem) => void problems.push(problem),
    warning: (warning) => void warnings.push(warning),
  };
  return { problems, warnings, report };
}

const anythingAt = createShape(undefined);

/**
 * Creates a function that reads the fields of a map. Unknown fields, wrong types and masked secrets are problems.
 * Fields that only the service writes are ignored, so that a record from `get` can be sent back.
 */
export function createFieldReader(rules: ReadRules, report: ProblemReport, fill?: Fill) {
  const reader = new FieldReader(rules, report, fill);
  return (root: MapNode, shape: Shape): JsonObject => reader.readMap(root, shape, true);
}

class FieldReader {
  readonly #rules: ReadRules;
  readonly #report: ProblemReport;
  readonly #fill: Fill | undefined;
  readonly #path: string[] = [];
  #secrets = 0;
  /** The current value belongs to another program, which defines its format. */
  #isForeign = false;
  readonly #pathText = (): string => joinPath(this.#path);

  constructor(rules: ReadRules, report: ProblemReport, fill: Fill | undefined) {
    this.#rules = rules;
    this.#report = report;
    this.#fill = fill;
  }

  readMap(node: MapNode, shape: Shape, isTop: boolean): JsonObject {
    const fields = new Map<string, Json>();
    let extra: Entry | undefined;
    for (const entry of node.entries) {
      if (isTop && this.#rules.takesExtra && entry.key === extraKey) extra = entry;
      else if (!isTop || !serviceKeys.has(entry.key)) this.#readEntry(entry, shape, isTop, fields);
    }
    const value: JsonObject = Object.fromEntries(fields);
    if (extra === undefined) return value;
    const readExtra = (map: MapNode) => this.#readForeign(() => this.readMap(map, anythingAt, false));
    return mergeExtra(value, extra, readExtra, (at, message) => this.#problem(at, message));
  }

  #readEntry(entry: Entry, shape: Shape, isTop: boolean, fields: Map<string, Json>): void {
    const filled = this.#fill?.(entry, entry.key, this.#pathText, shape);
    if (typeof filled === 'string') return;
    const key = filled?.text ?? entry.key;
    if (!key.isWellFormed()) {
      this.#problem(entry, `the key ${JSON.stringify(key)} ${halfPair}`);
      return;
    }
    if (key !== entry.key && fields.has(key))
      this.#problem(entry, `${JSON.stringify(entry.key)} is given twice`);
    const inner = shape.under(key);
    const isStored = !inner && this.#rules.stored?.has(shape, key) === true;
    if (isStored && isTop && isPrivateKey(key)) return;
    if (!inner && !isStored) this.#reportUnknown(entry, shape);
    if (inner?.readOnly && !(this.#rules.keepsId && isTop && key === 'id')) {
      if (this.#rules.tellReadOnly)
        this.#warn(entry, `${JSON.stringify(key)} is written by the service and is not sent`);
      return;
    }
    const readInner = () =>
      this.#readInner(key, shape, () => this.#readValue(entry.value, inner ?? anythingAt, entry.key));
    const value = isStored ? this.#readForeign(readInner) : readInner();
    if (value !== undefined) fields.set(key, value);
  }

  /** In a secret map, values of open keys are not secret. */
  #readInner<T>(key: string, { open }: Shape, read: () => T): T {
    const secrets = this.#secrets;
    if (open.includes(key)) this.#secrets = 0;
    this.#path.push(key);
    const value = read();
    this.#path.pop();
    this.#secrets = secrets;
    return value;
  }

  #readForeign<T>(read: () => T): T {
    const before = this.#isForeign;
    this.#isForeign = true;
    const value = read();
    this.#isForeign = before;
    return value;
  }

  #readValue(node: DocumentNode, shape: Shape, name: string): Json | undefined {
    this.#secrets += Number(shape.secret);
    const value =
      node.kind === 'scalar' ? this.#readText(node, shape, name) : this.#readNested(node, shape, name);
    this.#secrets -= Number(shape.secret);
    return value;
  }

  #readNested(node: MapNode | ListNode, shape: Shape, name: string): Json | undefined {
    if (this.#path.length >= maxRecordDepth) {
      this.#problem(node, `a record must not be nested deeper than ${maxRecordDepth} levels`);
      return null;
    }
    if (shape.types.size > 0 && !shape.types.has(node.kind === 'list' ? 'array' : 'object')) {
      const found = node.kind === 'list' ? 'a list' : 'a map';
      this.#problem(node, `${JSON.stringify(name)} must be ${describeTypes(shape)}, not ${found}`);
      return null;
    }
    if (node.kind === 'map') return this.readMap(node, shape, false);
    const read = node.items.map((item, index) => {
      this.#path.push(String(index));
      const value = this.#readValue(item, shape.items(), `${name}.${index}`);
      this.#path.pop();
      return value;
    });
    // A list is sent as a whole, so a missing item would change its meaning.
    const items = read.filter((item) => item !== undefined);
    return items.length === read.length ? items : undefined;
  }

  #readText(node: ScalarNode, shape: Shape, name: string): Json | undefined {
    const filled = this.#fill?.(node, node.text, this.#pathText, shape, this.#secrets > 0);
    if (filled === 'absent') return undefined;
    if (filled === 'wrong') return null;
    const scalar = filled ? filledScalar(node, filled) : node;
    if (!scalar.text.isWellFormed()) {
      this.#problem(node, `${JSON.stringify(name)} ${halfPair}`);
      return null;
    }
    const unfilled = this.#isForeign ? undefined : looksUnfilled(scalar.text, shape, this.#secrets > 0);
    if (unfilled) {
      this.#problem(node, `${JSON.stringify(name)} is ${unfilled}`);
      return null;
    }
    if (!filled && isNullScalar(scalar)) {
      this.#checkNull(node, shape, name);
      return null;
    }
    if (filled?.open && (shape.types.size === 0 || shape.types.has('string'))) return filled.text;
    // An id replaces the name later, so its length is not checked.
    const isNamed = this.#rules.takesNames && shape.node?.['x-ref'] !== undefined;
    const reading = readScalar(scalar, isNamed ? { ...shape, length: anyLength } : shape, this.#rules.zone);
    if (shape.form && isDayText(scalar.text, shape))
      this.#rules.onDay?.(this.#pathText(), scalar.text, shape.form);
    if ('value' in reading) {
      if (shape.names) this.#checkName(node, shape.names, String(reading.value), name);
      return reading.value;
    }
    const found = this.#secrets > 0 ? '' : describeFound(node);
    this.#report.problem({
      ...problemAt(node, `${JSON.stringify(name)} must be ${reading.expected}${found}`),
      ...(node.plain || filled ? {} : { wrongType: true }),
    });
    return null;
  }

  #checkNull(node: ScalarNode, shape: Shape, name: string): void {
    const { allowNull, stored } = this.#rules;
    if (allowNull || this.#isForeign || stored?.holdsNull(this.#pathText())) return;
    this.#report.problem({
      ...problemAt(node, `${JSON.stringify(name)} has no value; leave it out`),
      ...(shape.node?.type === undefined ? { mayBeStored: true } : {}),
    });
  }

  /** The name is mistyped, or newer than the runtime. */
  #checkName(node: ScalarNode, list: NameList, value: string, name: string): void {
    if (value === '' || isKnownName(list, value)) return;
    const message = `${JSON.stringify(name)} is not ${nameWords[list]} that telctl knows: ${JSON.stringify(value)}`;
    if (this.#rules.allowUnknownFields) {
      this.#warn(node, `${message}; it is sent unchanged`);
      return;
    }
    const near = nearestName(list, value);
    this.#problem(node, `${message}${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`}`);
  }

  #reportUnknown(entry: Entry, shape: Shape): void {
    // Requests never contain acceptance of charges.
    if (this.#path.length === 0 && entry.key === acceptance) {
      this.#problem(entry, `"${acceptance}" is not a field of a record; --accept-charges accepts charges`);
      return;
    }
    if (this.#rules.allowUnknownFields) {
      this.#warn(entry, `unknown field ${JSON.stringify(entry.key)} is sent unchanged`);
      return;
    }
    const near = findNearest(entry.key, shape.keys);
    const suggestion = near === undefined ? '' : `; did you mean "${near}"?`;
    this.#report.problem({
      ...problemAt(entry, `unknown field ${JSON.stringify(entry.key)}${suggestion}`),
      unknownKey: true,
      mayBeStored: true,
    });
  }

  #problem(at: Located, message: string): void {
    this.#report.problem(problemAt(at, message));
  }

  #warn(at: Located, message: string): void {
    this.#report.warning(problemAt(at, message));
  }
}

/** Never null, whatever the text. */
function filledScalar(node: ScalarNode, { text, plain }: Exclude<Filled, string>): ScalarNode {
  const scalar = { ...node, text, plain };
  return isNullScalar(scalar) ? { ...scalar, plain: false } : scalar;
}

function describeFound({ text, plain }: ScalarNode): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return `, not ${plain ? '' : 'the text '}${JSON.stringify(short)}`;
}

/** Merges each object with the fields under its `extra`. */
function mergeExtra(
  fields: JsonObject,
  extra: Entry,
  read: (map: MapNode) => JsonObject,
  problem: (at: Located, message: string) => void,
): JsonObject {
  const { value: node } = extra;
  if (node.kind === 'scalar' && isNullScalar(node)) return fields;
  if (node.kind !== 'map') {
    problem(node, `"${extraKey}" must be a map of fields`);
    return fields;
  }
  for (const entry of node.entries)
    if (entry.key === 'id' || isPrivateKey(entry.key))
      problem(
        entry,
        `${JSON.stringify(entry.key)} is written by the service and cannot be under "${extraKey}"`,
      );
  const merge = (one: JsonObject, other: JsonObject, path: readonly string[]): JsonObject => {
    const merged = new Map<string, Json | undefined>(Object.entries(one));
    for (const [key, value] of Object.entries(other)) {
      const here = merged.get(key);
      const at = [...path, key];
      if (here === undefined) merged.set(key, value);
      else if (isObject(here) && isObject(value)) merged.set(key, merge(here, value, at));
      else problem(extra, `"${at.join('.')}" is both under "${extraKey}" and next to it`);
    }
    return Object.fromEntries(merged);
  };
  return merge(fields, read(node), []);
}
