import { Failure } from '../../../base/failure.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  textOrUndefined,
  valueAt,
} from '../../../base/json.ts';
import { gregorianOffset, parseDuration } from '../../../base/moment.ts';
import { formatCount, quoteName } from '../../../base/wording.ts';
import type { Api, ApiRequest } from '../../../client/api/api.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import type { Operation } from '../../../contract/types.ts';
import { type Handler, isGiven, type ParsedInput, type ParsedValue } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { confirmChange } from '../change.ts';
import { filterItems, filterQuery, readFilters } from '../generic/chosen-records.ts';
import { readInputBody, readWholeBody } from '../generic/input.ts';
import { flattenPages } from '../generic/list.ts';
import { quotedAccount } from '../labels.ts';
import { readServiceRange } from '../records/account-time.ts';
import { asRecord, findNamed, operationFor, refuseUnnamed } from '../records/find-named.ts';
import { recordIfThere } from '../records/listed-records.ts';
import { changeEachRecord, sendChange } from './change-records.ts';
import {
  type CallArgument,
  type CallOption,
  type Case,
  namedResource,
  type OperationCommandFacts,
  type ReplyFormat,
  type Request,
  type RequestPart,
  several,
} from './operation-command.ts';
import { fetchFile, readSentFile } from './service-files.ts';

export const callHandler =
  (facts: OperationCommandFacts): Handler<ParsedInput> =>
  async (input, context) => {
    const chosen = { ...facts, ...matchingCase(facts, input) };
    const { operation, gives = {}, says = '', asks, each, saves } = chosen;
    if (operation === undefined) throw new Error('A command calls nothing.');
    // The last argument of a command that moves records names them.
    const positional = Object.entries(chosen.arguments ?? {});
    const [last = ''] = positional.at(-1) ?? [];
    const others = Object.fromEntries(positional.slice(0, -1));
    const request = await requestFromInput(
      each ? { ...chosen, arguments: others } : chosen,
      operation,
      input,
      context,
    );
    const words = {
      ...input,
      account: /\{account\}/.test(`${asks} ${says}`) ? await quotedAccount(context) : '',
      sent: request.file ? `${request.file.type}, ${formatCount(request.file.bytes.length, 'byte')}` : '',
    };
    if (asks !== undefined && !context.options.dryRun)
      await confirmChange(context, fillPlaceholders(chosen, asks, words, request));
    if (each)
      return changeEachRecord(context, operation, { ...chosen, each }, listOfTexts(input[last]), request);
    const { path, query, data, file } = request;
    const call = {
      operation,
      path,
      query,
      ...(data === undefined ? {} : { data }),
      ...(file ? { file } : {}),
    };
    if (saves) return fetchFile(context, resourceByName(operation.resource), call, saves, input);
    if (operation.effect === 'read') return showReply(context, call, gives, input);
    const { reply } = operation;
    const result = await sendChange(context, {
      call,
      message: (answer) =>
        typeof says === 'string'
          ? fillPlaceholders(chosen, says, { ...words, reply: String(answer) }, request)
          : says(answer, input, request),
      ...(reply.kind === 'record' ? { resource: reply.resource ?? operation.resource } : {}),
      ...(await lookupAfterLoss(context, chosen, operation, request)),
    });
    return result.kind === 'done' ? { ...result, failure: facts.fails?.(result.value ?? null) } : result;
  };

function matchingCase(
  { given = [] }: OperationCommandFacts,
  input: ParsedInput,
): Partial<OperationCommandFacts> | undefined {
  const matchesInput = ([key, wanted]: readonly [string, Case['when'][string]]): boolean => {
    const value = input[key];
    if (wanted === several) return Array.isArray(value) && value.length > 1;
    return wanted === true ? isGiven(value) : value === wanted;
  };
  return given.find(({ when }) => Object.entries(when).every(matchesInput));
}

async function lookupAfterLoss(
  context: Context,
  { lookUp, isDone, beside }: OperationCommandFacts,
  operation: Operation,
  request: Request,
): Promise<{ readonly lookUp?: (api: Api) => Promise<Json | undefined> }> {
  if (lookUp) return { lookUp: (api) => lookUp(api, request) };
  if (beside) {
    const before = context.options.dryRun ? [] : await beside.records(await context.api(), request);
    const known = new Set(before.map(({ id }) => id));
    const isNewRecord = (each: JsonObject): boolean => !known.has(each.id) && beside.isIt(each, request);
    return { lookUp: async (api) => (await beside.records(api, request)).find(isNewRecord) };
  }
  if (!isDone) return {};
  const resource = resourceByName(operation.resource);
  const id = resource.idParameter === undefined ? undefined : request.path[resource.idParameter];
  return {
    async lookUp(api) {
      const record = id === undefined ? undefined : await recordIfThere(api, resource, id);
      const done = isDone(record, request.data ?? null);
      if (done === undefined)
        throw new Failure('failed', 'The record does not show whether the change was made.');
      return done ? (record ?? {}) : undefined;
    },
  };
}

