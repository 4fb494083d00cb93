import { isObject, type Json } from './json.ts';

/**
 * Values that came from `${env.NAME}`, `${file.PATH}` or `${secret.NAME}` in this run, with the expression of each, such
 * as `env.NAME`. They are sent to the service in clear, and shown and recorded as their source.
 */
export type OutsideValues = Map<string, string>;

/** Shorter values are found only between quotes: as parts of other text they appear by chance. */
const shortestInText = 4;

/** Fewest characters of a value that is cut off, as in `canary-5e…`. */
const shortestCut = 6;

/** Shortest line of a longer text that is looked for without the lines around it. */
const shortestLine = 8;

/** Notes a value. The lines of a longer text count as well, because comparisons show single lines. */
export function noteOutside(outside: OutsideValues, expression: string, value: string): void {
  for (const part of [value, value.trim()]) if (part !== '') outside.set(part, expression);
  if (!value.includes('\n')) return;
  for (const line of value.split(/\r?\n/).map((each) => each.trim()))
    if (line.length >= shortestLine) outside.set(line, expression);
}

/** Fields of records that were filled in from outside, by dotted path, with their texts. */
const filledFields = new WeakMap<OutsideValues, Map<string, string>>();

/** Notes that a field of the records that are sent has a value from outside: there it is hidden, however short it is. */
export function noteOutsideField(outside: OutsideValues, path: string, value: Json | undefined): void {
  const fields = filledFields.get(outside) ?? new Map<string, string>();
  filledFields.set(outside, fields);
  if (value !== undefined) fields.set(path, String(value));
}

/** A record, or a list of records, in which those fields are their sources. */
export function withFieldSources(value: Json, outside: OutsideValues): Json {
  const fields = filledFields.get(outside);
  if (fields === undefined) return value;
  const visit = (here: Json, path: string): Json => {
    const expression = fields.get(path) === String(here) ? outside.get(String(here)) : undefined;
    if (expression !== undefined) return shownAs(expression);
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

/** The forms in which documents contain a text: in JSON, in addresses, in HTML and XML, in CSV and YAML. */
function formsOf(value: string): readonly string[] {
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

/** A phone number as the service keeps it: digits with a plus, and with the country of North America. */
function dialledForms(value: string): readonly string[] {
  const digits = value.replaceAll(/\D/g, '');
  if (!/^\+?[\d\s().-]+$/.test(value) || digits.length < 7 || digits.length > 15) return [];
  return [digits, `+${digits}`, ...(digits.length === 10 ? [`+1${digits}`, `1${digits}`] : [])];
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Number of digits from which a number is hardly part of other text by chance. */
const longNumber = 6;

/** The pattern of a form. A number is not part of a longer number, and a short one is not part of a word. */
function patternFor(form: string): string {
  if (!/^[+\d.]+$/.test(form)) return escaped(form);
  return form.length >= longNumber
    ? `(?<!\\d)${escaped(form)}(?!\\d)`
    : `(?<!\\w|\\d\\.)${escaped(form)}(?!\\w)`;
}

function patternOf(outside: OutsideValues): Pattern {
  const known = patterns.get(outside);
  if (known?.size === outside.size) return known;
  const forms = new Map<string, string>();
  const short: string[] = [];
  for (const [value, expression] of outside)
    for (const form of value.length < shortestInText ? [value] : formsOf(value)) {
      const key = form.toLowerCase();
      if (!forms.has(key)) forms.set(key, expression);
      if (value.length < shortestInText) short.push(escaped(form));
    }
  const long = [...forms.keys()]
    .filter((form) => form.length >= shortestInText)
    .toSorted((one, other) => other.length - one.length)
    .map(patternFor);
  const parts = [...long, ...(short.length === 0 ? [] : [`(?<=["“])(?:${short.join('|')})(?=["”])`])];
  const made = { size: outside.size, whole: new RegExp(parts.join('|'), 'gi'), forms };
  patterns.set(outside, made);
  return made;
}

const shownAs = (expression: string): string => `\${${expression}}`;

/** A text in which every value from outside is its source: `Line ${env.NAME}`. */
export function withSources(text: string, outside: OutsideValues): string {
  if (outside.size === 0 || text === '') return text;
  const { whole, forms } = patternOf(outside);
  const clear = text.replace(whole, (found) => shownAs(forms.get(found.toLowerCase()) ?? 'env'));
  return withoutCutValues(clear, outside);
}

/** Hides values that were cut off before they came here: their beginning before an ellipsis. */
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
      shown = shown.slice(0, at) + shownAs(expression) + shown.slice(end);
    }
  }
  return shown;
}

/**
 * The same for anything that is shown or recorded: texts, keys and numbers of data, and whatever functions, promises and
 * iterators of it return later. Instances of classes stay as they are.
 */
export function shownThrough<T>(given: T, outside: OutsideValues): T;
export function shownThrough(given: unknown, outside: OutsideValues): unknown {
  if (outside.size === 0 && !comesLater(given)) return given;
  if (typeof given === 'string') return withSources(given, outside);
  if (typeof given === 'number') {
    const expression = outside.get(String(given));
    return expression === undefined || String(given).length < shortestInText ? given : shownAs(expression);
  }
  if (typeof given === 'function')
    return (...input: readonly unknown[]): unknown =>
      shownThrough(Reflect.apply(given, undefined, input), outside);
  if (typeof given !== 'object' || given === null) return given;
  if (given instanceof Promise) return given.then((value: unknown) => shownThrough(value, outside));
  if (Array.isArray(given)) return given.map((item: unknown) => shownThrough(item, outside));
  if (isAsyncIterable(given)) return streamed(given, outside);
  if (isIterable(given)) return inTurn(given, outside);
  const prototype: unknown = Object.getPrototypeOf(given);
  if (prototype !== Object.prototype && prototype !== null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [withSources(key, outside), shownThrough(value, outside)]),
  );
}

/** What is not known yet: values may be noted before it is. */
const comesLater = (given: unknown): boolean =>
  typeof given === 'function' ||
  given instanceof Promise ||
  (typeof given === 'object' && given !== null && (isAsyncIterable(given) || isIterable(given)));

const isAsyncIterable = (given: object): given is AsyncIterable<unknown> =>
  Symbol.asyncIterator in given && typeof given[Symbol.asyncIterator] === 'function';

/** Generators and the like; collections such as `Map` and `Uint8Array` are no data of JSON. */
const isIterable = (given: object): given is Iterable<unknown> =>
  'next' in given && Symbol.iterator in given && typeof given[Symbol.iterator] === 'function';

async function* streamed(given: AsyncIterable<unknown>, outside: OutsideValues): AsyncGenerator<unknown> {
  for await (const item of given) yield shownThrough(item, outside);
}

function* inTurn(given: Iterable<unknown>, outside: OutsideValues): Generator<unknown> {
  for (const item of given) yield shownThrough(item, outside);
}
