import type { Noun } from './registry.ts';

/**
 * The command that stands for each operation, by its id: the first that calls it before others, else the first that
 * calls it at all.
 */
export async function commandNames(nouns: readonly Noun[]): Promise<ReadonlyMap<string, string>> {
  const commands = (await Promise.all(nouns.map((noun) => noun.commands()))).flat();
  const calls = commands
    .filter(({ hidden }) => !hidden)
    .flatMap(({ path, operations = [] }) =>
      operations.map((id, index) => ({ id, index, name: path.join(' ') })),
    )
    .toSorted((one, other) => one.index - other.index);
  // Of equal keys a map keeps the last.
  return new Map(calls.toReversed().map(({ id, name }) => [id, name]));
}