const listOfTexts = (value: ParsedValue): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [String(value)];

async function requestFromInput(
  facts: OperationCommandFacts,
  operation: Operation,
  input: ParsedInput,
  context: Context,
): Promise<Request> {
  const { body, whole, data, stored } = facts;
  const fixed = typeof data === 'function' ? undefined : data;
  const read = whole ? readWholeBody : readInputBody;
  const given = body
    ? await read(
        context,
        body,
        operation,
        input,
        stored &&
          (async () => [await readReply(await context.api(), { operation: stored }, {})].filter(isObject)),
      )
    : undefined;
  const request: Request = {
    path: {},
    query: { ...(typeof facts.query === 'function' ? facts.query(context) : facts.query) },
    data: given ? { ...fixed, ...given } : fixed,
  };
  const parameters = [...operation.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    name === 'account_id' ? [] : name,
  );
  for (const [key, spec] of Object.entries({ ...facts.arguments, ...facts.options })) {
    const value = input[key];
    const into = spec.into ?? firstParameter(parameters);
    if (typeof into === 'object' && 'path' in into && typeof value === 'string')
      refuseUnnamed(resourceByName(operation.resource), value);
    if (value !== undefined) fillIn(request, into, await convertInput(spec, value, context, request.path));
  }
  // Services expect times of a range in Gregorian seconds.
  if (facts.range) Object.assign(request.query, await rangeQuery(facts.range, input, context));
  if (operation.body?.kind === 'file' && typeof input.file === 'string') {
    const { singular } = resourceByName(operation.resource);
    request.file = readSentFile(context.host, input.file, operation.body, facts.what ?? singular);
  }
  if (typeof data === 'function') request.data = await data(request, context, input);
  return request;
}

async function rangeQuery(
  parameters: NonNullable<OperationCommandFacts['range']>,
  input: ParsedInput,
  context: Context,
): Promise<Readonly<Record<string, string>>> {
  const typed = {
    from: textOrUndefined(input.from),
    to: textOrUndefined(input.to),
    options: ['--from', '--to'],
  } as const;
  const { fromMs, toMs } = await readServiceRange(context, typed);
  return Object.fromEntries(
    [fromMs, toMs].flatMap((ms, index) => {
      const parameter = parameters[index];
      if (ms === undefined || parameter === undefined) return [];
      return [[parameter, String(Math.floor(ms / 1000) + gregorianOffset)]];
    }),
  );
}

/** Converts a typed value for the request. Throws `Failure` for a name without a record. */
async function convertInput(
  spec: CallArgument | CallOption,
  value: ParsedValue,
  context: Context,
  within: Request['path'],
): Promise<Json> {
  const resource = namedResource(spec);
  const convertOne = async (word: string): Promise<Json> => {
    if (resource !== undefined)
      return (await findNamed(context, resourceByName(resource), word, [], within)).id;
    if (spec.as === undefined || spec.as === 'text') return word;
    const [read, wanted] = readers[spec.as];
    const value = read(word);
    if (value !== undefined) return value;
    const flag = 'name' in spec ? spec.name : `--${spec.flag}`;
    throw new Failure('usage', `${flag} takes ${wanted}, not ${JSON.stringify(word)}.`);
  };
  if (typeof value !== 'string') {
    if (!Array.isArray(value)) return value as Json;
    const all: Json[] = [];
    for (const each of value) all.push(await convertOne(String(each)));
    return all;
  }
  return convertOne(value);
}

const readers = {
  seconds: [secondsIn, 'a duration such as 15m'],
  integer: [(text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined), 'a whole number'],
  object: [objectIn, 'a JSON object'],
} as const;

function secondsIn(text: string): number | undefined {
  const ms = parseDuration(text);
  return ms === undefined ? undefined : Math.round(ms / 1000);
}

