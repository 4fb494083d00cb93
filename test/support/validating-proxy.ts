import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { isObject, type Json } from '../../src/base/json.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import type { Operation } from '../../src/contract/types.ts';
import type { RuleSet } from '../../src/contract/validate.ts';
import type { SandboxMode } from '../../src/extensions/sandbox/differences.ts';

/** The published description of the service, as a validating proxy reads it. */
interface Description {
  /** Returns the value at a path, with references resolved. */
  at(...path: readonly string[]): Json | undefined;
  /** Returns the errors of a value according to the schema at a path. */
  validate(path: readonly string[], value: Json | undefined): string | undefined;
}

const escapePointer = (word: string): string => word.replaceAll('~', '~0').replaceAll('/', '~1');

function createDescription(rules: RuleSet): Description {
  const document = openApiDocument(rules);
  // Each schema is used only a few times, so compilation is kept minimal.
  const ajv = new Ajv2020({
    strict: false,
    inlineRefs: false,
    validateSchema: false,
    code: { optimize: false },
  });
  ajvFormats.default(ajv, ['email', 'uri', 'binary']);
  ajv.addSchema(document, 'service');
  const compiled = new Map<string, ValidateFunction>();

  function resolvePath(path: readonly string[]): {
    readonly value: Json | undefined;
    readonly place: string;
  } {
    let value: Json | undefined = document;
    let place: readonly string[] = [];
    for (const word of path) {
      value = isObject(value) ? value[word] : undefined;
      place = [...place, word];
      const reference = isObject(value) ? value.$ref : undefined;
      if (typeof reference !== 'string') continue;
      place = reference.slice('#/'.length).split('/');
      value = resolvePath(place).value;
    }
    return { value, place: place.map(escapePointer).join('/') };
  }

  return {
    at: (...path) => resolvePath(path).value,
    validate(path, value) {
      const { place } = resolvePath(path);
      const check = compiled.get(place) ?? ajv.compile({ $ref: `service#/${place}` });
      compiled.set(place, check);
      if (check(value)) return undefined;
      const keys = (check.errors ?? []).flatMap(
        ({ params }) => params.additionalProperty ?? params.unevaluatedProperty ?? [],
      );
      return (
        ajv.errorsText(check.errors, { dataVar: 'the body' }) +
        (keys.length > 0 ? `: ${keys.join(', ')}` : '')
      );
    },
  };
}

const descriptions = new Map<RuleSet, Description>();

/** Compiled once per worker, since compiling takes longer than most tests. */
function findDescription(rules: RuleSet): Description {
  const known = descriptions.get(rules) ?? createDescription(rules);
  descriptions.set(rules, known);
  return known;
}

const json = 'application/json';
const mediaType = (header: unknown): string =>
  String(header ?? '')
    .split(';', 1)[0]
    ?.trim() ?? '';

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Returns how a response differs from its description. */
function findReplyProblem(
  description: Description,
  place: readonly string[],
  { status, type, text }: Reply,
): string | undefined {
  const described = (key: string) => description.at(...place, 'responses', key);
  const key = described(String(status)) === undefined ? 'default' : String(status);
  if (status < 300 && key === 'default') return `the status ${status} is not described`;
  const content = description.at(...place, 'responses', key, 'content');
  if (!isObject(content) || (text === '' && (status >= 300 || type !== json))) return undefined;
  // KAZOO omits the type of requests that it refuses early.
  const kind = type === '' && status >= 400 ? json : type;
  if (content[kind] === undefined) return `the type ${type} is not described`;
  return kind === json
    ? description.validate([...place, 'responses', key, 'content', json, 'schema'], parsed(text))
    : undefined;
}

/** Returns how an accepted request differs from its description. */
function findRequestProblem(
  description: Description,
  place: readonly string[],
  { url, body, headers }: FastifyRequest,
): string | undefined {
  const query = new URLSearchParams(url.split('?')[1]);
  const parameters = description.at(...place, 'parameters');
  for (const each of Array.isArray(parameters) ? parameters : [])
    if (isObject(each) && each.in === 'query' && each.required === true && !query.has(String(each.name)))
      return `the query lacks ${each.name}`;
  const described = description.at(...place, 'requestBody');
  const isJson = mediaType(headers['content-type'] ?? json) === json;
  if (!isObject(described) || !isJson || Buffer.isBuffer(body)) return undefined;
  if (typeof body !== 'string' || body === '')
    return described.required === true ? 'there is no body' : undefined;
  return description.validate([...place, 'requestBody', 'content', json, 'schema'], parsed(body));
}

let isOn = false;

/** A response of the sandbox with its operation. */
export interface SeenReply extends Reply {
  readonly operation: Operation;
  readonly like: SandboxMode | undefined;
}

let seen: SeenReply[] | undefined;

/** Collects the responses of every sandbox in this file. */
export function collectReplies(): readonly SeenReply[] {
  seen = [];
  return seen;
}

/** Returns how a response violates the description under these rules, or `undefined`. */
export function findProblem({ operation, like: _, ...reply }: SeenReply, rules: RuleSet): string | undefined {
  const place = ['paths', operation.path, operation.method.toLowerCase()];
  const fault = findReplyProblem(findDescription(rules), place, reply);
  return fault && `${operation.id}: ${fault}`;
}

/**
 * Puts a validating proxy between telctl and each sandbox of this file: requests and responses must match the
 * published description.
 */
export function throughValidatingProxy(): void {
  beforeAll(() => {
    isOn = true;
  });
  afterAll(() => {
    isOn = false;
  });
}

/** Makes a sandbox return 500 when a proxy would find a violation. */
export function addValidatingProxy(app: FastifyInstance, like: SandboxMode | undefined): void {
  if (!isOn && seen === undefined) return;
  app.addHook('onSend', async (request, reply, payload) => {
    const [operation] = request.route?.operations ?? [];
    if (operation === undefined || reply.statusCode >= 500) return;
    const description = findDescription(like === 'specification' ? like : 'conventions');
    const place = ['paths', operation.path, operation.method.toLowerCase()];
    const isDescribed = description.at(...place) !== undefined;
    const isTaken = reply.statusCode < 300;
    const text = Buffer.isBuffer(payload) ? payload.toString('latin1') : String(payload ?? '');
    const sent = { status: reply.statusCode, type: mediaType(reply.getHeader('content-type')), text };
    seen?.push({ operation, like, ...sent });
    if (!isOn) return;
    const isOwn = String(request.headers['user-agent']).startsWith('telctl');
    const wrong = isDescribed
      ? (findReplyProblem(description, place, sent) ??
        (isTaken && isOwn ? findRequestProblem(description, place, request) : undefined))
      : isTaken
        ? 'it is not described'
        : undefined;
    if (wrong !== undefined)
      throw new Error(`${operation.id}, status ${sent.status}, contradicts its description: ${wrong}`);
  });
}
