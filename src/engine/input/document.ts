import { Failure, type HintSource } from '../../base/failure.ts';
import { omitUndefined, splitPath } from '../../base/json.ts';
import { firstLines, formatCount } from '../../base/wording.ts';

/** A file, standard input, or an option. */
export interface Source {
  /** Name that the user typed: `alice.yaml`, `--set`. `-` is `standard input`. */
  readonly name: string;
  /** True for JSON, which distinguishes numbers from text. */
  readonly typed: boolean;
  /** Returns line and column (from 1), or `undefined` for an option. */
  position(offset: number): { readonly line: number; readonly column: number } | undefined;
  /** Returns the place if line and column are not enough: the title of a cell's column, or the row of a template. */
  place?(offset: number): string;
  readonly of?: Source;
}

export interface Located {
  readonly source: Source;
  readonly at: number;
}

/** As typed. The meaning depends on the field. */
export interface ScalarNode extends Located {
  readonly kind: 'scalar';
  readonly text: string;
  /** True without quotes. The value may then be a number, true, false or null. */
  readonly plain: boolean;
}

export interface ListNode extends Located {
  readonly kind: 'list';
  readonly items: readonly DocumentNode[];
}

export interface Entry extends Located {
  readonly key: string;
  readonly value: DocumentNode;
  /** The merge key of YAML. The entries of its value are merged into the surrounding map. */
  readonly merge?: true;
}

export interface MapNode extends Located {
  readonly kind: 'map';
  readonly entries: readonly Entry[];
}

/** The position of every key and value, without knowledge of the fields. */
export type DocumentNode = ScalarNode | ListNode | MapNode;

/** Returns `alice.yaml:4:1`, or the option's name. */
export function formatPlace({ source, at }: Located): string {
  if (source.place) return source.place(at);
  const position = source.position(at);
  return position ? `${source.name}:${position.line}:${position.column}` : source.name;
}

/** Returns the value at a dotted path, or the nearest value around it. A dot inside a key is `%2E`. */
export function findNode(root: MapNode, path: string): DocumentNode | Entry {
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
  return node;
}

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

/** An option has no lines. Plain values are JSON. */
export const optionSource = (name: string): Source => ({ name, typed: true, position: () => undefined });

export interface Problem {
  readonly place: string;
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
  /** The value is text, but the field has another type. */
  readonly wrongType?: true;
  /** The contract does not have the key. The intended field may be reported as missing. */
  readonly unknownKey?: true;
  /** Not a problem if the stored record has the same value, which another program may have set. */
  readonly mayBeStored?: true;
  /** Services refuse or ignore the value. It is only sent if unknown fields are allowed. */
  readonly refused?: true;
  /** Object of a manifest and dotted path of the refused value. */
  readonly refusedAt?: { readonly key: string; readonly path: string };
  /** A number class that is missing in the contract, and the nearest known class. The service may support it. */
  readonly unknownClass?: { readonly name: string; readonly near?: string };
}

export function problemAt(located: Located, message: string): Problem {
  const { source, at } = located;
  const position = source.position(at);
  return {
    place: formatPlace(located),
    file: source.name,
    line: position?.line,
    column: position?.column,
    message,
  };
}

const problemsAtMost = 50;
/** More similar problems share one line, which lists this many places. */
const alike = 3;

/**
 * Similar problems share one line, with the first place and the number of the rest. Unknown keys are then first,
 * because they often cause missing fields.
 */
export function groupedLines(problems: readonly Problem[]): readonly string[] {
  const similarityKey = ({ file, message }: Problem): string =>
    [file, message.replace(/^\w+\.\S+(?= )/, '')].join('\n');
  const groups = Map.groupBy(problems, similarityKey);
  const isFlood = [...groups.values()].some(({ length }) => length >= alike);
  const ordered = isFlood
    ? problems.toSorted((one, other) => Number(!one.unknownKey) - Number(!other.unknownKey))
    : problems;
  return ordered.flatMap((problem) => {
    const line = `${problem.place}: ${problem.message}`;
    const [first, ...others] = groups.get(similarityKey(problem)) ?? [];
    if (others.length + 1 < alike) return line;
    if (problem !== first) return [];
    const lines = [...new Set(others.map((each) => each.line))].filter((each) => each !== first.line);
    const some = lines.slice(0, alike).join(', ');
    const where = some === '' ? '' : `: ${some}${lines.length > alike ? ', …' : ''}`;
    return `${line} (and ${others.length} more like it${where})`;
  });
}

/** The failure has one line for each problem, their number, and a hint. */
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

export interface Places {
  /** Returns the place of a dotted path, or of the nearest value around it. A dot inside a key is `%2E`. */
  place(path?: string): string;
  problem(path: string, message: string): Problem;
}

export const placesAt = (place: string): Places => ({
  place: () => place,
  problem: (_, message) => ({ place, file: '', line: undefined, column: undefined, message }),
});

/** `whole` is the place of problems of the whole record. */
export function placesIn(root: MapNode, whole: Located = root): Places {
  const at = (path: string): Located => {
    const found = findNode(root, path);
    return found === root ? whole : found;
  };
  return {
    place: (path) => formatPlace(path === undefined ? whole : at(path)),
    problem: (path, message) => problemAt(at(path), message),
  };
}

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
