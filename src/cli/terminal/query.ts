import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, type Json } from '../../base/json.ts';
import { counted, messageOf } from '../../base/wording.ts';

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

/**
 * Finds the position where an expression breaks, counted from 1. The library does not say, but the shortest beginning
 * that breaks in the same way ends there.
 */
function positionOf(library: Library, expression: string, trouble: string): number {
  const lengths = Array.from({ length: expression.length }, (_, index) => index + 1);
  return (
    lengths.find((length) => troubleWith(library, expression.slice(0, length)) === trouble) ??
    expression.length
  );
}

/**
 * Refuses (`usage`) what is not JMESPath, before anything is done. Gives the fields that the expression names of what
 * it is asked of, or of its items.
 */
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

/** Maximum time for a query, in milliseconds, and maximum number of values in its result. */
const deadlineMs = 5000;
const mostValues = 5_000_000;

/**
 * Evaluates `--query`. Throws `usage` where the expression does not fit the value, takes longer than five seconds, or
 * makes more of a value than can be shown: a short one can double it again and again.
 */
export async function queried(value: Json, expression: string, endable: Host['endable']): Promise<Json> {
  const search = await searcher();
  const work = (): Json => {
    const found = search(value, expression);
    if (valuesIn(found, mostValues) > mostValues) throw new Error('it makes the result too large');
    return found;
  };
  try {
    return endable(work, deadlineMs);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new Failure(
        'usage',
        `--query takes longer than ${counted(deadlineMs / 1000, 'second')} on this result.`,
        {
          hint: 'Ask for less at once, or query what -o json prints with another program.',
          cause: error,
        },
      );
    throw new Failure(
      'usage',
      `--query cannot be used on this result: ${messageOf(error).replace(/\.+$/, '')}.`,
      {
        cause: error,
      },
    );
  }
}

/** Returns what evaluates an expression that was checked. It may throw, and take long. */
export async function searcher(): Promise<(value: Json, expression: string) => Json> {
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
