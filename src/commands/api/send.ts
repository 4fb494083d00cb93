import type { RawCall, Reply } from '../../api/api.ts';
import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { masked, redact } from '../../contract/secrets.ts';
import { wouldSend } from '../change.ts';
import { refuseProtectedPath } from '../protection.ts';
import { type ApiInput, requestOf, schemasOf } from './request-of.ts';

/** Sends any request, with the rules that hold for every other command. */
export async function sendRequest(input: ApiInput, context: Context): Promise<Result> {
  const call = await requestOf(input, context);
  const schemas = schemasOf(input.method, input.path);
  if (input.method !== 'GET') {
    if (context.options.dryRun) {
      const { method, path, body } = call;
      return wouldSend(context, [{ request: { method, path, body }, schema: schemas.request }]);
    }
    if (call.method === 'DELETE') await refuseProtectedPath(context, call.path);
    await allow(input, call, context);
  }
  const hide = (data: Json): Json => (context.options.reveal ? data : redact(schemas.reply, data));
  if (input.paginate) return paged(input, call, context, hide);
  const reply = await (await context.api()).raw(call);
  return shown(reply, input, hide);
}

/** Actions that end sessions of others, wherever they are sent. */
const isReset = ({ body }: RawCall): boolean =>
  isObject(body) && typeof body.action === 'string' && body.action.startsWith('reset_');

/** Asks before what destroys something, or changes anything under a protected profile; the API holds read-only ones. */
async function allow({ method, path }: ApiInput, call: RawCall, context: Context): Promise<void> {
  const { profile } = await context.session();
  if (method !== 'DELETE' && profile.protect !== 'confirm' && !isReset(call)) return;
  if (!(await context.ask.confirm(`Send ${method} ${path}?`, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was sent.');
}

/** Shows a reply. A text that was read is shown as it is; one that answers a change is no document, and stands in quotes. */
function shown(reply: Reply, { include, method }: ApiInput, hide: (data: Json) => Json): Result {
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

/** Headers as text; those that carry tokens masked. */
function safeHeaders(headers: Reply['headers']): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      /token|cookie|authoriz|secret|api-?key/i.test(name) ? masked : value,
    ]),
  );
}

/** All pages of a list, item by item. */
function paged(
  { method, include }: ApiInput,
  call: RawCall,
  context: Context,
  hide: (data: Json) => Json,
): ListResult {
  if (method !== 'GET' || include)
    throw new Failure('usage', '--paginate works only with GET, and not with --include.');
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
        throw new Failure(
          'partial',
          'The service gives the same page again and again; the list is not complete.',
        );
      seen.add(startKey);
      query = { ...query, start_key: startKey };
    }
  }
  return { kind: 'list', items: items(), noun: 'items' };
}
