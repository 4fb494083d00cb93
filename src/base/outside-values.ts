import { isObject, type Json } from './json.ts';

/**
 * Values of `${env.NAME}`, `${file.PATH}` or `${secret.NAME}` in this run, with their expressions, such as `env.NAME`.
 * They are sent to the service unchanged, but shown and recorded as their source.
 */
export type OutsideValues = Map<string, string>;

/** Shorter values are only replaced in quotes, because they occur in other text by chance. */
const shortestInText = 4;

/** Fewest characters of a truncated value, as in `canary-5e…`. */
const shortestCut = 6;

/** Shortest line of a multiline value that is searched separately. */
const shortestLine = 8;

/** Records a value. Lines of a multiline value also count, because comparisons show single lines. */
export function addOutsideValue(outside: OutsideValues, expression: string, value: string): void {
  for (const part of [value, value.trim()]) if (part !== '') outside.set(part, expression);
  if (!value.includes('\n')) return;
  for (const line of value.split(/\r?\n/).map((each) => each.trim()))
    if (line.length >= shortestLine) outside.set(line, expression);
}

/** Texts of record fields that were filled in from outside, by dotted path. */
const filledFields = new WeakMap<OutsideValues, Map<string, string>>();

/** A value of a registered field is hidden even if it is short. */
export function addOutsideField(outside: OutsideValues, path: string, value: Json | undefined): void {
  const fields = filledFields.get(outside) ?? new Map<string, string>();
  filledFields.set(outside, fields);
  if (value !== undefined) fields.set(path, String(value));
}

/** Replaces registered fields by their sources in a record or a list of records. */
export function withFieldSources(value: Json, outside: OutsideValues): Json {
  const fields = filledFields.get(outside);
  if (fields === undefined) return value;
  const visit = (here: Json, path: string): Json => {
    const expression = fields.get(path) === String(here) ? outside.get(String(here)) : undefined;
    if (expression !== undefined) return formatSource(expression);
    const inner = (key: string, item: Json): Json => visit(item, path === '' ? key : `${path}.${key}`);
    if (Array.isArray(here)) return here.map((item: Json, index) => inner(String(index), item));
    if (!isObject(here)) return here;
    return Object.fromEntries(
      Object.entries(here).map(([key, item]) => [
        key,
        item === undefined ? item : inner(key.replaceAll('.', '%2E'), item),
      ]),
    );
  };
  return Array.isArray(value) ? value.map((record: Json) => visit(record, '')) : visit(value, '');
}

interface Pattern {
  readonly size: number;
  readonly whole: RegExp;
  /** Expressions by every form of a value, in lower case. */
  readonly forms: ReadonlyMap<string, string>;
}

const patterns = new WeakMap<OutsideValues, Pattern>();

function listEncodings(value: string): readonly string[] {
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quotes = html.replaceAll('"', '&quot;');
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    html,
    quotes,
    quotes.replaceAll("'", '&#39;'),
    quotes.replaceAll("'", '&apos;'),
    value.replaceAll('"', '""'),
    value.replaceAll("'", "''"),
    ...dialledForms(value),
  ];
}

/** Returns the service's formats of a phone number: digits with a plus and the North American country code. */
function dialledForms(value: string): readonly string[] {
  const digits = value.replaceAll(/\D/g, '');
  if (!/^\+?[\d\s().-]+$/.test(value) || digits.length < 7 || digits.length > 15) return [];
  return [digits, `+${digits}`, ...(digits.length === 10 ? [`+1${digits}`, `1${digits}`] : [])];
}

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Digits. Shorter numbers occur in other text by chance. */
const longNumber = 6;

/** A number does not match inside a longer number. A short number does not match inside a word. */
function formPattern(form: string): string {
  if (!/^[+\d.]+$/.test(form)) return escapeRegExp(form);
  return form.length >= longNumber
    ? `(?<!\\d)${escapeRegExp(form)}(?!\\d)`
    : `(?<!\\w|\\d\\.)${escapeRegExp(form)}(?!\\w)`;
}

