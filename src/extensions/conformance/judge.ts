import { Failure } from '../../base/failure.ts';
import { isObject, type Json } from '../../base/json.ts';
import { itemsOf } from '../../client/api/each-page.ts';
import { headerOf, type IncomingReply } from '../../client/api/exchange.ts';
import { expectedOf } from '../../client/api/send-call.ts';
import { unwrap } from '../../client/api/unwrap.ts';
import { listedSchema, resourceByName } from '../../contract/catalogue.ts';
import type { Schema } from '../../contract/schema-node.ts';
import type { Operation } from '../../contract/types.ts';
import { createValidator } from '../../contract/validate.ts';
import { refusalShape, replyBody } from './replies.ts';

export type OperationResult = 'as-documented' | 'other-shape' | 'not-offered' | 'not-tried' | 'failed';

/** The outcome of a reply of another shape: telctl takes it, or the commands of the operation fail. */
type Taken = 'taken' | 'not-taken';

export interface Verdict {
  readonly result: OperationResult;
  /** A few words without subject; empty where there is nothing to explain. */
  readonly note: string;
  /** Of another shape alone. */
  readonly taken?: Taken;
}

export type Verdicts = ReadonlyMap<string, Verdict>;

export interface OperationFinding extends Verdict {
  readonly operation: Operation;
}

export const notTried = (note: string): Verdict => ({ result: 'not-tried', note });

/** True where the reply shows that there is such an operation. */
export const isServedThere = ({ result }: Verdict): boolean =>
  result === 'as-documented' || result === 'other-shape';

/** True where nothing that was asked answers like a service of this interface: anybody has files. */
export const isOtherService = (findings: readonly OperationFinding[]): boolean =>
  !findings.some((finding) => isServedThere(finding) && finding.operation.reply.kind !== 'file');

export const isTriedIn = (verdicts: Verdicts, id: string): boolean =>
  (verdicts.get(id)?.result ?? 'not-tried') !== 'not-tried';

export function isOfferedIn(verdicts: Verdicts, id: string): boolean {
  const verdict = verdicts.get(id);
  return verdict !== undefined && isServedThere(verdict);
}

export interface Known {
  /** Forms of its refusals of paths that nobody has. */
  readonly unknownPaths: ReadonlySet<string>;
}

const other = (note: string): Verdict => ({ result: 'other-shape', note });
const failed = (note: string): Verdict => ({ result: 'failed', note });

/** Number of items of a list that are checked against their schema. */
const looksAt = 20;

/** Those whose sign-in an operation needs, by its role. */
const others: Readonly<Record<string, string>> = { super: 'super administrators', above: 'accounts above' };

/** Says of an operation what its reply shows, by status and body alone: no sentence of a service is looked at. */
export function judge(operation: Operation, incoming: IncomingReply, known: Known): Verdict {
  const { status } = incoming;
  if (status < 300) {
    const verdict = shapeOf(operation, incoming);
    return verdict.result === 'other-shape'
      ? { ...verdict, taken: isTaken(operation, incoming) ? 'taken' : 'not-taken' }
      : verdict;
  }
  if (status < 400) return failed(`redirects elsewhere (${status})`);
  if (operation.nothingYet?.includes(status) && !known.unknownPaths.has(refusalShape(incoming)))
    return { ...other(`${status} while there is nothing`), taken: 'taken' };
  switch (status) {
    case 400:
    case 422:
      // What to look for is made up here, and such words are refused.
      return (operation.query ?? []).some(({ required }) => required || operation.source === 'convention')
        ? notTried(`it needs values that are not known here (${status})`)
        : failed(`refuses what was sent (${status})`);
    case 401:
      return failed('not for this sign-in (401)');
    case 402:
      return chargesShape(incoming);
    case 403:
      return operation.role in others
        ? notTried(`it is for ${others[operation.role]} (403)`)
        : failed('not allowed to this sign-in (403)');
    case 404:
      return missing(operation, incoming, known);
    case 405:
    case 410:
    case 501:
      return { result: 'not-offered', note: `${status}` };
    case 406:
      return { ...other('refuses JSON (406)'), taken: operation.accepts ? 'taken' : 'not-taken' };
    case 429:
      return failed('too many requests (429)');
    default:
      return failed(`answers ${status}`);
  }
}

