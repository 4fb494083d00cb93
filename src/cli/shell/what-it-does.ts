import { operationById } from '../../contract/catalogue.ts';
import { type Does, doesWords, mayDo } from '../../contract/does.ts';
import type { ArgumentSpec, Command, OptionSpec } from '../command/command.ts';

/** True for an option or an argument whose value is a file or a folder of the user's. */
const takesFile = ({ completes }: Pick<OptionSpec, 'completes'>): boolean => completes === 'file';

export const doesWith = (spec: OptionSpec | ArgumentSpec): readonly Does[] =>
  spec.does ?? (takesFile(spec) ? ['reads-files'] : []);

const inOrder = (words: Iterable<Does>): readonly Does[] => {
  const found = new Set(words);
  return doesWords.filter((word) => found.has(word));
};

/** Words for what a command may do whatever its options are: its own, those of its arguments and of its operations. */
export const doesIn = ({ does = [], arguments: named, operations = [] }: Command): readonly Does[] =>
  inOrder([
    ...does,
    ...Object.values(named).flatMap(doesWith),
    ...operations.flatMap((id) => [...mayDo(operationById(id))]),
  ]);
