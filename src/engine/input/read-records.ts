import { isObject, type Json, type JsonObject, splitPath, valueAtKeys } from '../../base/json.ts';
import { isPrivateKey } from '../../contract/name-lists.ts';
import type { Schema } from '../../contract/schema-node.ts';
import { type DocumentNode, type Places, type Problem, placesIn, problemAt } from './document.ts';
import {
  createFieldReader,
  type Fill,
  newReport,
  type ProblemReport,
  type ReadRules,
} from './read-fields.ts';
import { createShape, type Shape } from './read-scalar.ts';

export interface InputRecord extends Places {
  readonly value: JsonObject;
  /** Dotted paths of values from the environment or a file, which are never shown. */
  readonly confidential: readonly string[];
}

export interface RecordFilling {
  readonly fill: Fill;
  /** Starts the next record. Returns a list that receives the dotted paths of the values filled into it. */
  begin(): readonly string[];
}

export interface InputRecords {
  readonly records: readonly InputRecord[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

export function readRecordFile(
  documents: readonly DocumentNode[],
  resource: { readonly schema: Schema; readonly singular: string },
  rules: ReadRules,
  filling?: (report: ProblemReport) => RecordFilling,
): InputRecords {
  const { problems, warnings, report } = newReport();
  const shape = createShape(resource.schema);
  const filler = filling?.(report);
  const read = createFieldReader(rules, report, filler?.fill);
  const roots = documents.flatMap((document) => (document.kind === 'list' ? document.items : [document]));
  const records = roots.flatMap((root) => {
    if (root.kind !== 'map') {
      problems.push(problemAt(root, `a ${resource.singular} must be a map of fields`));
      return [];
    }
    const confidential = filler?.begin() ?? [];
    return [{ value: read(root, shape), confidential, ...placesIn(root) }];
  });
  return { records, problems, warnings };
}

/**
 * Removes fields of a stored document that only the service writes, such as `_rev` and `pvt_created`. Its `_id`
 * becomes the id.
 */
export function withoutServiceFields(documents: readonly DocumentNode[], { properties = {} }: Schema) {
  const dropped = new Set<string>();
  const roots = documents.map((document) => {
    if (document.kind !== 'map') return document;
    const hasId = document.entries.some(({ key }) => key === 'id');
    const entries = document.entries.flatMap((entry) => {
      const { key } = entry;
      if (key === '_id' && !hasId) return [{ ...entry, key: 'id' }];
      if (!isPrivateKey(key) || key === '_read_only' || Object.hasOwn(properties, key)) return [entry];
      dropped.add(key);
      return [];
    });
    return { ...document, entries };
  });
  return { roots, dropped: [...dropped] };
}

/** Fields of stored records that the contract does not have. */
export interface Stored {
  has(within: Shape, key: string): boolean;
  /** A dot inside a key is `%2E`. */
  holdsNull(path: string): boolean;
}

/** Items of lists, map values and flow steps count as one place each, because they can be moved. */
export function findStoredFields(schema: Schema, records: readonly JsonObject[]): Stored {
  const found = new Map<JsonObject, Set<string>>();
  const visit = (shape: Shape, value: Json | undefined): void => {
    const { node } = shape;
    if (node === undefined) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(shape.items(), item);
      return;
    }
    if (!isObject(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      const child = shape.under(key);
      if (child) visit(child, inner);
      else found.set(node, (found.get(node) ?? new Set()).add(key));
    }
  };
  const root = createShape(schema);
  for (const record of records) visit(root, record);
  return {
    has: ({ node }, key) => node !== undefined && found.get(node)?.has(key) === true,
    holdsNull: (path) => records.some((record) => valueAtKeys(record, splitPath(path)) === null),
  };
}
