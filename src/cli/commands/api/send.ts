import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Api, ApiRequest, RawCall, Reply } from '../../../client/api/api.ts';
import { replySchema } from '../../../contract/catalogue.ts';
import { type Meant, operationOfRequest } from '../../../contract/paths.ts';
import { requestSchema, resourceOf, unknownSchema } from '../../../contract/resource.ts';
import { listSecrets, masked, redact } from '../../../contract/secrets.ts';
import type { Method, Operation, Resource } from '../../../contract/types.ts';
import { assign, findSecretAssignment, textAssignment } from '../../../engine/input/assign.ts';
import { type DocumentNode, optionSource, problemsFailure } from '../../../engine/input/document.ts';
import { createShape, readScalar } from '../../../engine/input/read-scalar.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { askToDeleteAccount } from '../accounts/accounts.ts';
import { rotateApiKey } from '../accounts/api-key.ts';
import { confirmChange, dryRunResult } from '../change.ts';
import { askToDelete } from '../generic/delete.ts';
import { askForName } from '../guards/guard-request.ts';
import type { apiArguments, apiOptions } from './commands.ts';

/** Sends any request, under the same rules as other commands. */
export async function sendRequest(input: ApiInput, context: Context): Promise<Result> {
  const call = await readRequest(input, context);
  const meant = operationOfRequest(call.method, call.path, call.body);
  if (input.method !== 'GET') {
    if (meant) await askBefore(context, meant, input.force === true);
    if (context.options.dryRun) {
      const { method, path, body } = call;
      return dryRunResult(context, [
        { request: { method, path, body }, schema: meant ? requestSchema(meant.operation) : unknownSchema },
      ]);
    }
    await askUndocumented(call, meant !== undefined, context);
    if (meant && keyRotations.has(meant.operation.id))
      return rotateApiKey({}, await inAccount(context, meant.path.account_id));
  }
  const schema = meant ? replySchema(meant.operation) : unknownSchema;
  const hide = (data: Json): Json => {
    if (!context.options.reveal) return redact(schema, data);
    const secrets = listSecrets(schema, data);
    if (secrets.length > 0) context.notices.disclose(secrets);
    return data;
  };
  if (input.paginate) return listPages(call, context, hide);
  const reply = await (await context.api()).raw(call);
  return replyResult(reply, input, hide);
}

/** Their new keys are stored or shown, because a masked key would be lost. */
const keyRotations = new Set(['accounts.rotate-api-key', 'accounts.put-api-key']);

/** Asks before an undocumented DELETE, and before any change with a protected profile. */
async function askUndocumented({ method, path }: RawCall, isKnown: boolean, context: Context): Promise<void> {
  const { profile } = await context.session();
  if ((isKnown || method !== 'DELETE') && profile.protect !== 'confirm') return;
  await confirmChange(context, `Send ${method} ${path}?`, 'Nothing was sent.');
}

