import { Failure } from '../../base/failure.ts';
import { isObject, type Json } from '../../base/json.ts';
import { pageItems } from '../../client/api/each-page.ts';
import { firstHeader, type IncomingReply } from '../../client/api/exchange.ts';
import { expectedReply } from '../../client/api/send-call.ts';
import { unwrap } from '../../client/api/unwrap.ts';
import { listedSchema, resourceByName } from '../../contract/catalogue.ts';
import type { Schema } from '../../contract/schema-node.ts';
import type { Operation } from '../../contract/types.ts';
import { createValidator } from '../../contract/validate.ts';
import { refusalShape, replyBody } from './replies.ts';

export type OperationResult = 'as-documented' | 'other-shape' | 'not-offered' | 'not-tried' | 'failed';

type Taken = 'taken' | 'not-taken';

export interface Verdict {
  readonly result: OperationResult;
  /** A short explanation. Can be empty. */
  readonly note: string;
  /** Only for replies in another format: whether telctl accepts it. Otherwise, the commands of the operation fail. */
  readonly taken?: Taken;
}

export type Verdicts = ReadonlyMap<string, Verdict>;

export interface OperationFinding extends Verdict {
  readonly operation: Operation;
}

export const notTried = (note: string): Verdict => ({ result: 'not-tried', note });

export const isSupported = ({ result }: Verdict): boolean =>
  result === 'as-documented' || result === 'other-shape';

/** Returns true if no reply matches this interface. Files are ignored, because any service can have them. */
export const isOtherService = (findings: readonly OperationFinding[]): boolean =>
  !findings.some((finding) => isSupported(finding) && finding.operation.reply.kind !== 'file');

export const wasTried = (verdicts: Verdicts, id: string): boolean =>
  (verdicts.get(id)?.result ?? 'not-tried') !== 'not-tried';

export function isOfferedIn(verdicts: Verdicts, id: string): boolean {
  const verdict = verdicts.get(id);
  return verdict !== undefined && isSupported(verdict);
}

export interface Known {
  readonly unknownPaths: ReadonlySet<string>;
}

const otherShape = (note: string): Verdict => ({ result: 'other-shape', note });
const failedResult = (note: string): Verdict => ({ result: 'failed', note });

/** Number of list items that are checked against the schema. */
const looksAt = 20;

/** Users who can send an operation, by its role. */
const others: Readonly<Record<string, string>> = { super: 'super administrators', above: 'accounts above' };

/** Judges the reply of an operation by status and body. Ignores sentences of the service. */
export function judge(operation: Operation, incoming: IncomingReply, known: Known): Verdict {
  const { status } = incoming;
  if (status < 300) {
    const verdict = judgeShape(operation, incoming);
    return verdict.result === 'other-shape'
      ? { ...verdict, taken: isTaken(operation, incoming) ? 'taken' : 'not-taken' }
      : verdict;
  }
  if (status < 400) return failedResult(`redirects elsewhere (${status})`);
  if (operation.nothingYet?.includes(status) && !known.unknownPaths.has(refusalShape(incoming)))
    return { ...otherShape(`${status} without a record`), taken: 'taken' };
  switch (status) {
    case 400:
    case 422:
      // Search values are invented, so the service may refuse them.
      return (operation.query ?? []).some(({ required }) => required || operation.source === 'convention')
        ? notTried(`it needs unknown values (${status})`)
        : failedResult(`refuses the data (${status})`);
    case 401:
      return failedResult('not for this sign-in (401)');
    case 402:
      return chargesShape(incoming);
    case 403:
      return operation.role in others
        ? notTried(`only for ${others[operation.role]} (403)`)
        : failedResult('not allowed to this sign-in (403)');
    case 404:
      return missingResult(operation, incoming, known);
    case 405:
    case 410:
    case 501:
      return { result: 'not-offered', note: `${status}` };
    case 406:
      return { ...otherShape('refuses JSON (406)'), taken: operation.accepts ? 'taken' : 'not-taken' };
    case 429:
      return failedResult('too many requests (429)');
    default:
      return failedResult(`answers ${status}`);
  }
}

