import { headerOf, type Incoming } from '../../api/exchange.ts';
import { deepest, isDeeperThan, isObject, type Json, type JsonObject } from '../../base/json.ts';

/** The body of a reply, by what it is. */
export type Body =
  | { readonly kind: 'empty' }
  /** A page, a table, another text: `word` names it. */
  | { readonly kind: 'text'; readonly word: string }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'json'; readonly value: Json };

/** Reads the body of a reply for what it is, whatever its status. */
export function bodyOf({ text, headers }: Incoming): Body {
  if (text === '') return { kind: 'empty' };
  const type = headerOf(headers, 'content-type') ?? '';
  const value = parsed(text);
  if (value !== undefined)
    return isDeeperThan(value, deepest) ? { kind: 'damaged' } : { kind: 'json', value };
  if (/html/i.test(type) || /^\s*</.test(text)) return { kind: 'text', word: 'a web page' };
  if (/csv/i.test(type)) return { kind: 'text', word: 'CSV' };
  if (/json/i.test(type)) return { kind: 'damaged' };
  if (/vcard|directory/i.test(type)) return { kind: 'text', word: 'a vCard' };
  return { kind: 'text', word: 'plain text' };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // Told apart by what the text looks like.
    return undefined;
  }
}

/** The envelope of a reply; `undefined` where there is none. */
export function envelopeOf(incoming: Incoming): JsonObject | undefined {
  const body = bodyOf(incoming);
  return body.kind === 'json' && isObject(body.value) ? body.value : undefined;
}

/** Returns the content of a success: `data`, or the body if no envelope stands around it. */
export function dataOf(incoming: Incoming): Json | undefined {
  const body = bodyOf(incoming);
  if (body.kind !== 'json') return undefined;
  return isObject(body.value) && body.value.data !== undefined ? body.value.data : body.value;
}

/** Words for machines, such as `bad_identifier`: sentences are for people and decide nothing. */
const codesIn = (body: JsonObject): readonly string[] =>
  ['code', 'error', 'message']
    .map((key) => body[key])
    .filter((value) => typeof value === 'string' && /^[a-z]\w*$/.test(value))
    .map(String);

/**
 * Returns the shape of a refusal without what differs from reply to reply: its status and its code words, or the keys
 * of a body without any. The refusal of a path that nobody has compares equal to that of an operation that is not
 * there.
 */
export function refusalShape(incoming: Incoming): string {
  const { status } = incoming;
  const body = bodyOf(incoming);
  if (body.kind !== 'json' || !isObject(body.value)) return JSON.stringify([status, body.kind]);
  const codes = [...new Set(codesIn(body.value))].sort();
  return JSON.stringify([status, codes.length > 0 ? codes : Object.keys(body.value).sort()]);
}
