import type { JsonObject } from '../../base/json.ts';
import type { Result } from '../../command/result.ts';
import { resources } from '../../contract/catalogue.ts';
import type { Operation, Resource } from '../../contract/types.ts';
import type { ExplainInput } from './commands.ts';
import { labelled, recordRules, rows, section, sentence } from './field-facts.ts';
import { fieldResult, fieldRows, fieldsIn } from './field-page.ts';
import { findSubject, type Subject } from './find-subject.ts';
import { operationResult } from './operation-page.ts';

function resultOf(subject: Subject) {
  switch (subject.kind) {
    case 'resource':
      return resourceResult(subject.resource);
    case 'operation':
      return operationResult(subject.operation);
    case 'field':
      return fieldResult(subject);
  }
}

/** Handler of `telctl explain`. Throws `usage` with the nearest word for a path that means nothing. */
export async function explain({ path }: ExplainInput): Promise<Result> {
  if (path === undefined) return listResources();
  return { kind: 'document', verbatim: true, ...resultOf(findSubject(path)) };
}

function listResources(): Result {
  return {
    kind: 'list',
    items: resources.map(({ name, singular, summary, section }) => ({ name, singular, summary, section })),
    noun: 'resources',
    columns: [
      { header: 'RESOURCE', paths: ['name'] },
      { header: 'WHAT IT IS', paths: ['summary'] },
    ],
  };
}

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
function resourceResult(resource: Resource): { readonly text: string; readonly value: JsonObject } {
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
