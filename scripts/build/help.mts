import '../../src/extensions.ts';
import type { Noun } from '../../src/cli/commands/nouns.ts';
import { findCommand } from '../../src/cli/shell/find-command.ts';
import { helpParts, programParts } from '../../src/cli/shell/help/help-page.ts';
import { programName, type StoredPages } from '../../src/cli/shell/quick-page.ts';
import { allNouns } from '../../src/cli/shell/registry.ts';

/** Returns the words of all commands of a noun, and common prefixes of several commands. */
async function collectWords({ name, commands }: Noun): Promise<readonly string[]> {
  const paths = (await commands()).filter(({ hidden }) => !hidden).map(({ path }) => path);
  const beginnings = paths.flatMap((path) => path.map((_, index) => path.slice(0, index + 1).join(' ')));
  return [...new Set([name, ...beginnings])];
}

async function pagesOf(noun: Noun): Promise<StoredPages> {
  const pages = (await collectWords(noun)).map(async (words) => {
    const found = await findCommand(words.split(' '));
    return [words, await helpParts(found.kind === 'command' ? found.command : found)] as const;
  });
  return Object.fromEntries(await Promise.all(pages));
}

export async function renderHelpPages(): Promise<ReadonlyMap<string, string>> {
  const ofNouns = await Promise.all(
    allNouns().map(async (noun) => [noun.name, await pagesOf(noun)] as const),
  );
  const all: readonly (readonly [string, StoredPages])[] = [
    [programName, { '': programParts() }],
    ...ofNouns,
  ];
  return new Map(all.map(([name, pages]) => [`${name}.json`, JSON.stringify(pages)]));
}
