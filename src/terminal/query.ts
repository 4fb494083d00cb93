import { Failure } from '../contract/failure.ts';
import type { Json } from '../contract/json.ts';
import { messageOf } from '../contract/wording.ts';

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
 * Where an expression breaks, counted from 1. The library does not say, but the shortest beginning that breaks in
 * the same way ends there.
 */
function positionOf(library: Library, expression: string, trouble: string): number {
  const lengths = Array.from({ length: expression.length }, (_, index) => index + 1);
  return (
    lengths.find((length) => troubleWith(library, expression.slice(0, length)) === trouble) ??
    expression.length
  );
}

/** Refuses (`usage`) what is not JMESPath, before anything is done. */
export async function checkQuery(expression: string): Promise<void> {
  const library = await load();
  const trouble = troubleWith(library, expression);
  if (trouble === undefined) return;
  const position = positionOf(library, expression, trouble);
  throw new Failure(
    'usage',
    `--query is not a JMESPath expression: it breaks at character ${position} (${trouble}).`,
  );
}

/** Evaluates `--query`. Throws `usage` where the expression does not fit the value. */
export async function queried(value: Json, expression: string): Promise<Json> {
  const { search } = await load();
  try {
    // The library's types know neither readonly nor absent members; it changes nothing of what it is given.
    return search(value as Parameters<Library['search']>[0], expression);
  } catch (error) {
    throw new Failure(
      'usage',
      `--query cannot be used on this result: ${messageOf(error).replace(/\.+$/, '')}.`,
      {
        cause: error,
      },
    );
  }
}
