import { createHash } from 'node:crypto';
import type { Clock } from '../../../base/host/host.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { listedSchema, resourceByName } from '../../../contract/catalogue.ts';
import type { ErrorShape, Operation } from '../../../contract/types.ts';
import { createValidator, type SchemaProblem } from '../../../contract/validate.ts';
import { type Behaviour, traitsOf } from '../behaviour.ts';
import { timestamp } from '../ids-and-secrets.ts';
import { Refusal } from '../refusal.ts';
import type { IncomingRequest } from '../request.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';

/** Flows are returned as stored, so their module data is not checked. */
const stored = { anyModuleData: true } as const;

function replyProblems({ reply, resource }: Operation, data: Json): readonly SchemaProblem[] {
  const named = () => resourceByName('resource' in reply ? (reply.resource ?? resource) : resource);
  switch (reply.kind) {
    case 'record':
      if (reply.orOther && !isObject(data)) return [];
      return createValidator(named().schema, 'conventions', stored)(data);
    case 'value':
      return createValidator(reply.schema, 'conventions', stored)(data);
    case 'list': {
      const check = createValidator(reply.items ?? listedSchema(named()), 'conventions', stored);
      const items = Array.isArray(data) ? data : [];
      const wrong = Array.isArray(data) ? [] : [{ path: '', rule: 'type', message: 'must be an array' }];
      return [...wrong, ...items.flatMap((item: Json) => check(item))];
    }
    case 'empty':
    case 'file':
      return [];
  }
}

/** Throws an error if a response does not match the contract. That is a bug of the sandbox or the contract. */
export function assertReply(operation: Operation, data: Json, behaviour: Behaviour): void {
  const { looseFields = [] } = traitsOf(behaviour, operation.resource);
  const problems = replyProblems(operation, data).filter(({ path }) => !looseFields.includes(path));
  if (problems.length === 0) return;
  const said = problems.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new Error(`The reply of ${operation.id} does not fit the contract: ${said}`);
}

export interface ReplyFacts {
  readonly clock: Clock;
  readonly node: string;
  /** Release version, if the caller can see it. */
  readonly version: string | undefined;
  readonly requestId: string;
  readonly token?: string | undefined;
  /** Remaining requests of the caller's rate limit, if responses contain it. */
  readonly tokensLeft?: number | undefined;
  readonly revision?: string | undefined;
}

const envelopeFields = ({ clock, node, version, requestId, token, tokensLeft }: ReplyFacts): JsonObject => ({
  request_id: requestId,
  node,
  timestamp: timestamp(clock),
  ...(tokensLeft === undefined ? {} : { tokens: { consumed: 1, remaining: tokensLeft } }),
  ...(version === undefined ? {} : { version }),
  ...(token === undefined ? {} : { auth_token: token }),
});

/** Returns the body of a success response (Conventions, Success response envelope). */
export const successBody = (
  facts: ReplyFacts,
  data: Json | undefined,
  more: JsonObject = {},
): JsonObject => ({
  ...(data === undefined ? {} : { data }),
  status: 'success',
  ...(facts.revision === undefined ? {} : { revision: facts.revision }),
  ...more,
  ...envelopeFields(facts),
});

/** Returns the body of an error response in the format of the operation (Errors). */
export function errorBody(
  facts: ReplyFacts,
  refusal: Refusal,
  shape: ErrorShape,
  referenceErrors: Behaviour['replies']['referenceErrors'],
): JsonObject {
  const { status, code, message, data, facts: found } = refusal;
  const legacy = { status: 'error', error: String(status) };
  if (shape === 'reference' && referenceErrors !== 'envelope') {
    const reference = { code, message, request_id: facts.requestId };
    return referenceErrors === 'alone' ? reference : { ...reference, ...legacy, data };
  }
  return {
    ...legacy,
    message: code === 'validation_error' ? 'validation error' : code,
    ...(found.isBare ? {} : { data }),
    ...found.envelope,
    ...envelopeFields(facts),
  };
}

const csvCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const cellOf = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.map((item: Json) => cellOf(item)).join(' ') : String(value);
};

/** Flattens a record to columns. Paths are joined by underscores. */
const cellsOf = (value: Json, path = ''): readonly (readonly [string, string])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) =>
        cellsOf(inner ?? null, path === '' ? key : `${path}_${key}`),
      )
    : [[path === 'id' ? 'ID' : path, cellOf(value)]];

/** Formats a list as CSV like compatible services (as recorded): all values are quoted, and lines end in LF. */
export function formatListAsCsv(items: readonly Json[]): string {
  const rows = items.map((item) => new Map(cellsOf(item)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

/** Returns a revision for callers: the number of writes and a digest. */
export function revisionOf(
  { kind, scope, id, createdAt, revision }: StoredRecord,
  isWritten = false,
): string {
  const count = revision + (isWritten ? 1 : 0);
  const text = JSON.stringify([kind, scope, id, createdAt, count]);
  return `${count}-${createHash('md5').update(text).digest('hex')}`;
}

export const listRevision = (items: Json): string =>
  createHash('md5').update(JSON.stringify(items)).digest('hex');

export const etagOf = (revision: string): string => `"${revision}"`;

export const matchesRevision = (header: string, revision: string): boolean =>
  header.split(',').some((tag) => ['*', etagOf(revision)].includes(tag.trim().replace(/^W\//, '')));

/** Refuses (412) a write with `If-Match` or `If-None-Match` if the record has another revision. */
export function refuseStale(
  record: StoredRecord,
  { resource, method }: Operation,
  { header }: IncomingRequest,
  { behaviour }: Services,
): void {
  const [wanted, unwanted] = [header('if-match'), header('if-none-match')];
  if (!behaviour.replies.revisions) return;
  if (unwanted !== undefined && method !== 'GET' && matchesRevision(unwanted, revisionOf(record)))
    throw new Refusal(412, 'precondition_failed', 'The record already exists.');
  if (wanted === undefined || wanted.trim() === '*') return;
  const isRefused = resourceByName(resource).refusesTag?.includes(method) === true;
  if (isRefused || !matchesRevision(wanted, revisionOf(record))) {
    throw new Refusal(412, 'precondition_failed', 'The record was changed since it was read.');
  }
}
