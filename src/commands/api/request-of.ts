import type { RawCall } from '../../api/api.ts';
import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { operations, resourceByName } from '../../contract/catalogue.ts';
import type { Schema } from '../../contract/schema-node.ts';
import type { Method, Operation } from '../../contract/types.ts';
import { assign, secretAssigned, textAssignment } from '../../input/assign.ts';
import { type DocumentNode, optionSource } from '../../input/document.ts';
import { problemsFailure } from '../../input/problems.ts';
import { readScalar } from '../../input/read-scalar.ts';
import { shapeOf } from '../../input/shape.ts';
import type { apiArguments, apiOptions } from './commands.ts';

const anything = shapeOf(undefined);

/** The value of a document about whose fields nothing is known. */
export function plainValue(node: DocumentNode): Json {
  if (node.kind === 'list') return node.items.map(plainValue);
  if (node.kind === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainValue(value)]));
  const reading = readScalar(node, anything);
  return 'value' in reading ? reading.value : node.text;
}

export type ApiInput = InputOf<typeof apiOptions, typeof apiArguments>;

/** A raw call whose method is one of the service's. */
export type ApiCall = RawCall & { readonly method: Method };

const methods: ReadonlyMap<string, Method> = new Map(
  (['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const).map((each) => [each, each]),
);

/** Schema of a body of which nothing is known: no field of it is secret. */
const unknownSchema: Schema = {};

/** The call that the command line describes. Throws `Failure` of kind `usage` or `invalid`. */
export async function requestOf(input: ApiInput, context: Context): Promise<ApiCall> {
  const method = methods.get(input.method);
  if (!method)
    throw new Failure('usage', `${input.method} is not a method: GET, PUT, POST, PATCH or DELETE.`);
  const body = await bodyOf(input, context);
  if (body !== undefined && method === 'GET') throw new Failure('usage', 'GET takes no -f and no --field.');
  return { method, path: await filled(input.path, context), ...(body === undefined ? {} : { body }) };
}

/** The path with the account acted on in the place of `{account_id}`. */
async function filled(path: string, context: Context): Promise<string> {
  const other = /\{(?!account_id\})[^}]*\}/.exec(path);
  if (other)
    throw new Failure('usage', `telctl cannot fill in ${other[0]}.`, {
      hint: 'Only {account_id} is filled in; put the value itself in its place.',
    });
  if (path.includes('{account_id}'))
    return path.replaceAll('{account_id}', encodeURIComponent(await context.accountId()));
  if (context.settings.account.source === 'option')
    throw new Failure('usage', `--account fills in {account_id}, and ${path} has none.`, {
      hint: 'Write {account_id} where the account belongs, or leave --account out.',
    });
  return path;
}

async function bodyOf(
  { file, field, method, path }: ApiInput,
  context: Context,
): Promise<JsonObject | undefined> {
  const assignments = field.map((each) => textAssignment('--field', each));
  const schema = schemasOf(method, path).request;
  const secret = assignments
    .map((each) => secretAssigned({ schema }, each))
    .find((found) => found !== undefined);
  if (secret !== undefined)
    throw new Failure('usage', `--field ${secret} would show a secret to everyone who can list processes.`, {
      hint: 'Put it into a file given by -f, or into standard input with -f -.',
    });
  if (file === undefined && field.length === 0) return undefined;
  const read = file === undefined ? {} : await fileBody(file, context);
  const envelope = isObject(read) && Object.hasOwn(read, 'data') ? read : { data: read };
  if (assignments.length === 0) return envelope;
  if (!isObject(envelope.data)) throw new Failure('usage', '--field needs data that is a map of fields.');
  const empty = { kind: 'map', entries: [], source: optionSource('--field'), at: 0 } as const;
  const given = plainValue(assign(empty, { schema: {} }, assignments));
  return { ...envelope, data: merged(envelope.data, given) };
}

function merged(base: Json | undefined, over: Json): Json {
  if (!isObject(base) || !isObject(over)) return over;
  const entries = Object.entries(over).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [[key, merged(Object.hasOwn(base, key) ? base[key] : undefined, value)] as const],
  );
  return { ...base, ...Object.fromEntries(entries) };
}

async function fileBody(file: string, context: Context): Promise<Json> {
  const { readDocuments } = await import('../../input/read-documents.ts');
  const { documents, problems } = await readDocuments(context.host, [file]);
  if (problems.length > 0) throw problemsFailure(problems);
  const [document, ...others] = documents;
  if (!document || others.length > 0) throw new Failure('usage', `${file} must hold one document.`);
  return plainValue(document);
}

/** Returns the schemas of a request's `data` and its reply's, if the contract has the operation. */
export function schemasOf(
  method: string,
  path: string,
): { readonly request: Schema; readonly reply: Schema } {
  const operation = operations.find((each) => each.method === method && fits(each, path));
  if (!operation) return { request: unknownSchema, reply: unknownSchema };
  const record = resourceByName(operation.resource).schema;
  const { body, reply } = operation;
  return {
    request: body?.kind === 'value' ? body.schema : body?.kind === 'action' ? unknownSchema : record,
    reply: replySchema(reply, record),
  };
}

function replySchema(reply: Operation['reply'], record: Schema): Schema {
  switch (reply.kind) {
    case 'value':
      return reply.schema;
    case 'record':
      return reply.resource ? resourceByName(reply.resource).schema : record;
    case 'list':
      return { type: 'array', items: reply.resource ? resourceByName(reply.resource).schema : record };
    default:
      return unknownSchema;
  }
}

function fits({ path }: Operation, typed: string): boolean {
  const wanted = path.split('/');
  const found = (typed.split('?')[0] ?? '')
    .replace(/^\/v2(?=\/)/, '')
    .replace(/\/$/, '')
    .split('/');
  return (
    wanted.length === found.length &&
    wanted.every((segment, index) => segment.startsWith('{') || segment === found[index])
  );
}