function searchPattern(outside: OutsideValues): Pattern {
  const known = patterns.get(outside);
  if (known?.size === outside.size) return known;
  const forms = new Map<string, string>();
  const short: string[] = [];
  for (const [value, expression] of outside)
    for (const form of value.length < shortestInText ? [value] : listEncodings(value)) {
      const key = form.toLowerCase();
      if (!forms.has(key)) forms.set(key, expression);
      if (value.length < shortestInText) short.push(escapeRegExp(form));
    }
  const long = [...forms.keys()]
    .filter((form) => form.length >= shortestInText)
    .toSorted((one, other) => other.length - one.length)
    .map(formPattern);
  const parts = [...long, ...(short.length === 0 ? [] : [`(?<=["“])(?:${short.join('|')})(?=["”])`])];
  const made = { size: outside.size, whole: new RegExp(parts.join('|'), 'gi'), forms };
  patterns.set(outside, made);
  return made;
}

const formatSource = (expression: string): string => `\${${expression}}`;

export function withSources(text: string, outside: OutsideValues): string {
  if (outside.size === 0 || text === '') return text;
  const { whole, forms } = searchPattern(outside);
  const clear = text.replace(whole, (found) => formatSource(forms.get(found.toLowerCase()) ?? 'env'));
  return withoutCutValues(clear, outside);
}

/** Hides the start of a value before an ellipsis. */
function withoutCutValues(text: string, outside: OutsideValues): string {
  if (!/…|\.\.\./.test(text)) return text;
  let shown = text;
  for (const [value, expression] of outside) {
    if (value.length <= shortestCut) continue;
    const head = value.slice(0, shortestCut);
    for (let at = shown.indexOf(head); at !== -1; at = shown.indexOf(head, at + 1)) {
      let end = at + shortestCut;
      while (end < shown.length && end - at < value.length && shown[end] === value[end - at]) end += 1;
      if (!/^\s*(?:…|\.\.\.)/.test(shown.slice(end, end + 8))) continue;
      shown = shown.slice(0, at) + formatSource(expression) + shown.slice(end);
    }
  }
  return shown;
}

/**
 * Replaces values from outside in anything that is shown or recorded: texts, keys and numbers, and later results of
 * functions, promises and iterators. Class instances are unchanged.
 */
export function replaceOutsideValues<T>(given: T, outside: OutsideValues): T;
export function replaceOutsideValues(given: unknown, outside: OutsideValues): unknown {
  if (outside.size === 0 && !resolvesLater(given)) return given;
  if (typeof given === 'string') return withSources(given, outside);
  if (typeof given === 'number') {
    const expression = outside.get(String(given));
    return expression === undefined || String(given).length < shortestInText
      ? given
      : formatSource(expression);
  }
  if (typeof given === 'function')
    return (...input: readonly unknown[]): unknown =>
      replaceOutsideValues(Reflect.apply(given, undefined, input), outside);
  if (typeof given !== 'object' || given === null) return given;
  if (given instanceof Promise) return given.then((value: unknown) => replaceOutsideValues(value, outside));
  if (Array.isArray(given)) return given.map((item: unknown) => replaceOutsideValues(item, outside));
  if (isAsyncIterable(given)) return replaceInStream(given, outside);
  if (isIterable(given)) return replaceInIterable(given, outside);
  const prototype: unknown = Object.getPrototypeOf(given);
  if (prototype !== Object.prototype && prototype !== null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      withSources(key, outside),
      replaceOutsideValues(value, outside),
    ]),
  );
}

/** Promises and functions resolve later, because values may be recorded before that. */
const resolvesLater = (given: unknown): boolean =>
  typeof given === 'function' ||
  given instanceof Promise ||
  (typeof given === 'object' && given !== null && (isAsyncIterable(given) || isIterable(given)));

const isAsyncIterable = (given: object): given is AsyncIterable<unknown> =>
  Symbol.asyncIterator in given && typeof given[Symbol.asyncIterator] === 'function';

/** Collections such as `Map` and `Uint8Array` are not JSON data. */
const isIterable = (given: object): given is Iterable<unknown> =>
  'next' in given && Symbol.iterator in given && typeof given[Symbol.iterator] === 'function';

async function* replaceInStream(
  given: AsyncIterable<unknown>,
  outside: OutsideValues,
): AsyncGenerator<unknown> {
  for await (const item of given) yield replaceOutsideValues(item, outside);
}

function* replaceInIterable(given: Iterable<unknown>, outside: OutsideValues): Generator<unknown> {
  for (const item of given) yield replaceOutsideValues(item, outside);
}
