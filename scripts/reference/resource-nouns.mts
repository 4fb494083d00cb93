import { readFileSync } from 'node:fs';
import { resources } from '../../src/contract/catalogue.ts';
import { commandWordsOf } from '../../src/contract/resource.ts';
import { kinds } from '../../src/engine/manifest/kinds.ts';

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const list = (names: readonly string[]): string => `[${names.map(quoted).join(', ')}]`;

const named = (shape: 'many' | 'one', byId: boolean): string =>
  list(
    kinds.filter((each) => each.shape === shape && each.keys.includes('id') === byId).map(({ name }) => name),
  );

const files = new Map(
  readFileSync('src/contract/resource-list.ts', 'utf8')
    .matchAll(/^export \{ (.*) \} from '(.*)';$/gm)
    .flatMap(([, names = '', file = '']) => names.split(', ').map((name) => [name, file] as const)),
);

/** Returns the module with facts about resources for help and completion. Loading the contract would take longer. */
export function resourceNounsModule(): string {
  const nouns = resources.filter((each) => commandWordsOf(each).length === 1);
  const facts = nouns.map(
    (each) =>
      `  [${[each.name, commandWordsOf(each)[0], each.singular, each.summary].map(quoted).join(', ')}],`,
  );
  const loads = nouns.map(
    ({ name }) => `  ${name}: async () => (await import('${files.get(name)}')).${name},`,
  );
  return `// Made from the contract by \`npm run generate\`, for code that starts before the contract is loaded.
import type { Resource, ResourceName } from './types.ts';

/** A resource whose commands start with its name. */
export interface ResourceNoun {
  readonly name: ResourceName;
  /** First word of its commands. */
  readonly word: string;
  readonly singular: string;
  readonly summary: string;
  /** Loads only this resource. */
  readonly load: () => Promise<Resource>;
}

const facts = [
${facts.join('\n')}
] as const;

const loads: Readonly<Record<(typeof facts)[number][0], ResourceNoun['load']>> = {
${loads.join('\n')}
};

/** Resources with commands, in the order of reference pages. */
export const resourceNouns: readonly ResourceNoun[] = facts.map(([name, word, singular, summary]) => ({
  name,
  word,
  singular,
  summary,
  load: loads[name],
}));

/** Manifest sections in order, grouped by the identifier of their objects: local name, id, or the section itself. */
export const sectionNames = {
  byName: ${named('many', false)},
  byId: ${named('many', true)},
  once: ${named('one', false)},
} as const;
`;
}