function objectIn(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

function firstParameter(parameters: string[]): RequestPart {
  const path = parameters.shift();
  return path === undefined ? 'nowhere' : { path };
}

function fillIn(request: Request, into: RequestPart, value: Json): void {
  if (into === 'nowhere') return;
  if (into === 'body') request.data = value;
  else if ('data' in into)
    request.data = { ...(isObject(request.data) ? request.data : {}), [into.data]: value };
  else if ('path' in into) request.path[into.path] = String(value);
  else request.query[into.query] = String(value);
}

const fillPlaceholders = (
  { counts }: OperationCommandFacts,
  sentence: string,
  words: ParsedInput,
  request: Request,
): string =>
  sentence.replaceAll(/\{([\w.]+)\}/g, (_whole, key: string) => {
    if (key.startsWith('data.')) return String(valueAt(request.data, key.slice('data.'.length)));
    const value = words[key];
    const singular = counts?.[key];
    if (singular !== undefined) return formatCount(Array.isArray(value) ? value.length : 0, singular);
    // The account name is already quoted, and the text of the service is not quoted.
    return ['account', 'reply', 'sent'].includes(key) ? String(value) : quoteName(String(value));
  });

async function readReply(api: Api, call: ApiRequest, missing: JsonObject | undefined): Promise<Json> {
  try {
    return (await api.call(call)).data;
  } catch (error) {
    if (missing && error instanceof Failure && error.status === 404 && error.code === 'bad_identifier')
      return missing;
    throw error;
  }
}

async function showReply(
  context: Context,
  call: ApiRequest,
  gives: ReplyFormat,
  input: ParsedInput,
): Promise<Result> {
  const { resource, noun = '', columns, rows, result, item, word, number, text } = gives;
  const api = await context.api();
  if (text !== undefined) return textResult(api, call, text);
  const list = {
    kind: 'list',
    noun,
    ...(resource ? { resource } : {}),
    ...(columns ? { columns } : {}),
  } as const;
  if (rows === 'windows') return { ...list, items: await recordsInWindows(context, call, input) };
  if (rows === 'pages') return { ...list, items: flattenPages(api.pages(call)) };
  if (typeof rows === 'object' && 'each' in rows)
    return {
      ...list,
      items: convertRecords(flattenPages(api.pages(call)), (record, index) =>
        rows.each(record, index, input),
      ),
    };
  const data = await readReply(api, call, gives.missing);
  if (result) return result(data);
  if (number !== undefined) {
    const count = isObject(data) ? data[number] : undefined;
    if (typeof count !== 'number')
      throw new Failure('failed', 'The response of the service is not a number.');
    return { kind: 'text', text: [String(count)], value: { [number]: count } };
  }
  const items = rows === undefined ? undefined : await readRows(context, data, rows);
  if (items === undefined) {
    const value = resource ? asRecord(resourceByName(resource), data) : data;
    if (item && isObject(value))
      return { kind: 'item', value: item(value, input), ...(resource ? { resource } : {}) };
    const whole = isObject(value) ? value : { ...call.path, [word ?? 'value']: value };
    const { reply } = call.operation;
    const schema = reply.kind === 'value' ? reply.schema : undefined;
    return { kind: 'item', value: whole, ...(resource ? { resource } : schema ? { schema } : {}) };
  }
  return { ...list, items };
}

async function textResult(api: Api, call: ApiRequest, accept: string): Promise<Result> {
  const { text, bytes } = await api.call({ ...call, accept });
  const found = text ?? (bytes === undefined ? undefined : Buffer.from(bytes).toString());
  const [id] = Object.values(call.path ?? {});
  if (found === undefined) throw new Failure('not_found', `No text of type ${accept} found.`);
  return { kind: 'document', foreign: true, text: found, value: { id, type: accept, text: found } };
}

async function recordsInWindows(
  context: Context,
  call: ApiRequest,
  input: ParsedInput,
): Promise<AsyncIterable<JsonObject>> {
  const { recordsOfTime } = await import('../cdrs/list.ts');
  const resource = resourceByName(call.operation.resource);
  const filters = await readFilters(resource, input, context);
  const query = { ...call.query, ...filterQuery(resource, filters) };
  return filterItems(resource, filters, recordsOfTime(context, { ...call, query }, input));
}

async function* convertRecords(
  records: AsyncIterable<JsonObject>,
  made: (record: JsonObject, index: number) => JsonObject | undefined,
): AsyncIterable<JsonObject> {
  let index = 0;
  for await (const record of records) {
    const row = made(record, index);
    index += 1;
    if (row) yield row;
  }
}

async function readRows(
  context: Context,
  data: Json,
  rows: Exclude<NonNullable<ReplyFormat['rows']>, 'pages' | 'windows' | { readonly each: unknown }>,
): Promise<readonly JsonObject[] | undefined> {
  if (typeof rows === 'function') return rows(data);
  if ('keyed' in rows)
    return Object.entries(isObject(data) ? data : {}).map(([id, value]) => ({
      [rows.keyed]: id,
      ...(isObject(value) ? value : { status: value ?? null }),
    }));
  const ids: readonly Json[] = Array.isArray(data) ? data : [];
  const known = new Map<Json | undefined, JsonObject>();
  const operation = operationFor(resourceByName(rows.idsOf), 'list');
  if (ids.length > 0)
    for await (const page of (await context.api()).pages({ operation }))
      for (const record of page) known.set(record.id, record);
  return ids.map((id) => {
    const record = known.get(id) ?? {};
    const fields = rows.fields.filter((field) => Object.hasOwn(record, field));
    return { id, ...Object.fromEntries(fields.map((field) => [field, record[field] ?? null])) };
  });
}
