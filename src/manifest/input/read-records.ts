import type { JsonObject } from '../../contract/json.ts';
import type { Schema } from '../../contract/schema-node.ts';
import type { DocumentNode } from './document.ts';
import { type Problem, problemAt } from './problems.ts';
import { fieldReader, type Places, placesIn, type ReadRules } from './read-fields.ts';
import { shapeOf } from './shape.ts';

/** A record read from input, with where each of its fields came from. */
export interface InputRecord extends Places {
  readonly value: JsonObject;
}

/** Records with everything that is wrong with them. */
export interface Records {
  readonly records: readonly InputRecord[];
  readonly problems: readonly Problem[];
  /** Unknown fields that will be sent. */
  readonly warnings: readonly Problem[];
}

/** Makes records of documents: a document is a record or a list of them. */
export function readRecords(
  documents: readonly DocumentNode[],
  resource: { readonly schema: Schema; readonly singular: string },
  rules: ReadRules,
): Records {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const shape = shapeOf(resource.schema);
  const read = fieldReader(rules, {
    problem: (problem) => problems.push(problem),
    warning: (warning) => warnings.push(warning),
  });
  const roots = documents.flatMap((document) => (document.kind === 'list' ? document.items : [document]));
  const records = roots.flatMap((root) => {
    if (root.kind !== 'map') {
      problems.push(problemAt(root, `a ${resource.singular} must be a map of fields`));
      return [];
    }
    return [{ value: read(root, shape), ...placesIn(root) }];
  });
  return { records, problems, warnings };
}
