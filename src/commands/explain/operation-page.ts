import type { JsonObject } from '../../base/json.ts';
import type { Operation, ReplyShape } from '../../contract/types.ts';
import { labelled, section, sentence, typeOf } from './field-facts.ts';
import { fieldRows, fieldsIn, type NamedField } from './field-page.ts';
import { bodySchema } from './find-subject.ts';

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
    case 'action':
      return `action "${body.action}"`;
    case 'value':
      return typeOf(body.schema, body.schema);
  }
}

function replyWords(reply: ReplyShape, { resource }: Operation): string {
  switch (reply.kind) {
    case 'record':
      return `a record of ${reply.resource ?? resource}`;
    case 'list':
      return reply.items
        ? `list of ${typeOf(reply.items, reply.items)}`
        : `records of ${reply.resource ?? resource}`;
    case 'empty':
      return 'nothing';
    case 'value':
      return typeOf(reply.schema, reply.schema);
    case 'text':
      return reply.contentType;
  }
}

const inside = (schema: ReturnType<typeof bodySchema>): readonly NamedField[] =>
  schema ? fieldsIn({ root: schema }, schema) : [];

/** An operation: how it is called, what it takes and gives, and what it does to the world. */
export function operationResult(operation: Operation): { readonly text: string; readonly value: JsonObject } {
  const { id, method, path, prefix, source, section: chapter, summary, effect, repeat, role } = operation;
  const query = operation.query ?? [];
  const sent = inside(bodySchema(operation));
  const got = operation.reply.kind === 'value' ? inside(operation.reply.schema) : [];
  const facts = labelled([
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
