import type { JsonObject } from '../../base/json.ts';
import type { Schema } from '../../contract/schema-node.ts';
import { type DocumentNode, type Problem, problemAt } from './document.ts';
import { type Fill, fieldReader, type Places, placesIn, type ReadRules, type Report } from './read-fields.ts';
import { shapeOf } from './read-scalar.ts';

export interface InputRecord extends Places {
  readonly value: JsonObject;
  /** Dotted paths of what was filled in from the environment or a file, which is shown to nobody. */
  readonly confidential: readonly string[];
}

export interface RecordFilling {
  readonly fill: Fill;
  /** Begins the next record, and gives the dotted paths of what is filled into it from outside, as they are found. */
  begin(): readonly string[];
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
  filling?: (report: Report) => RecordFilling,
): Records {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const shape = shapeOf(resource.schema);
  const report: Report = {
    problem: (problem) => void problems.push(problem),
    warning: (warning) => void warnings.push(warning),
  };
  const filler = filling?.(report);
  const read = fieldReader(rules, report, filler?.fill);
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
