import { parseLine } from '../../src/cli/parse-line.ts';
import { Failure } from '../../src/contract/failure.ts';

/** What is wrong with the words after `telctl`, or `undefined` where they name a command and fit it. */
export async function parseTrouble(words: readonly string[]): Promise<string | undefined> {
  const separator = words.indexOf('--');
  const own = separator === -1 ? words : words.slice(0, separator + 2);
  try {
    await parseLine(own, {});
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
