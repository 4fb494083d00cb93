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
import { bodySchema, findSubject, type Subject } from './find-subject.ts';

const explainArguments = {
  path: {
    name: 'PATH',
    doc: 'A resource, a field of it or one of its operations: users, users.caller_id, users.vcard',
    optional: true,
    completes: 'contract',
  },
} as const;

type ExplainInput = InputOf<Record<never, never>, typeof explainArguments>;

export const explainCommands: readonly Command[] = [
  defineCommand({
    path: ['explain'],
    summary: 'Show what a resource, a field or an operation is',
    description:
      'Types, allowed values, defaults, what is secret or read only, and who says so: the specification, or the convention of compatible services where it is silent. Lists and maps may be stepped over (callflows.flow.children.module). Without a path: the resources.',
    arguments: explainArguments,
    options: {},
    effect: 'local',
    attended: false,
    examples: {
      'telctl explain users': 'Fields and operations of users',
      'telctl explain users.caller_id.external': 'One field, and what is in it',
      'telctl explain limits.set': 'One operation',
      'telctl explain callflows.flow.menu': 'What a module takes in the data of a step',
      'telctl explain callflows.flow.children -o json': 'For programs',
    },
    load: async () => explain,
  }),
];

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
async function explain({ path }: ExplainInput): Promise<Result> {
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

function summaryOf(operation: Operation): JsonObject {
  const { id, method, path, source, section, effect, summary } = operation;
  return { id, method, path, source, section, effect, summary };
}

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
    `${nextStep`explain ${`${name}.FIELD`}`} says more of a field, ${nextStep`explain ${operations[0]?.id ?? 'OPERATION'}`} of an operation.\n`,
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

const effects = {
  read: 'reads',
  write: 'changes something',
  destructive: 'destroys something; telctl asks first',
  charges: 'may add charges; telctl asks first',
} as const satisfies Record<Operation['effect'], string>;

const repeats = {
  safe: 'yes',
  idempotent: 'yes: twice is the same as once',
  never: 'no: telctl never sends it twice by itself',
} as const satisfies Record<Operation['repeat'], string>;

const roles = {
  super: 'the super administrator',
  admin: 'administrators of the account, and of accounts above it',
  self: 'the user, or an administrator of the account',
  tree: 'whoever belongs to the account or to one above it',
  above: 'whoever belongs to an account above',
} as const satisfies Record<Operation['role'], string>;

const prefixes = {
  always: '/v2 stands before the path',
  profile: '/v2 stands before the path where the service wants it so',
} as const satisfies Record<Operation['prefix'], string>;

function bodyWords({ body, resource }: Operation): string | undefined {
  switch (body?.kind) {
    case undefined:
      return undefined;
    case 'record':
      return `a whole record of ${resource}`;
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

const inside = (schema: ReturnType<typeof bodySchema>): readonly NamedField[] =>
  schema ? fieldsIn({ root: schema }, schema) : [];

/** An operation: how it is called, what it takes and gives, and what it does to the world. */
function operationResult(operation: Operation): { readonly text: string; readonly value: JsonObject } {
  const { id, method, path, prefix, source, section: chapter, summary, effect, repeat, role } = operation;
  const query = operation.query ?? [];
  const sent = inside(bodySchema(operation));
  const got = operation.reply.kind === 'value' ? inside(operation.reply.schema) : [];
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
    ['For', operation.authenticated ? roles[role] : 'anyone: it carries no token'],
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
