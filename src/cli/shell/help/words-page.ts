import { resources } from '../../../contract/catalogue.ts';
import { resolveReference, type SchemaNode } from '../../../contract/schema-node.ts';
import type { Resource } from '../../../contract/types.ts';
import { synonymsOf } from '../../commands/synonyms.ts';
import { allNouns } from '../registry.ts';
import { type Columns, type HelpPart, pageText } from './layout.ts';

interface Entry {
  readonly typed: string;
  readonly doc: string;
}

const maxRows = 10;

/**
 * Returns a page of search results for words that are not a topic: synonyms, then commands, options and fields. Each
 * of `words` must match the beginning of a word of the entry. Returns `undefined` without a match.
 */
export async function wordsPage(words: readonly string[], columns: Columns): Promise<string | undefined> {
  const wanted = words.flatMap((word) => splitWords(word));
  if (wanted.length === 0) return undefined;
  const trade = new Set(synonymsOf(words.join(' ')));
  const commands = (await Promise.all(allNouns().map((noun) => noun.commands())))
    .flat()
    .filter(({ hidden }) => !hidden);
  const ofNouns = allNouns().map(({ name, summary }) => ({ typed: `telctl ${name}`, doc: summary }));
  const ofCommands = commands.map(({ path, summary }) => ({
    typed: `telctl ${path.join(' ')}`,
    doc: summary,
  }));
  const known = [...ofNouns, ...ofCommands];
  const meant = [...trade].flatMap((line) => {
    const typed = `telctl ${line}`;
    return [known.find((each) => each.typed === typed) ?? { typed, doc: '' }];
  });
  const ofOptions = commands.flatMap(({ path, options }) =>
    Object.values(options).map(({ flag, doc }) => ({ typed: `telctl ${path.join(' ')} --${flag}`, doc })),
  );
  const parts: readonly HelpPart[] = [
    ...resultRows('In telctl', meant),
    ...resultRows(
      'Commands',
      matchEntries(known, wanted).filter(({ typed }) => !meant.some((each) => each.typed === typed)),
    ),
    ...resultRows(
      'Fields (telctl explain shows each)',
      matchEntries(resources.flatMap(fieldEntries), wanted),
    ),
    ...resultRows('Options', matchEntries(ofOptions, wanted)),
  ];
  return parts.length === 0 ? undefined : pageText(parts, columns);
}

export const splitWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));

/** Returns the entries that match all words. Matches in the command line or term come first. */
function matchEntries(entries: readonly Entry[], wanted: readonly string[]): readonly Entry[] {
  const has = (text: string): boolean => {
    // Most texts match none of the words, and this check is cheaper than splitting them.
    const lower = text.toLowerCase();
    if (!wanted.every((word) => lower.includes(word))) return false;
    const own = splitWords(text);
    return wanted.every((word) => own.some((each) => each.startsWith(word)));
  };
  const byName = entries.filter(({ typed }) => has(typed));
  const byText = entries.filter(({ typed, doc }) => !has(typed) && has(`${typed} ${doc}`));
  return [...byName, ...byText];
}

function resultRows(heading: string, found: readonly Entry[]): readonly HelpPart[] {
  if (found.length === 0) return [];
  const more = found.length - maxRows;
  return [
    {
      kind: 'rows',
      heading: more > 0 ? `${heading}, the first ${maxRows} of ${found.length}` : heading,
      rows: found.slice(0, maxRows).map(({ typed, doc }) => [typed, doc] as const),
    },
  ];
}

/** Returns the fields of a resource to its second level. */
export function fieldEntries({ name, schema }: Resource): readonly Entry[] {
  const childEntries = (node: SchemaNode, at: string, depth: number): readonly Entry[] =>
    Object.entries(resolveReference(schema, node).properties ?? {}).flatMap(([key, child]) => {
      const typed = `${at}.${key}`;
      const { description = '' } = resolveReference(schema, child);
      return [{ typed, doc: description }, ...(depth > 0 ? childEntries(child, typed, depth - 1) : [])];
    });
  return childEntries(schema, name, 1);
}
