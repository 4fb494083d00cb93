import { Failure, type HintSource } from '../../base/failure.ts';
import { omitUndefined, splitPath } from '../../base/json.ts';
import { firstLines, formatCount } from '../../base/wording.ts';

/** Origin of a document: a file, standard input, or an option of the command line. */
export interface Source {
  /** As the user named it: `alice.yaml`, `-` shown as `standard input`, `--set`. */
  readonly name: string;
  /** True for JSON, whose notation distinguishes numbers from text. */
  readonly typed: boolean;
  /** Line and column (from 1) of an offset, or `undefined` for an option. */
  position(offset: number): { readonly line: number; readonly column: number } | undefined;
  /**
   * Description of the place if line and column do not suffice: the title of a cell's column, the row of a template.
   */
  place?(offset: number): string;
  /** The source that this one is a part of, such as a row that is filled into a template. */
  readonly of?: Source;
}

/** Something that has a place in a source. */
export interface Located {
  readonly source: Source;
  /** Offset into the source's text. */
  readonly at: number;
}

/** A scalar as it was typed. Its meaning depends on the field that contains it. */
export interface ScalarNode extends Located {
  readonly kind: 'scalar';
  readonly text: string;
  /** Written without quotes, so that it may be a number, true, false or null. */
  readonly plain: boolean;
}

export interface ListNode extends Located {
  readonly kind: 'list';
  readonly items: readonly DocumentNode[];
}

export interface Entry extends Located {
  readonly key: string;
  readonly value: DocumentNode;
  /** The merge key of YAML. The entries of its value are merged into the map that contains it. */
  readonly merge?: true;
}

export interface MapNode extends Located {
  readonly kind: 'map';
  readonly entries: readonly Entry[];
}

/** A document with the position of every key and value, before anything is known of its fields. */
export type DocumentNode = ScalarNode | ListNode | MapNode;

/** `alice.yaml:4:1`, or the option's name. */
export function placeOf({ source, at }: Located): string {
  if (source.place) return source.place(at);
  const position = source.position(at);
  return position ? `${source.name}:${position.line}:${position.column}` : source.name;
}

/** The value at a dotted path, or the nearest value around it. A dot inside a key is `%2E`. */
export function nodeAt(root: MapNode, path: string): DocumentNode | Entry {
  let here: DocumentNode | Entry = root;
  let node: DocumentNode = root;
  for (const key of splitPath(path)) {
    if (node.kind === 'map') {
      const entry: Entry | undefined = node.entries.find((each) => each.key === key);
      if (!entry) return here;
      here = entry;
      node = entry.value;
    } else if (node.kind === 'list') {
      const item: DocumentNode | undefined = node.items[Number(key)];
      if (!item) return here;
      here = item;
      node = item;
    } else return here;
  }
  // The position of the value is more precise than that of its key.
  return node;
}

