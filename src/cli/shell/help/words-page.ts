import { resources } from '../../../contract/catalogue.ts';
import { resolved, type SchemaNode } from '../../../contract/schema-node.ts';
import type { Resource } from '../../../contract/types.ts';
import { tradeWords } from '../../commands/other-words.ts';
import { allNouns } from '../registry.ts';
import { type Columns, type Part, pageText } from './layout.ts';

/** A line of the index of everything that help knows: what is typed, and what it is. */
interface Entry {
  readonly typed: string;
  readonly doc: string;
}

/** Most rows of one kind: a longer page is no answer. */
const shownAtMost = 10;

/**
 * Returns the page of what fits words that are no topic: trade words, then commands, options and fields. All words must
 * fit an entry, as beginnings of its words. Returns `undefined` where nothing does.
 */
export async function wordsPage(words: readonly string[], columns: Columns): Promise<string | undefined> {
  const wanted = words.flatMap((word) => wordsIn(word));
  if (wanted.length === 0) return undefined;
  const trade = new Set(tradeWords(words.join(' ')));
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
  const parts: readonly Part[] = [
    ...foundRows('Meant here', meant),
    ...foundRows(
      'Commands',
      fitting(known, wanted).filter(({ typed }) => !meant.some((each) => each.typed === typed)),
    ),
    ...foundRows('Fields (telctl explain shows each)', fitting(resources.flatMap(fieldEntries), wanted)),
    ...foundRows('Options', fitting(ofOptions, wanted)),
  ];
  return parts.length === 0 ? undefined : pageText(parts, columns);
}

export const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));

/** The entries that have all words, those first that have them in what is typed. */
function fitting(entries: readonly Entry[], wanted: readonly string[]): readonly Entry[] {
  const has = (text: string): boolean => {
    // Most texts have none of the words: that is found without taking them apart.
    const lower = text.toLowerCase();
    if (!wanted.every((word) => lower.includes(word))) return false;
    const own = wordsIn(text);
    return wanted.every((word) => own.some((each) => each.startsWith(word)));
  };
  const byName = entries.filter(({ typed }) => has(typed));
  const byText = entries.filter(({ typed, doc }) => !has(typed) && has(`${typed} ${doc}`));
  return [...byName, ...byText];
}

function foundRows(heading: string, found: readonly Entry[]): readonly Part[] {
  if (found.length === 0) return [];
  const more = found.length - shownAtMost;
  return [
    {
      kind: 'rows',
      heading: more > 0 ? `${heading}, the first ${shownAtMost} of ${found.length}` : heading,
      rows: found.slice(0, shownAtMost).map(({ typed, doc }) => [typed, doc] as const),
    },
  ];
}

/** The fields of a resource down to its second level, with what each is for. */
export function fieldEntries({ name, schema }: Resource): readonly Entry[] {
  const under = (node: SchemaNode, at: string, depth: number): readonly Entry[] =>
    Object.entries(resolved(schema, node).properties ?? {}).flatMap(([key, child]) => {
      const typed = `${at}.${key}`;
      const { description = '' } = resolved(schema, child);
      return [{ typed, doc: description }, ...(depth > 0 ? under(child, typed, depth - 1) : [])];
    });
  return under(schema, name, 1);
}
