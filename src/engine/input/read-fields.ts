import { isObject, type Json, type JsonObject, joinPath, maxRecordDepth } from '../../base/json.ts';
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
  type Located,
  type MapNode,
  type Problem,
  problemAt,
  type ScalarNode,
} from './document.ts';
import type { Stored } from './read-records.ts';
import {
  anyLength,
  expectation,
  isNothing,
  looksUnfilled,
  namesDay,
  readScalar,
  type Shape,
  shapeOf,
} from './read-scalar.ts';

/** Key of an object in a manifest for fields that the contract does not know. */
export const extraKey = 'extra';

/** Keys that the service adds to every record of any resource. */
const serviceKeys = new Set(['_read_only']);

/** Rules for how strict to be. */
export interface ReadRules {
  /** Sends fields that the contract does not name. */
  readonly allowUnknownFields: boolean;
  /** `null` removes a field (patch); otherwise it is a problem. */
  readonly allowNull: boolean;
  /** Fields of the stored record that other programs keep there: they go back as they came. */
  readonly stored?: Stored;
  /** Fields that the contract does not know are listed under `extra` and sent unchanged. */
  readonly takesExtra?: true;
  /** Fields for ids contain names of other records. */
  readonly takesNames?: boolean;
  /** Warns of fields that are left out since the service makes them. */
  readonly tellReadOnly?: true;
  /** Keeps the id of the record, which selects the record to change. */
  readonly keepsId?: boolean;
  /** Time zone of dates without a time; UTC if it is left out. */
  readonly zone?: string | undefined;
  /** Receives each date without a time, since it depends on the zone. `path` is dotted. */
  readonly onDay?: (path: string, text: string, form: ShownForm) => void;
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
  /** The text could not be filled in, and the problem was reported. */
  | 'wrong';

/** Processes each text before it is read; `undefined` keeps it unchanged. `path` is its dotted path. */
export type Fill = (
  node: ScalarNode | Entry,
  text: string,
  path: () => string,
  shape: Shape | undefined,
  /** The text is secret, or part of a secret. */
  isSecret?: boolean,
) => Filled | undefined;

/** Receives each problem when it is found. */
export interface ProblemReport {
  problem(problem: Problem): void;
  warning(warning: Problem): void;
}

/** A report that keeps the problems it receives. */
export function newReport() {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const report: ProblemReport = {
    problem: (problem) => void problems.push(problem),
    warning: (warning) => void warnings.push(warning),
  };
  return { problems, warnings, report };
}

const anythingAt = shapeOf(undefined);

/**
 * Makes a function that reads a map of fields by their shapes. Unknown fields, wrong types and masked secrets are
 * problems; what the service makes by itself is left out, so that a record shown by `get` can be sent back.
 */
export function fieldReader(rules: ReadRules, report: ProblemReport, fill?: Fill) {
  const path: string[] = [];
  let secrets = 0;
  /** The value is inside a field of another program, which defines its form. */
  let isForeign = false;
  const pathHere = (): string => joinPath(path);
  const problem = (at: Located, message: string): void => report.problem(problemAt(at, message));

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
    const near = findNearest(entry.key, within.keys);
    const suggestion = near === undefined ? '' : `; did you mean "${near}"?`;
    report.problem({
      ...problemAt(entry, `unknown field ${JSON.stringify(entry.key)}${suggestion}`),
      unknownKey: true,
      mayBeStored: true,
    });
  }

  function readMap(node: MapNode, within: Shape, top: boolean): JsonObject {
    const fields = new Map<string, Json>();
    let extra: Entry | undefined;
    for (const entry of node.entries) {
      if (top && serviceKeys.has(entry.key)) continue;
      if (top && rules.takesExtra && entry.key === extraKey) {
        extra = entry;
        continue;
      }
      const filled = fill?.(entry, entry.key, pathHere, within);
      if (typeof filled === 'string') continue;
      const key = filled?.text ?? entry.key;
      if (key !== entry.key && fields.has(key)) problem(entry, `${JSON.stringify(entry.key)} is given twice`);
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
      if (read !== undefined) fields.set(key, read);
    }
    const value: JsonObject = Object.fromEntries(fields);
    if (extra === undefined) return value;
    return mergeExtra(value, extra, (map) => unchecked(() => readMap(map, anythingAt, false)), problem);
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
    const reading = readScalar(scalar, isNamed ? { ...within, length: anyLength } : within, rules.zone);
    if (within.form && namesDay(scalar.text, within)) rules.onDay?.(pathHere(), scalar.text, within.form);
    if ('value' in reading) {
      if (within.names) checkName(node, within.names, String(reading.value), name);
      return reading.value;
    }
    const message = `${JSON.stringify(name)} must be ${reading.expected}${secrets > 0 ? '' : found(node)}`;
    report.problem({ ...problemAt(node, message), ...(node.plain || filled ? {} : { wrongType: true }) });
    return null;
  }

  function readValue(node: DocumentNode, within: Shape, name: string): Json | undefined {
    secrets += Number(within.secret);
    const read = readShaped(node, within, name);
    secrets -= Number(within.secret);
    return read;
  }

  function readShaped(node: DocumentNode, within: Shape, name: string): Json | undefined {
    if (node.kind === 'scalar') return readText(node, within, name);
    if (path.length >= maxRecordDepth) {
      problem(node, `a record must not be nested deeper than ${maxRecordDepth} levels`);
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

/** A scalar that was filled in. It is never null, whatever its text. */
function typed(node: ScalarNode, { text, plain }: Exclude<Filled, string>): ScalarNode {
  const scalar = { ...node, text, plain };
  return isNothing(scalar) ? { ...scalar, plain: false } : scalar;
}

/** Describes the present value as it was typed. */
function found({ text, plain }: ScalarNode): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return `, not ${plain ? '' : 'the text '}${JSON.stringify(short)}`;
}

/** The fields of an object merged with those under its `extra`, at every level. */
function mergeExtra(
  fields: JsonObject,
  extra: Entry,
  read: (map: MapNode) => JsonObject,
  problem: (at: Located, message: string) => void,
): JsonObject {
  const { value: node } = extra;
  if (node.kind === 'scalar' && isNothing(node)) return fields;
  if (node.kind !== 'map') {
    problem(node, `"${extraKey}" must be a map of fields`);
    return fields;
  }
  for (const entry of node.entries)
    if (entry.key === 'id' || isPrivateKey(entry.key))
      problem(
        entry,
        `${JSON.stringify(entry.key)} is made by the service and cannot stand under "${extraKey}"`,
      );
  const merge = (one: JsonObject, other: JsonObject, path: readonly string[]): JsonObject => {
    const merged = new Map<string, Json | undefined>(Object.entries(one));
    for (const [key, value] of Object.entries(other)) {
      const here = merged.get(key);
      const at = [...path, key];
      if (here === undefined) merged.set(key, value);
      else if (isObject(here) && isObject(value)) merged.set(key, merge(here, value, at));
      else problem(extra, `"${at.join('.')}" stands under "${extraKey}" and beside it`);
    }
    return Object.fromEntries(merged);
  };
  return merge(fields, read(node), []);
}
