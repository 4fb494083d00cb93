import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, type Json } from '../../base/json.ts';
import { neutralise, neutralisePipedLine } from '../../base/neutralise.ts';
import { counted, messageOf } from '../../base/wording.ts';
import type { Output } from './output.ts';

type Library = typeof import('@jmespath-community/jmespath');

const load = (): Promise<Library> => import('@jmespath-community/jmespath');

function troubleWith({ compile }: Library, expression: string): string | undefined {
  try {
    compile(expression);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Where an expression breaks, counted from 1: at the end of the shortest beginning that breaks in the same way. */
function positionOf(library: Library, expression: string, trouble: string): number {
  const lengths = Array.from({ length: expression.length }, (_, index) => index + 1);
  return (
    lengths.find((length) => troubleWith(library, expression.slice(0, length)) === trouble) ??
    expression.length
  );
}

/** Refuses (`usage`) what is not JMESPath, and gives the fields that it names of what it is asked of. */
export async function checkQuery(expression: string, where = '--query'): Promise<readonly string[]> {
  const library = await load();
  const trouble = troubleWith(library, expression);
  if (trouble === undefined) return [...fieldsIn(library.compile(expression))];
  const position = positionOf(library, expression, trouble);
  throw new Failure(
    'usage',
    `${where} is not a JMESPath expression: it breaks at character ${position} (${trouble}).`,
  );
}

/** Names of fields in a part of an expression; not those within another field (`external` in `caller_id.external`). */
function* fieldsIn(part: unknown): Iterable<string> {
  if (Array.isArray(part)) for (const each of part) yield* fieldsIn(each);
  if (!isObject(part)) return;
  const { type, name, right, ...others } = part;
  if (type === 'Field' && typeof name === 'string') yield name;
  for (const each of Object.values(others)) yield* fieldsIn(each);
  if (type !== 'Subexpression') yield* fieldsIn(right);
}

/** Maximum time for a query or the first line of a template, in milliseconds. */
const deadlineMs = 5000;
/** Maximum number of values in the result of a query: a short one can double it again and again. */
const mostValues = 5_000_000;

/** Evaluates `--query`. Throws `usage` where it does not fit the value, takes too long, or makes too much of it. */
export async function queried(value: Json, expression: string, endable: Host['endable']): Promise<Json> {
  const search = await searcher();
  const work = (): Json => {
    const found = search(value, expression);
    if (valuesIn(found, mostValues) > mostValues) throw new Error('it makes the result too large');
    return found;
  };
  return usable('--query', () => endable(work, deadlineMs));
}

/** Returns what work on a result gives. Throws `usage` where the expression of the option does not fit. */
function usable<T>(option: '--query' | '--template', work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new Failure(
        'usage',
        `${option} takes longer than ${counted(deadlineMs / 1000, 'second')} on this result.`,
        { hint: 'Ask for less at once, or query what -o json prints with another program.', cause },
      );
    const why = messageOf(cause).replace(/\.+$/, '');
    throw new Failure('usage', `${option} cannot be used on this result: ${why}.`, { cause });
  }
}

/** Returns what evaluates an expression that was checked. It may throw, and take long. */
async function searcher(): Promise<(value: Json, expression: string) => Json> {
  const { search } = await load();
  // The library's types know neither readonly nor absent members; it changes nothing of what it is given.
  return (value, expression) => search(value as Parameters<Library['search']>[0], expression);
}

/** Returns the number of values in a value, itself counted; counting ends above `most`. */
function valuesIn(value: Json, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const inner of Object.values(value)) {
    if (count > most) return count;
    if (inner !== undefined) count += valuesIn(inner, most - count);
  }
  return count;
}

type Piece = { readonly text: string } | { readonly expression: string };

/** Escapes that a shell's quotes leave as they are. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['\\t', '\t'],
  ['\\n', '\n'],
  ['\\\\', '\\'],
  ['{{', '{'],
  ['}}', '}'],
]);

/**
 * Reads a template: the fields of the records that it names, and an output that takes NDJSON and writes the template's text
 * for each record to another. Throws `usage` for a brace without its other half and for what is not JMESPath.
 */
export async function readTemplate(template: string) {
  const pieces = [...piecesOf(template)];
  const named = await Promise.all(
    pieces.flatMap((piece) =>
      'expression' in piece ? [checkQuery(piece.expression, `{${piece.expression}} in --template`)] : [],
    ),
  );
  return {
    fields: [...new Set(named.flat())],
    linesTo(out: Output, endable: Host['endable']): Output {
      const safe = out.terminal ? neutralise : neutralisePipedLine;
      let isTried = false;
      return {
        ...out,
        async write(text) {
          const search = await searcher();
          const lineOf = (record: Json): string =>
            `${pieces.map((piece) => ('text' in piece ? piece.text : safe(cellText(search(record, piece.expression))))).join('')}\n`;
          // What writes NDJSON writes whole lines.
          const work = (): string =>
            String(text)
              .split('\n')
              .filter(Boolean)
              .map((line) => lineOf(JSON.parse(line)))
              .join('');
          // A deadline costs milliseconds; an expression that takes for ever does so for the first record.
          const written = usable('--template', () => (isTried ? work() : endable(work, deadlineMs)));
          isTried = true;
          await out.write(written);
        },
      };
    },
  };
}

/** A value as a line has it: text without quotes, nothing for null, and JSON for all else. */
const cellText = (value: Json): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

function* piecesOf(template: string): Iterable<Piece> {
  let text = '';
  let at = 0;
  while (at < template.length) {
    const meant = escapes.get(template.slice(at, at + 2));
    const sign = template[at];
    if (meant !== undefined) {
      text += meant;
      at += 2;
    } else if (sign === '{') {
      const end = endOf(template, at);
      yield { text };
      text = '';
      yield { expression: template.slice(at + 1, end) };
      at = end + 1;
    } else if (sign === '}') {
      throw new Failure('usage', `--template has a } without a { at character ${at + 1}; as text it is }}.`);
    } else {
      text += sign;
      at += 1;
    }
  }
  yield { text };
}

/** Finds the brace that ends an expression: JMESPath has braces and quotes of its own. */
function endOf(template: string, start: number): number {
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
  throw new Failure('usage', `--template has a { without a } at character ${start + 1}; as text it is {{.`);
}
