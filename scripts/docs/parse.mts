import '../../src/extensions.ts';
import { Failure } from '../../src/base/failure.ts';
import { parseLine } from '../../src/cli/shell/parse-line.ts';
import type { CommandLine } from './command-lines.mts';

/** Returns the problem of a command line, or `undefined` if it is valid. */
export async function findParseProblem({ words, mentioned }: CommandLine): Promise<string | undefined> {
  // Words after `--` belong to another program. `--help` skips the check for missing arguments.
  const separator = words.indexOf('--');
  const own = separator === -1 ? words : words.slice(0, separator + 2);
  try {
    await parseLine(mentioned ? ['--help', ...own] : own, {});
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
