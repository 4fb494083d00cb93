import type { Json, JsonObject } from '../../contract/json.ts';
import { nearest } from '../../contract/nearest.ts';
import type { Schema } from '../../contract/schema-node.ts';
import { masked } from '../../contract/secrets.ts';
import { type DocumentNode, type Entry, type MapNode, placeOf, type ScalarNode } from './document.ts';
import { type Problem, problemAt } from './problems.ts';
import { expectation, isNothing, readScalar } from './read-scalar.ts';
import { type Shape, shapeOf } from './shape.ts';

/** How telctl shows a secret; never a value to send. */
const isMasked = (text: string): boolean => text.includes(masked) || /^\*{6,}$/.test(text);
/** Keys that the service adds to every record, whatever its resource. */
const serviceKeys = new Set(['_read_only']);

/** A record read from input, with where each of its fields came from. */
export interface InputRecord {
  readonly value: JsonObject;
  /** Place of the field at a dotted path, or of the nearest thing around it. */
  place(path?: string): string;
  problem(path: string, message: string): Problem;
}

/** How strict to be. */
export interface ReadRules {
  /** Fields that the contract does not name are sent all the same. */
  readonly allowUnknownFields: boolean;
  /** `null` removes a field (patch); elsewhere it is a problem. */
  readonly allowNull: boolean;
}

/** Records with everything that is wrong with them. */
export interface Records {
  readonly records: readonly InputRecord[];
  readonly problems: readonly Problem[];
  /** Unknown fields that will be sent. */
  readonly warnings: readonly Problem[];
}

/**
 * Makes records of documents: a document is a record or a list of them. Scalars are read by the field they
 * stand in; unknown fields, wrong types and masked secrets are problems. What the service makes by itself
 * (`id`, `_read_only`) is left out, so that a record shown by `get` can be edited and sent back.
 */
export function readRecords(
  documents: readonly DocumentNode[],
  resource: { readonly schema: Schema; readonly singular: string },
  rules: ReadRules,
): Records {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const shape = shapeOf(resource.schema);
  const roots = documents.flatMap((document) => (document.kind === 'list' ? document.items : [document]));

  function unknown(entry: Entry, within: Shape): void {
    if (rules.allowUnknownFields) {
      warnings.push(problemAt(entry, `unknown field ${JSON.stringify(entry.key)} is sent as it is`));
      return;
    }
    const near = nearest(entry.key, within.keys);
    const suggestion = near === undefined ? '' : `; did you mean "${near}"?`;
    problems.push(problemAt(entry, `unknown field ${JSON.stringify(entry.key)}${suggestion}`));
  }

  function readMap(node: MapNode, within: Shape, top: boolean): JsonObject {
    const value: Record<string, Json> = {};
    for (const entry of node.entries) {
      if (top && serviceKeys.has(entry.key)) continue;
      const inner = within.under(entry.key);
      if (!inner) unknown(entry, within);
      if (inner?.readOnly) continue;
      const read = readValue(entry.value, inner ?? anythingAt, entry.key);
      // Defined, not assigned: a key named __proto__ is data like any other.
      Object.defineProperty(value, entry.key, {
        value: read,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return value;
  }

  function readText(node: ScalarNode, within: Shape, name: string): Json {
    if (isMasked(node.text)) {
      problems.push(
        problemAt(
          node,
          `${JSON.stringify(name)} is the mask that stands for a secret; give the value or leave the field out`,
        ),
      );
      return null;
    }
    if (isNothing(node)) {
      if (!rules.allowNull)
        problems.push(problemAt(node, `${JSON.stringify(name)} has no value; leave it out`));
      return null;
    }
    const reading = readScalar(node, within);
    if ('value' in reading) return reading.value;
    problems.push({
      ...problemAt(node, `${JSON.stringify(name)} must be ${reading.expected}, not ${shown(node)}`),
      ...(node.plain ? {} : { wrongType: true }),
    });
    return null;
  }

  function readValue(node: DocumentNode, within: Shape, name: string): Json {
    if (node.kind === 'scalar') return readText(node, within, name);
    const wanted = node.kind === 'list' ? 'array' : 'object';
    if (within.types.size > 0 && !within.types.has(wanted)) {
      const found = node.kind === 'list' ? 'a list' : 'a map';
      problems.push(problemAt(node, `${JSON.stringify(name)} must be ${expectation(within)}, not ${found}`));
      return null;
    }
    if (node.kind === 'map') return readMap(node, within, false);
    const items = within.items();
    return node.items.map((item, index) => readValue(item, items, `${name}.${index}`));
  }

  const records = roots.flatMap((root) => {
    if (root.kind !== 'map') {
      problems.push(problemAt(root, `a ${resource.singular} must be a map of fields`));
      return [];
    }
    const value = readMap(root, shape, true);
    return [inputRecord(root, value)];
  });
  return { records, problems, warnings };
}

const anythingAt = shapeOf(undefined);

const shown = ({ text, plain }: ScalarNode): string => {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return plain ? JSON.stringify(short) : `the text ${JSON.stringify(short)}`;
};

function inputRecord(root: MapNode, value: JsonObject): InputRecord {
  const at = (path: string): DocumentNode | Entry => {
    let here: DocumentNode | Entry = root;
    let node: DocumentNode = root;
    for (const key of path.split('.')) {
      if (node.kind === 'map') {
        const entry: Entry | undefined = node.entries.find((each) => each.key === key);
        if (!entry) return here;
        here = entry;
        node = entry.value;
      } else if (node.kind === 'list') {
        const item: DocumentNode | undefined = node.items[Number(key)];
        if (!item) return here;
        here = item;
        node = item;
      } else return here;
    }
    // The value says more than its key, where it stands on a line of its own.
    return node;
  };
  return {
    value,
    place: (path) => placeOf(path === undefined ? root : at(path)),
    problem: (path, message) => problemAt(at(path), message),
  };
}
