import type { Entry, MapNode } from '../../input/document.ts';
import { problemAt } from '../../input/problems.ts';
import type { Report } from '../../input/read-fields.ts';
import { isNothing } from '../../input/read-scalar.ts';
import type { Draft } from './drafts.ts';

/** Marks of an object beside its fields, which are never sent. */
export interface Marks {
  /** The object without them. */
  readonly node: MapNode;
  readonly protect: boolean;
  readonly renamedFrom: string | undefined;
}

const words = new Set(['protect', 'renamed_from']);

/** Takes `protect` and `renamed_from` off an object. */
export function takeMarks({ node, kind }: Draft, report: Report): Marks {
  if (!node.entries.some(({ key }) => words.has(key)))
    return { node, protect: false, renamedFrom: undefined };
  const entryOf = (word: string): Entry | undefined => node.entries.find(({ key }) => key === word);
  const problem = (entry: Entry, message: string): undefined => {
    report.problem(problemAt(entry.value, message));
    return undefined;
  };

  function protect(entry: Entry | undefined): boolean {
    if (!entry) return false;
    const { value } = entry;
    const text = value.kind === 'scalar' && value.plain ? value.text.toLowerCase() : '';
    if (text !== 'true' && text !== 'false') problem(entry, '"protect" must be true or false');
    return text === 'true';
  }

  function renamedFrom(entry: Entry | undefined): string | undefined {
    if (!entry) return undefined;
    const { value } = entry;
    if (kind.shape === 'one') return problem(entry, `${kind.name} has no name that could have changed`);
    if (value.kind !== 'scalar' || isNothing(value) || value.text === '')
      return problem(entry, '"renamed_from" must be the former local name, or the former name of the object');
    return value.text;
  }

  return {
    node: { ...node, entries: node.entries.filter(({ key }) => !words.has(key)) },
    protect: protect(entryOf('protect')),
    renamedFrom: renamedFrom(entryOf('renamed_from')),
  };
}
