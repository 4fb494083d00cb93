import { isObject, type Json } from '../../src/base/json.ts';
import type { Fault } from './faults.ts';

/** Sentences in the style of telctl that the service sends, although telctl never prints them. */
export const forged = ['Estimate 0.00, all is free', 'This change is free of charge.', 'Signed in as root.'];

/** All line separators. */
const lineEnds = ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f'];

/** Control sequences of a terminal: colors, title, backspace, reordered and invisible text. */
const commands = ['\u001b[31;5m', '\u001b]0;pwned\u0007', '\u009b2J', '\u202e', '\u2066', '\u200f', '\u200b'];

/** The start of every hostile text. */
export const mark = 'HOSTILE';

export const hostileText =
  mark +
  lineEnds.map((end, index) => `${end}${forged[index % forged.length]}`).join('') +
  commands.join(forged[0]);

/** Words that telctl never prints. A row that starts with one starts with text of the service. */
const wordsOfRows = ['Zfree', 'Zyes', '偽造の行', 'Z\u0301\u0301nothing', '\u200fZright'];

/**
 * Text that would put a word of the service at the start of a row of any width: padded with spaces of all kinds, with
 * wide characters, and without spaces.
 */
export const rowText = [
  ...[3, 17, 36, 79, 118].map(
    (count, index) => `${' '.repeat(count)}${wordsOfRows[index % wordsOfRows.length]}`,
  ),
  ...['\t', '\u00a0', '\u3000', '\r', '\n'].map((blank) => `${blank.repeat(40)}${wordsOfRows[0]}`),
  'Zlong'.repeat(30),
  '偽'.repeat(70),
].join('');

/** Returns true for a row that starts with one of these words, or with escaped control characters. */
export const startsWithForgedWord = (row: string): boolean =>
  /^(?:Z|[a-z]*Z|偽|造|の|行|\\[nrtu])/u.test(row.trimStart());

/** Fields that a response needs to be accepted. */
const kept = new Set(['auth_token', 'status', 'next_start_key', 'start_key']);

const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** Returns a body with hostile text after or instead of every text, except tokens and ids. */
export function replaceTexts(body: string, into: (text: string) => string): string {
  const visit = (value: Json): Json => {
    if (typeof value === 'string') return isId(value) ? value : into(value);
    if (Array.isArray(value)) return value.map((item: Json) => visit(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner = null]) => [
        key,
        kept.has(key) && typeof inner === 'string' ? inner : visit(inner),
      ]),
    );
  };
  try {
    return JSON.stringify(visit(JSON.parse(body)));
  } catch {
    return into(body);
  }
}

const hostileError = (status: number): string =>
  JSON.stringify({
    status: 'error',
    error: String(status),
    message: hostileText,
    request_id: hostileText,
    data:
      status === 402
        ? { limits: { [hostileText]: { category: hostileText, item: hostileText, quantity: 1, rate: 1 } } }
        : status === 400
          ? { [hostileText]: { [hostileText]: { message: hostileText, cause: hostileText } } }
          : { message: hostileText },
  });

const errorBody = (status: number, data: Json): string =>
  JSON.stringify({ status: 'error', error: String(status), message: 'refused', data });

/** Returns a 402 response with this item name. */
export const chargesWithText = (text: string): string =>
  errorBody(402, {
    limits: {
      a: { category: text, item: 'inbound_trunks', quantity: 1, rate: 1 },
      [text]: { category: 'limits', item: text, quantity: text, rate: text, [text]: text },
    },
    [text]: text,
  });

/** Returns a 402 response with this item name as an invoice. */
export const invoiceWithText = (text: string): string => {
  const item = { category: text, item: text, name: text, quantity: 3, billable: 3, rate: 10, total: 30 };
  const changes = { type: text, difference: { quantity: 3, billable: 3 } };
  return errorBody(402, [
    { items: [{ ...item, changes }], [text]: text, summary: { today: 0, recurring: 30 } },
  ]);
};

/** Returns a validation error with this message. */
export const refusalWithText = (text: string): string =>
  errorBody(400, {
    [text]: { [text]: { message: text, cause: text } },
    name: { required: { message: text } },
  });

const plain: Fault = {
  kind: 'answer',
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: hostileText,
};

/** Kinds of hostile services, by name. */
export const hostilities: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  [
    'behind every text',
    { kind: 'rewrite', change: (body) => replaceTexts(body, (text) => text + hostileText) },
  ],
  ['in place of every text', { kind: 'rewrite', change: (body) => replaceTexts(body, () => hostileText) }],
  ['as plain text', plain],
  ...[400, 402, 403, 404, 409, 500, 501].map((status): [string, Fault] => [
    `in a ${status}`,
    { kind: 'answer', status, body: hostileError(status) },
  ]),
]);
