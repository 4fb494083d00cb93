import type { JsonObject } from '../../base/json.ts';
import type { Operation, Resource } from '../../contract/types.ts';
import { recordRules } from './field-facts.ts';
import { fieldRows, fieldsIn } from './field-page.ts';
import { labelled, rows, section, sentence } from './layout.ts';

const summaryOf = ({
  id,
  method,
  path,
  source,
  section: chapter,
  effect,
  summary,
}: Operation): JsonObject => ({
  id,
  method,
  path,
  source,
  section: chapter,
  effect,
  summary,
});

/** A resource: what it is, how it is named, its fields and its operations. */
export function resourceResult(resource: Resource): { readonly text: string; readonly value: JsonObject } {
  const fields = fieldsIn({ root: resource.schema }, resource.schema).map((field) => ({
    ...field,
    rules: [...recordRules(resource, field.name), ...field.rules],
  }));
  const { name, singular, summary, kind, naturalKeys, section: chapter, operations } = resource;
  const required = resource.required.map(
    ({ fields: names, on, source }) => `${names.join(', ')} to ${on.join(' and ')} (${source})`,
  );
  const facts = labelled([
    ['Singular', singular],
    ['How many', kind === 'collection' ? 'many to an account, each with an id' : 'one to an account'],
    ['Named by', [...naturalKeys, ...(resource.idParameter ? ['id'] : [])].join(', ')],
    ...required.map((rule, index) => [index === 0 ? 'Required' : '', rule] as const),
    ['Source', chapter],
  ]);
  const calls = rows(operations.map(({ id, method, path, source }) => [id, method, path, source]));
  const text = [
    `${name}\n\n${sentence(summary)}\n\n${facts}\n`,
    section('Fields', fieldRows(fields)),
    section('Operations', calls),
    `telctl explain ${name}.FIELD says more of a field, telctl explain ${operations[0]?.id} of an operation.\n`,
  ].join('\n');
  return {
    text,
    value: {
      kind: 'resource',
      path: name,
      singular,
      summary,
      section: chapter,
      naturalKeys,
      fields,
      operations: operations.map(summaryOf),
    },
  };
}