/** Judges a 404 response: either the path does not exist, or a known path has no record. */
function missingResult(
  { path, reply }: Operation,
  incoming: IncomingReply,
  { unknownPaths }: Known,
): Verdict {
  if (unknownPaths.has(refusalShape(incoming))) return { result: 'not-offered', note: '404' };
  if (reply.kind === 'file') return notTried('there is no file (404)');
  return /\{(?!account_id)/.test(path)
    ? failedResult('404 for an existing record')
    : { ...otherShape('404 without a record'), taken: reply.kind === 'list' ? 'not-taken' : 'taken' };
}

/** Checks charges against the specification: a map below `limits` (Errors, rule 1). */
function chargesShape(incoming: IncomingReply): Verdict {
  const body = replyBody(incoming);
  const data = body.kind === 'json' && isObject(body.value) ? body.value.data : undefined;
  return isObject(data) && isObject(data.limits)
    ? { result: 'as-documented', note: 'asks to accept charges' }
    : { ...otherShape('asks to accept charges in another format'), taken: 'taken' };
}

function judgeShape(operation: Operation, incoming: IncomingReply): Verdict {
  const { reply } = operation;
  const body = replyBody(incoming);
  switch (body.kind) {
    case 'empty':
      return reply.kind === 'empty' || incoming.status === 204 ? fits : otherShape('an empty body');
    case 'damaged':
      return failedResult('damaged JSON');
    case 'text':
      if (body.word === 'a web page') return failedResult('a web page instead of JSON');
      return reply.kind === 'file' ? fits : otherShape(body.word);
    case 'json': {
      const { value } = body;
      if (Array.isArray(value)) return otherShape('a bare list');
      if (!isObject(value)) return otherShape('a bare value');
      if (value.status !== undefined && value.status !== 'success')
        return failedResult(
          `says ${value.status === 'error' ? 'error' : 'no success'} with status ${incoming.status}`,
        );
      // `data` can be missing if the contract declares none.
      if (value.data === undefined && value.status !== undefined && reply.kind === 'empty') return fits;
      if (value.data === undefined)
        return otherShape(value.status === undefined ? 'a bare record' : 'an envelope without data');
      return dataShape(operation, value.data);
    }
  }
}

const fits: Verdict = { result: 'as-documented', note: '' };

function dataShape({ reply, resource, listed }: Operation, data: Json): Verdict {
  const named = resourceByName('resource' in reply ? (reply.resource ?? resource) : resource);
  switch (reply.kind) {
    case 'file':
      return fits;
    case 'empty':
      return isObject(data) && Object.keys(data).length === 0 ? fits : otherShape(`data is ${wordFor(data)}`);
    case 'record':
      if (reply.orOther && (typeof data === 'string' || Array.isArray(data))) return fits;
      return isObject(data) ? checkData(named.schema, [data]) : otherShape(`data is ${wordFor(data)}`);
    case 'value':
      return checkData(reply.schema, [data]);
    case 'list': {
      if (listed?.as === 'map') return isObject(data) ? fits : otherShape(`data is ${wordFor(data)}`);
      if (!Array.isArray(data)) return otherShape(`data is ${wordFor(data)}`);
      const items: readonly Json[] = data.slice(0, looksAt);
      const strange = items.find((item) => !isObject(item));
      if (strange !== undefined) return otherShape(`its items are ${pluralFor(strange)}`);
      return listed === undefined ? checkData(reply.items ?? listedSchema(named), items) : fits;
    }
  }
}

/** Returns the first field with a wrong type. Ignores unknown fields. */
function checkData(schema: Schema, values: readonly Json[]): Verdict {
  const check = createValidator(schema, 'specification', { anyModuleData: true });
  const [problem] = values.flatMap((value) => check(value));
  if (problem === undefined) return fits;
  return otherShape(`${problem.path === '' ? 'data' : problem.path} ${problem.message}`);
}

function wordFor(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

const pluralFor = (value: Json): string =>
  typeof value === 'string' ? 'texts' : Array.isArray(value) ? 'lists' : 'no objects';

/** Returns true if telctl's client accepts a reply. */
function isTaken(operation: Operation, incoming: IncomingReply): boolean {
  // Commands request the other content type.
  if (replyBody(incoming).kind === 'text' && operation.accepts?.includes(contentType(incoming))) return true;
  try {
    const { reply } = unwrap(incoming, expectedReply({ operation }), 'the service');
    if (operation.reply.kind === 'list') pageItems(reply.data, { operation });
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

const contentType = ({ headers }: IncomingReply): string =>
  (firstHeader(headers, 'content-type') ?? '').split(';')[0] ?? '';
