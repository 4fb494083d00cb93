import type { Result } from '../../command/result.ts';
import { resources } from '../../contract/catalogue.ts';
import type { ExplainInput } from './commands.ts';
import { fieldResult } from './field-page.ts';
import { findSubject, type Subject } from './find-subject.ts';
import { operationResult } from './operation-page.ts';
import { resourceResult } from './resource-page.ts';

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
