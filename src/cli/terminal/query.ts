import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, type Json } from '../../base/json.ts';
import { neutralise, neutralisePipedLine } from '../../base/neutralise.ts';
import { errorMessage, formatCount } from '../../base/wording.ts';
import type { Output } from './output.ts';

type Library = typeof import('@jmespath-community/jmespath');

const loadLibrary = (): Promise<Library> => import('@jmespath-community/jmespath');

function syntaxError({ compile }: Library, expression: string): string | undefined {
  try {
    compile(expression);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Returns the position of a syntax error, counted from 1: the end of the shortest prefix with the same error. */
function errorPosition(library: Library, expression: string, trouble: string): number {
  const lengths = Array.from({ length: expression.length }, (_, index) => index + 1);
  return (
    lengths.find((length) => syntaxError(library, expression.slice(0, length)) === trouble) ??
    expression.length
  );
}

/** Throws `usage` for invalid JMESPath. Returns the top-level fields that the expression refers to. */
export async function checkQuery(expression: string, where = '--query'): Promise<readonly string[]> {
  const library = await loadLibrary();
  const trouble = syntaxError(library, expression);
  if (trouble === undefined) return [...referencedFields(library.compile(expression))];
  const position = errorPosition(library, expression, trouble);
  throw new Failure(
    'usage',
    `${where} is not a JMESPath expression: error at character ${position} (${trouble}).`,
  );
}

/** Returns the top-level fields in an expression: `caller_id` for `caller_id.external`. */
function* referencedFields(part: unknown): Iterable<string> {
  if (Array.isArray(part)) for (const each of part) yield* referencedFields(each);
  if (!isObject(part)) return;
  const { type, name, right, ...others } = part;
  if (type === 'Field' && typeof name === 'string') yield name;
  for (const each of Object.values(others)) yield* referencedFields(each);
  if (type !== 'Subexpression') yield* referencedFields(right);
}

/** Time limit for a query or the first line of a template. */
const deadlineMs = 5000;
/** Limit for the values in a result. A short query can double its result repeatedly. */
const maxValues = 5_000_000;

/**
 * Evaluates `--query`. Throws `usage` if the expression does not match the value, or if its time or result exceeds
 * the limits.
 */
export async function runQuery(
  value: Json,
  expression: string,
  runBlocking: Host['runBlocking'],
): Promise<Json> {
  const search = await loadSearch();
  const work = (): Json => {
    const found = search(value, expression);
    if (countValues(found, maxValues) > maxValues) throw new Error('it makes the result too large');
    return found;
  };
  return withUsageErrors('--query', () => runBlocking(work, deadlineMs));
}

/** Throws `usage` if the expression of the option fails. */
function withUsageErrors<T>(option: '--query' | '--template', work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new Failure(
        'usage',
        `${option} takes longer than ${formatCount(deadlineMs / 1000, 'second')} on this result.`,
        { hint: 'Read fewer records, or use another program on the -o json output.', cause },
      );
    const why = errorMessage(cause).replace(/\.+$/, '');
    throw new Failure('usage', `${option} failed on this result: ${why}.`, { cause });
  }
}

/** Returns a function that evaluates a valid expression. The function may throw or take long. */
async function loadSearch(): Promise<(value: Json, expression: string) => Json> {
  const { search } = await loadLibrary();
  // The library's types do not allow readonly values, but it does not change its input.
  return (value, expression) => search(value as Parameters<Library['search']>[0], expression);
}

/** Counts the values in a value, including itself. Stops above `most`. */
function countValues(value: Json, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const inner of Object.values(value)) {
    if (count > most) return count;
    if (inner !== undefined) count += countValues(inner, most - count);
  }
  return count;
}

type Piece = { readonly text: string } | { readonly expression: string };

/** Escape sequences that arrive unchanged from a shell's quotes. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['\\t', '\t'],
  ['\\n', '\n'],
  ['\\\\', '\\'],
  ['{{', '{'],
  ['}}', '}'],
]);

/**
 * Parses a template. Returns the fields that it refers to, and an output that converts NDJSON to the template's text
 * for each record. Throws `usage` for unmatched braces or invalid JMESPath.
 */
export async function readTemplate(template: string) {
  const pieces = [...parseTemplate(template)];
  const named = await Promise.all(
    pieces.flatMap((piece) =>
      'expression' in piece ? [checkQuery(piece.expression, `{${piece.expression}} in --template`)] : [],
    ),
  );
  return {
    fields: [...new Set(named.flat())],
    linesTo(out: Output, runBlocking: Host['runBlocking']): Output {
      const safe = out.terminal ? neutralise : neutralisePipedLine;
      let isTried = false;
      return {
        ...out,
        async write(text) {
          const search = await loadSearch();
          const lineOf = (record: Json): string =>
            `${pieces.map((piece) => ('text' in piece ? piece.text : safe(placeholderText(search(record, piece.expression))))).join('')}\n`;
          // NDJSON is written in complete lines.
          const work = (): string =>
            String(text)
              .split('\n')
              .filter(Boolean)
              .map((line) => lineOf(JSON.parse(line)))
              .join('');
          // A deadline costs milliseconds. An endless expression already fails at the first record.
          const written = withUsageErrors('--template', () =>
            isTried ? work() : runBlocking(work, deadlineMs),
          );
          isTried = true;
          await out.write(written);
        },
      };
    },
  };
}

/** Formats a value in a template: text without quotes, empty for null, otherwise JSON. */
const placeholderText = (value: Json): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

function* parseTemplate(template: string): Iterable<Piece> {
  let text = '';
  let at = 0;
  while (at < template.length) {
    const meant = escapes.get(template.slice(at, at + 2));
    const sign = template[at];
    if (meant !== undefined) {
      text += meant;
      at += 2;
    } else if (sign === '{') {
      const end = closingBrace(template, at);
      yield { text };
      text = '';
      yield { expression: template.slice(at + 1, end) };
      at = end + 1;
    } else if (sign === '}') {
      throw new Failure(
        'usage',
        `Unmatched } at character ${at + 1} of --template. Write }} for a literal }.`,
      );
    } else {
      text += sign;
      at += 1;
    }
  }
  yield { text };
}

function closingBrace(template: string, start: number): number {
  let depth = 0;
  let quote: string | undefined;
  for (let at = start; at < template.length; at += 1) {
    const sign = template.charAt(at);
    if (quote !== undefined) {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = undefined;
    } else if (`'"\``.includes(sign)) quote = sign;
    else if (sign === '{') depth += 1;
    else if (sign === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw new Failure(
    'usage',
    `Unmatched { at character ${start + 1} of --template. Write {{ for a literal {.`,
  );
}