/** Shows a response. The text of a read is shown unchanged. Other text is shown as a JSON string. */
function replyResult(reply: Reply, { include, method }: ApiInput, hide: (data: Json) => Json): Result {
  const { text, status, envelope, data } = reply;
  const body: Json = text ?? { ...envelope, data: hide(data) };
  const isDocument = text !== undefined && (method === 'GET' || text === '');
  const bodyText = isDocument ? text : `${JSON.stringify(body, null, 2)}\n`;
  if (!include) return { kind: 'document', text: bodyText, value: body, foreign: isDocument };
  const headers = safeHeaders(reply.headers);
  const head = [`HTTP ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const whole = `${head.join('\n')}\n\n${bodyText}`;
  return { kind: 'document', text: whole, value: { status, headers, body }, foreign: isDocument };
}

/** Formats headers, and masks those with tokens. */
function safeHeaders(headers: Reply['headers']): Readonly<Record<string, string>> {
  const isSecret = (name: string): boolean => /token|cookie|authoriz|secret|api-?key/i.test(name);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, isSecret(name) ? masked : String(value)]],
    ),
  );
}

function listPages(call: RawCall, context: Context, hide: (data: Json) => Json): ListResult {
  async function* items(): AsyncIterable<JsonObject> {
    const api = await context.api();
    const seen = new Set<string>();
    for (let query = call.query; ; ) {
      const { data, envelope } = await api.raw({ ...call, ...(query ? { query } : {}) });
      const page = hide(data);
      for (const item of Array.isArray(page) ? page : [page]) yield isObject(item) ? item : { value: item };
      const next = envelope.next_start_key;
      if (next === undefined || next === null) return;
      const startKey = typeof next === 'string' ? next : JSON.stringify(next);
      if (seen.has(startKey))
        throw new Failure('partial', 'The service repeats the same page, so the list is incomplete.');
      seen.add(startKey);
      query = { ...query, start_key: startKey };
    }
  }
  return { kind: 'list', items: items(), noun: 'items' };
}

const anyShape = createShape(undefined);

export function plainValue(node: DocumentNode): Json {
  if (node.kind === 'list') return node.items.map(plainValue);
  if (node.kind === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainValue(value)]));
  const reading = readScalar(node, anyShape);
  return 'value' in reading ? reading.value : node.text;
}

type ApiInput = InputOf<typeof apiOptions, typeof apiArguments>;

async function readRequest(
  input: ApiInput,
  context: Context,
): Promise<RawCall & { readonly method: Method }> {
  const { method } = input;
  const body = await readBody(input, context);
  if (body !== undefined && method === 'GET')
    throw new Failure('usage', 'GET cannot have a body. Remove -f and --field.');
  return { method, path: await fillAccountId(input.path, context), ...(body === undefined ? {} : { body }) };
}

async function fillAccountId(path: string, context: Context): Promise<string> {
  const other = /\{(?!account_id\})[^}]*\}/.exec(path);
  if (other)
    throw new Failure('usage', `telctl cannot replace ${other[0]} in the path.`, {
      hint: 'Only {account_id} is replaced. Write the value in the path.',
    });
  if (path.includes('{account_id}'))
    return path.replaceAll('{account_id}', encodeURIComponent(await context.accountId()));
  if (context.settings.account.source === 'option')
    throw new Failure('usage', `--account sets {account_id}, but ${path} does not contain it.`, {
      hint: 'Write {account_id} in the path, or omit --account.',
    });
  return path;
}

async function readBody(
  { file, field, method, path }: ApiInput,
  context: Context,
): Promise<JsonObject | undefined> {
  const assignments = field.map((each) => textAssignment('--field', each));
  const meant = operationOfRequest(method, path);
  const schema = meant ? requestSchema(meant.operation) : unknownSchema;
  const secret = assignments
    .map((each) => findSecretAssignment({ schema }, each))
    .find((found) => found !== undefined);
  if (secret !== undefined)
    throw new Failure('usage', `--field ${secret} would show a secret to everyone who can list processes.`, {
      hint: 'Pass it in a file with -f FILE, or on standard input with -f -.',
    });
  if (file === undefined && field.length === 0) return undefined;
  const read = file === undefined ? {} : await fileBody(file, context);
  const envelope = isObject(read) && Object.hasOwn(read, 'data') ? read : { data: read };
  if (assignments.length === 0) return envelope;
  if (!isObject(envelope.data)) throw new Failure('usage', '--field requires data that is a map of fields.');
  const empty = { kind: 'map', entries: [], source: optionSource('--field'), at: 0 } as const;
  const given = plainValue(assign(empty, { schema: {} }, assignments));
  return { ...envelope, data: mergeBodies(envelope.data, given) };
}

function mergeBodies(base: Json | undefined, over: Json): Json {
  if (!isObject(base) || !isObject(over)) return over;
  const entries = Object.entries(over).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [[key, mergeBodies(Object.hasOwn(base, key) ? base[key] : undefined, value)] as const],
  );
  return { ...base, ...Object.fromEntries(entries) };
}

async function fileBody(file: string, context: Context): Promise<Json> {
  const { readDocuments } = await import('../../../engine/input/read-documents.ts');
  const { documents, problems } = await readDocuments(context.host, [file]);
  if (problems.length > 0) throw problemsFailure(problems);
  const [document, ...others] = documents;
  if (!document || others.length > 0) throw new Failure('usage', `${file} must contain one document.`);
  return plainValue(document);
}

/** Returns true for the deletion of a readable record. The question for it lists the references to the record. */
function deletesRecord({ method, verb, path }: Operation, { operations, idParameter }: Resource): boolean {
  const isOwn = path.endsWith(idParameter === undefined ? '' : `/{${idParameter}}`);
  return method === 'DELETE' && verb === 'delete' && isOwn && operations.some((each) => each.verb === 'get');
}

/** Asks the questions of the operation's command, without sending changes. Throws `Failure`. */
async function askBefore(context: Context, meant: Meant, force: boolean): Promise<void> {
  const { operation, path } = meant;
  const resource = resourceOf(operation);
  if (context.options.dryRun) return context.guard(meant);
  if (operation.id === 'accounts.delete') {
    await askToDeleteAccount(context, path.account_id ?? '');
    return;
  }
  if (deletesRecord(operation, resource)) {
    const id = path[resource.idParameter ?? ''] ?? resource.name;
    await askToDelete(await inAccount(context, path.account_id), resource, id, force);
    return;
  }
  await context.guard(meant);
  if (operation.asks?.yesAnswers) return askForName(context, meant, true);
  const isAsked = operation.asks !== undefined || operation.effect !== 'destructive';
  if (!isAsked) await confirmChange(context, `${operation.summary}?`, 'Nothing was sent.');
}

async function inAccount(context: Context, accountId: string | undefined): Promise<Context> {
  if (accountId === undefined || accountId === (await context.accountId())) return context;
  const bindAccount = async (open: () => Promise<Api>): Promise<Api> => {
    const api = await open();
    const withAccount = (call: ApiRequest): ApiRequest => ({
      ...call,
      path: { account_id: accountId, ...call.path },
    });
    return {
      ...api,
      call: (one) => api.call(withAccount(one)),
      pages: (one, heard) => api.pages(withAccount(one), heard),
      plan: (one) => api.plan(withAccount(one)),
    };
  };
  return {
    ...context,
    settings: { ...context.settings, account: { value: accountId, source: 'option', from: 'PATH' } },
    accountId: async () => accountId,
    api: () => bindAccount(context.api),
    bulkApi: (...given) => bindAccount(() => context.bulkApi(...given)),
    cleanupApi: () => bindAccount(context.cleanupApi),
  };
}
