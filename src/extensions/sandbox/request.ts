import {
  isDeeperThan,
  isObject,
  type Json,
  type JsonObject,
  malformedAt,
  maxDepth,
  maxRecordDepth,
} from '../../base/json.ts';
import type { Operation } from '../../contract/types.ts';
import { createNormaliser } from '../../contract/validate.ts';
import type { Behaviour } from './behaviour.ts';
import { detailedProblems, invalid, Refusal } from './refusal.ts';

export interface ReceivedFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

export const hasFileBody = ({ body }: Operation): boolean => body?.kind === 'file';

/** A request before it is parsed. */
export interface IncomingRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  readonly address: string;
  /** Body as text. Empty for a file. */
  readonly body: string;
  /** Set at addresses that receive files. */
  readonly file: ReceivedFile | undefined;
}

/** Returns the content types that the caller accepts: its `accept` parameter or its `Accept` header. */
export const acceptedTypes = ({ query, header }: IncomingRequest): string =>
  query.get('accept') ?? header('accept') ?? '';

function refuseDeepNesting(path: string, value: Json | undefined, target: number): void {
  if (!isDeeperThan(value, target)) return;
  throw invalid([
    { path, rule: 'maxDepth', message: `must not be nested deeper than ${target} levels`, target },
  ]);
}

const invalidBody = (message: string): Refusal =>
  new Refusal(400, 'validation_error', message, { json: { invalid: { message, target: 'body' } } });

/**
 * Parses a request body. Refuses (400) deep nesting, halves of surrogate pairs, and bodies that are not JSON objects.
 * `others` selects the error for the latter.
 */
export function parseEnvelope(body: string, others: 'type' | 'json' = 'type'): JsonObject {
  if (body.trim() === '') return {};
  let parsed: Json;
  try {
    parsed = JSON.parse(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidBody('The request body is not valid JSON.');
  }
  refuseDeepNesting('body', parsed, maxDepth);
  if (malformedAt(parsed) !== undefined)
    throw invalidBody('The request body contains half of a surrogate pair.');
  if (isObject(parsed)) {
    refuseDeepNesting('data', parsed.data, maxRecordDepth);
    return parsed;
  }
  if (others === 'json') throw invalidBody('The request body is not a JSON object.');
  throw invalid([{ path: 'body', rule: 'type', message: 'must be an object', target: 'object' }]);
}

/**
 * Parses a request body like services with `bodyFirst`. Keys are case-insensitive. The body must have `data` that is
 * an object or an array. Refuses (400) other bodies.
 */
export function strictEnvelope(body: string): JsonObject {
  if (body.trim() === '') return {};
  const envelope = Object.fromEntries(
    Object.entries(parseEnvelope(body, 'json')).map(([key, value]) => [key.toLowerCase(), value]),
  );
  const { data } = envelope;
  if (data === undefined || data === null) {
    const { data: _, ...value } = envelope;
    throw invalid([{ path: 'data', rule: 'required', message: 'is required', value }]);
  }
  if (typeof data === 'object') return envelope;
  const target = 'object, array';
  throw invalid([
    { path: 'data', rule: 'type', message: 'must be an object or a list', target, value: data },
  ]);
}

/** Selects the operation by the `action` of the request, if several have the same method and path. */
export function chooseOperation(
  candidates: readonly Operation[],
  envelope: JsonObject,
  unknownActions: Behaviour['identity']['unknownActions'],
): Operation {
  const [only] = candidates;
  const requiredAction = ({ body }: Operation) => (body?.kind === 'action' ? body.action : undefined);
  const asked = envelope.action ?? (isObject(envelope.data) ? envelope.data.action : undefined);
  const found = candidates.find(
    (each) => requiredAction(each) === undefined || requiredAction(each) === asked,
  );
  if (found) return found;
  if (!only) throw new Error('A route has no operation.');
  if (unknownActions === 'refused') {
    const message = 'No such action.';
    // A record with several actions has data for each.
    if (only.body?.kind === 'action' && only.body.data)
      throw new Refusal(
        400,
        asked === undefined ? 'action required' : 'invalid action',
        message,
        {},
        { isReached: true },
      );
    throw only.path.includes('{')
      ? new Refusal(500, 'action required', message, { message }, { isReached: true })
      : new Refusal(403, 'forbidden', message);
  }
  const target = candidates.flatMap((each) => requiredAction(each) ?? []);
  const rule = asked === undefined ? 'required' : 'enum';
  throw invalid([{ path: 'action', rule, message: `must be one of ${target.join(', ')}`, target }]);
}

/** Returns the `data` of a request. Returns `{}` for a list. Refuses (400) missing data and wrong types. */
export function sentData(
  { body, bodyOptional, method }: Operation,
  envelope: JsonObject,
  { requests }: Behaviour,
): JsonObject {
  const { data } = envelope;
  const takesList = body?.kind === 'value' && body.schema.type === 'array';
  // With `bodyFirst`, a missing body counts as empty data, and lists are not accepted.
  if (requests.bodyFirst && data === undefined) return {};
  if (requests.bodyFirst && Array.isArray(data) && method !== 'GET' && !takesList) {
    throw invalid([{ path: '', rule: 'type', message: 'must be an object', target: 'object', value: data }]);
  }
  if (data === undefined) {
    if (!body || body.kind === 'action' || body.kind === 'file' || bodyOptional) return {};
    throw invalid([{ path: 'data', rule: 'required', message: 'is required' }]);
  }
  if (takesList) {
    if (Array.isArray(data)) return {};
    throw invalid([{ path: 'data', rule: 'type', message: 'must be an array', target: 'array' }]);
  }
  if (!isObject(data)) {
    throw invalid([{ path: 'data', rule: 'type', message: 'must be an object', target: 'object' }]);
  }
  return data;
}

/** Validates `data` against the schema of the operation, and sets defaults. Refuses (400) invalid data. */
export function validateData(
  { body, resource }: Operation,
  data: JsonObject,
  { records }: Behaviour,
): JsonObject {
  const schema = body?.kind === 'value' ? body.schema : body?.kind === 'action' ? body.data : undefined;
  // Handlers read lists from the envelope.
  if (schema === undefined || schema.type === 'array') return data;
  const { value, problems } = createNormaliser(schema, records.rules, {
    roundsFractions: records.fractions === 'rounded',
  })(data);
  if (problems.length > 0) {
    throw invalid(
      records.problems === 'brief' ? problems : detailedProblems(problems, data, { kind: resource }),
    );
  }
  return isObject(value) ? value : {};
}