/** Creates the source of a text. Lines are found by bisection, on first use. */
export function textSource(name: string, text: string, notation?: 'typed'): Source {
  let starts: readonly number[] | undefined;
  return {
    name,
    typed: notation === 'typed',
    position(offset) {
      starts ??= lineStarts(text);
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    },
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}

/** Creates the source of an option, which has a name and no lines. Plain values are JSON. */
export const optionSource = (name: string): Source => ({ name, typed: true, position: () => undefined });

/** A problem of the input, with its place. */
export interface Problem {
  /** `alice.yaml:4:1`, or the option that gave the value. */
  readonly place: string;
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
  /** The value is text, but the field takes another type. */
  readonly wrongType?: true;
  /** The contract does not know the key. The intended field may be reported as missing. */
  readonly unknownKey?: true;
  /** Not a problem if the stored record has the same value, which another program may have set. */
  readonly mayBeStored?: true;
  /** Services refuse or ignore the value, so it is only sent if unknown fields are allowed. */
  readonly refused?: true;
  /** The object of a manifest with a refused value, and the dotted path of the value. */
  readonly refusedAt?: { readonly key: string; readonly path: string };
  /** A number class that is missing in the contract, and the nearest known one. The service may support it. */
  readonly unknownClass?: { readonly name: string; readonly near?: string };
}

export function problemAt(located: Located, message: string): Problem {
  const { source, at } = located;
  const position = source.position(at);
  return {
    place: placeOf(located),
    file: source.name,
    line: position?.line,
    column: position?.column,
    message,
  };
}

const problemsAtMost = 50;
/** Number of similar problems that share one line, and of further places that it lists. */
const alike = 3;

/**
 * The lines of problems or warnings. Many similar ones share one line, with the first place and the number of the rest.
 * Then unknown keys come first, because they often cause missing fields.
 */
export function groupedLines(problems: readonly Problem[]): readonly string[] {
  const kindOf = ({ file, message }: Problem): string =>
    [file, message.replace(/^\w+\.\S+(?= )/, '')].join('\n');
  const groups = Map.groupBy(problems, kindOf);
  const isFlood = [...groups.values()].some(({ length }) => length >= alike);
  const ordered = isFlood
    ? problems.toSorted((one, other) => Number(!one.unknownKey) - Number(!other.unknownKey))
    : problems;
  return ordered.flatMap((problem) => {
    const line = `${problem.place}: ${problem.message}`;
    const [first, ...others] = groups.get(kindOf(problem)) ?? [];
    if (others.length + 1 < alike) return line;
    if (problem !== first) return [];
    const lines = [...new Set(others.map((each) => each.line))].filter((each) => each !== first.line);
    const some = lines.slice(0, alike).join(', ');
    const where = some === '' ? '' : `: ${some}${lines.length > alike ? ', …' : ''}`;
    return `${line} (and ${others.length} more like it${where})`;
  });
}

/** All problems of the input as one failure: one line each, their number, and a hint. */
export function problemsFailure(problems: readonly Problem[], hint?: HintSource): Failure {
  const files = new Set(problems.filter(({ line }) => line !== undefined).map(({ file }) => file));
  const lines = firstLines(groupedLines(problems), '', problemsAtMost);
  const where = files.size > 0 ? ` in ${formatCount(files.size, 'file')}` : '';
  const count = `Nothing was sent. ${formatCount(problems.length, 'problem')}${where}.`;
  return new Failure('invalid', [...lines, count], {
    hint: problems.some(({ place, wrongType }) => wrongType && place.startsWith('--set '))
      ? '--set passes text. Pass numbers, true and false with --set-json PATH=JSON.'
      : hint,
    details: {
      problems: problems.map(({ file, line, column, message }) =>
        omitUndefined({ file, line, column, message }),
      ),
    },
  });
}

/** Places of the values of a record. */
export interface Places {
  /** Place of the field at a dotted path, or of the nearest value around it. A dot inside a key is `%2E`. */
  place(path?: string): string;
  problem(path: string, message: string): Problem;
}

/** Places of fields that do not come from a file. */
export const placesAt = (place: string): Places => ({
  place: () => place,
  problem: (_, message) => ({ place, file: '', line: undefined, column: undefined, message }),
});

/** Returns the places of the fields below a node. `whole` is the place of problems of the whole record. */
export function placesIn(root: MapNode, whole: Located = root): Places {
  const at = (path: string): Located => {
    const found = nodeAt(root, path);
    return found === root ? whole : found;
  };
  return {
    place: (path) => placeOf(path === undefined ? whole : at(path)),
    problem: (path, message) => problemAt(at(path), message),
  };
}

/** The texts and keys in a document, each with its place. */
export function* locatedTexts(
  node: DocumentNode,
): Generator<{ readonly text: string; readonly at: Located }> {
  if (node.kind === 'scalar') yield { text: node.text, at: node };
  else if (node.kind === 'list') for (const item of node.items) yield* locatedTexts(item);
  else
    for (const entry of node.entries) {
      yield { text: entry.key, at: entry };
      yield* locatedTexts(entry.value);
    }
}