/** A 404 is that of a path that nobody has, or says that there is nothing in a place that is known. */
function missing({ path, reply }: Operation, incoming: IncomingReply, { unknownPaths }: Known): Verdict {
  if (unknownPaths.has(refusalShape(incoming))) return { result: 'not-offered', note: '404' };
  if (reply.kind === 'file') return notTried('there is no file of that (404)');
  return /\{(?!account_id)/.test(path)
    ? failed('404 for a record that is there')
    : { ...other('404 while there is nothing'), taken: reply.kind === 'list' ? 'not-taken' : 'taken' };
}

/** Charges to be accepted, as the specification writes them: a map below `limits` (Errors, rule 1). */
function chargesShape(incoming: IncomingReply): Verdict {
  const body = replyBody(incoming);
  const data = body.kind === 'json' && isObject(body.value) ? body.value.data : undefined;
  return isObject(data) && isObject(data.limits)
    ? { result: 'as-documented', note: 'asks for charges, which were not accepted' }
    : { ...other('asks for charges in another form, which were not accepted'), taken: 'taken' };
}

function shapeOf(operation: Operation, incoming: IncomingReply): Verdict {
  const { reply } = operation;
  const body = replyBody(incoming);
  switch (body.kind) {
    case 'empty':
      return reply.kind === 'empty' || incoming.status === 204 ? fits : other('an empty body');
    case 'damaged':
      return failed('damaged JSON');
    case 'text':
      if (body.word === 'a web page') return failed('a web page instead of JSON');
      return reply.kind === 'file' ? fits : other(body.word);
    case 'json': {
      const { value } = body;
      if (Array.isArray(value)) return other('a bare list');
      if (!isObject(value)) return other('a bare value');
      if (value.status !== undefined && value.status !== 'success')
        return failed(
          `says ${value.status === 'error' ? 'error' : 'no success'} with status ${incoming.status}`,
        );
      // What says nothing may be left out.
      if (value.data === undefined && value.status !== undefined && reply.kind === 'empty') return fits;
      if (value.data === undefined)
        return other(value.status === undefined ? 'a bare record' : 'an envelope without data');
      return dataShape(operation, value.data);
    }
  }
}

const fits: Verdict = { result: 'as-documented', note: '' };

/** Holds `data` against what the contract says of the reply. */
function dataShape({ reply, resource, listed }: Operation, data: Json): Verdict {
  const named = resourceByName('resource' in reply ? (reply.resource ?? resource) : resource);
  switch (reply.kind) {
    case 'file':
      return fits;
    case 'empty':
      return isObject(data) && Object.keys(data).length === 0 ? fits : other(`data is ${wordFor(data)}`);
    case 'record':
      if (reply.orOther && (typeof data === 'string' || Array.isArray(data))) return fits;
      return isObject(data) ? checked(named.schema, [data]) : other(`data is ${wordFor(data)}`);
    case 'value':
      return checked(reply.schema, [data]);
    case 'list': {
      if (listed?.as === 'map') return isObject(data) ? fits : other(`data is ${wordFor(data)}`);
      if (!Array.isArray(data)) return other(`data is ${wordFor(data)}`);
      const items: readonly Json[] = data.slice(0, looksAt);
      const strange = items.find((item) => !isObject(item));
      if (strange !== undefined) return other(`its items are ${pluralFor(strange)}`);
      return listed === undefined ? checked(reply.items ?? listedSchema(named), items) : fits;
    }
  }
}

/** The first field of the wrong type; fields that the contract does not know are no matter. */
function checked(schema: Schema, values: readonly Json[]): Verdict {
  const check = createValidator(schema, 'specification', { anyModuleData: true });
  const [problem] = values.flatMap((value) => check(value));
  if (problem === undefined) return fits;
  return other(`${problem.path === '' ? 'data' : problem.path} ${problem.message}`);
}

function wordFor(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

const pluralFor = (value: Json): string =>
  typeof value === 'string' ? 'texts' : Array.isArray(value) ? 'lists' : 'no objects';

/** Tells whether telctl's client takes a reply: found out by giving it to the client. */
function isTaken(operation: Operation, incoming: IncomingReply): boolean {
  // A command asks for the other content type by itself.
  if (replyBody(incoming).kind === 'text' && operation.accepts?.includes(typeOf(incoming))) return true;
  try {
    const { reply } = unwrap(incoming, expectedOf({ operation }), 'the service');
    if (operation.reply.kind === 'list') itemsOf(reply.data, { operation });
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

const typeOf = ({ headers }: IncomingReply): string =>
  (headerOf(headers, 'content-type') ?? '').split(';')[0] ?? '';
