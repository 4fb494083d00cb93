import { nextStep } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { resources } from '../../../contract/catalogue.ts';
import type { Operation, ReplyShape, Resource } from '../../../contract/types.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Result } from '../../command/result.ts';
import {
  fieldResult,
  fieldRows,
  fieldsIn,
  labelledRows,
  type NamedField,
  recordRules,
  rows,
  section,
  sentence,
  typeInPlainWords,
} from './field-page.ts';
import { bodySchema, type ExplainSubject, findSubject } from './find-subject.ts';

const explainArguments = {
  path: {
    name: 'PATH',
    doc: 'Resource, field or operation: users, users.caller_id, users.vcard',
    optional: true,
    completes: 'contract',
  },
} as const;

type ExplainInput = InputOf<Record<never, never>, typeof explainArguments>;

export const explainCommands: readonly Command[] = [
  defineCommand({
    path: ['explain'],
    summary: 'Describe a resource, a field or an operation',
    description:
      'Shows types, allowed values, defaults, secret and read-only fields, and the source of each rule: the specification or a convention of compatible services. You can omit the keys of lists and maps, as in callflows.flow.children.module. Without a path, lists the resources.',
    arguments: explainArguments,
    options: {},
    effect: 'local',
    attended: false,
    examples: {
      'telctl explain users': 'Show fields and operations of users',
      'telctl explain users.caller_id.external': 'Show a field and its nested fields',
      'telctl explain limits.set': 'Show an operation',
      'telctl explain callflows.flow.menu': 'Show the data of a module in a callflow',
      'telctl explain callflows.flow.children -o json': 'Use it in a program',
    },
    load: async () => explain,
  }),
];

function explainSubject(subject: ExplainSubject) {
  switch (subject.kind) {
    case 'resource':
      return resourceResult(subject.resource);
    case 'operation':
      return operationResult(subject.operation);
    case 'field':
      return fieldResult(subject);
  }
}

/** Handles `telctl explain`. Throws `usage` with the nearest match for an unknown path. */
async function explain({ path }: ExplainInput): Promise<Result> {
  if (path === undefined) return listResources();
  return { kind: 'document', verbatim: true, wraps: true, ...explainSubject(findSubject(path)) };
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

function operationFacts(operation: Operation): JsonObject {
  const { id, method, path, source, section, effect, summary } = operation;
  return { id, method, path, source, section, effect, summary };
}

function resourceResult(resource: Resource): { readonly text: string; readonly value: JsonObject } {
  const fields = fieldsIn({ root: resource.schema }, resource.schema).map((field) => ({
    ...field,
    rules: [...recordRules(resource, field.name), ...field.rules],
  }));
  const { name, singular, summary, kind, naturalKeys, section: chapter, operations } = resource;
  const required = resource.required.map(
    ({ fields: names, on, source }) => `${names.join(', ')} to ${on.join(' and ')} (${source})`,
  );
  const facts = labelledRows([
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
    `${nextStep`explain ${`${name}.FIELD`}`} describes a field, ${nextStep`explain ${operations[0]?.id ?? 'OPERATION'}`} an operation.\n`,
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
      operations: operations.map(operationFacts),
    },
  };
}

const effects = {
  read: 'reads',
  write: 'changes records',
  destructive: 'deletes or destroys records; telctl asks first',
  charges: 'may add charges; telctl asks first',
} as const satisfies Record<Operation['effect'], string>;

const repeats = {
  safe: 'yes',
  idempotent: 'yes: repeating it has no further effect',
  never: 'no: telctl never retries it',
} as const satisfies Record<Operation['repeat'], string>;

const roles = {
  super: 'the super administrator',
  admin: 'administrators of the account, and of accounts above it',
  self: 'the user, or an administrator of the account',
  tree: 'users of the account, and of accounts above it',
  above: 'users of accounts above the account',
} as const satisfies Record<Operation['role'], string>;

const prefixes = {
  always: 'the path starts with /v2',
  profile: 'the path starts with /v2 if the service requires it',
} as const satisfies Record<Operation['prefix'], string>;

function bodyWords({ body, resource }: Operation): string | undefined {
  switch (body?.kind) {
    case undefined:
      return undefined;
    case 'record':
      return `a complete record of ${resource}`;
    case 'partial':
      return `fields of ${resource} to change; null removes one`;
    case 'file':
      return `a file of at most ${body.largest} bytes: ${body.types.join(', ')}`;
    case 'action':
      return `action "${body.action}"`;
    case 'value':
      return typeInPlainWords(body.schema, body.schema);
  }
}

function replyWords(reply: ReplyShape, { resource }: Operation): string {
  switch (reply.kind) {
    case 'record':
      return `a record of ${reply.resource ?? resource}`;
    case 'list':
      return reply.items
        ? `list of ${typeInPlainWords(reply.items, reply.items)}`
        : `records of ${reply.resource ?? resource}`;
    case 'empty':
      return 'nothing';
    case 'value':
      return typeInPlainWords(reply.schema, reply.schema);
    case 'file':
      return `a file: ${reply.types.join(', ')}`;
  }
}

const explainNested = (schema: ReturnType<typeof bodySchema>): readonly NamedField[] =>
  schema ? fieldsIn({ root: schema }, schema) : [];

function operationResult(operation: Operation): { readonly text: string; readonly value: JsonObject } {
  const { id, method, path, prefix, source, section: chapter, summary, effect, repeat, role } = operation;
  const query = operation.query ?? [];
  const sent = explainNested(bodySchema(operation));
  const got = operation.reply.kind === 'value' ? explainNested(operation.reply.schema) : [];
  const facts = labelledRows([
    ['Request', `${method} ${path}`],
    ['Prefix', prefixes[prefix]],
    ...query.map(({ name, doc }) => ['Query', `${name}: ${doc}`] as const),
    ['Takes', bodyWords(operation)],
    ['Gives', replyWords(operation.reply, operation)],
    ['Also as', operation.accepts?.join(', ')],
    ['Errors', operation.errors === 'legacy' ? 'status, error, message, data' : 'code, message, request_id'],
    ['Effect', effects[effect]],
    ['Repeatable', repeats[repeat]],
    ['For', operation.authenticated ? roles[role] : 'anyone, without a token'],
    ['Source', source === 'specification' ? chapter : `${chapter} (convention of compatible services)`],
  ]);
  const parts = [
    `${id}\n\n${sentence(summary)}\n\n${facts}\n`,
    ...(sent.length > 0 ? [section('Fields of the request', fieldRows(sent))] : []),
    ...(got.length > 0 ? [section('Fields of the reply', fieldRows(got))] : []),
  ];
  return {
    text: parts.join('\n'),
    value: {
      kind: 'operation',
      path: id,
      method,
      address: path,
      prefix,
      source,
      section: chapter,
      summary,
      effect,
      repeat,
      role,
      authenticated: operation.authenticated,
      errors: operation.errors,
      query: query.map(({ name, doc, required, secret }) => ({
        name,
        doc,
        required: required === true,
        secret: secret === true,
      })),
      takes: bodyWords(operation) ?? null,
      gives: replyWords(operation.reply, operation),
      requestFields: sent,
      replyFields: got,
    },
  };
}
