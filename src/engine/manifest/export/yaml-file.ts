import { diffArrays } from 'diff';
import {
  Composer,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Parser,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { yamlOptions } from '../../input/read-yaml.ts';

/** Expressions in texts are not evaluated. */
export interface YamlFile {
  readonly documents: readonly YamlMap[];
  /** Problem with its place (`4:1: …`). Such a file must not be written. */
  readonly problem: string | undefined;
  text(): string;
}

export type YamlValue =
  | { readonly kind: 'scalar'; readonly text: string; readonly plain: boolean }
  | { readonly kind: 'list'; readonly items: readonly YamlValue[] }
  | YamlMap
  /** An alias, a tag or an empty value, which is not changed. */
  | { readonly kind: 'other' };

/** Edits keep the comments of other entries. */
export interface YamlMap {
  readonly kind: 'map';
  keys(): readonly string[];
  get(key: string): YamlValue | undefined;
  /** `text` is YAML of a map with that key. */
  replace(key: string, text: string): void;
  remove(key: string): void;
  /** Adds entries at the end. `text` is YAML of a map. */
  add(text: string): void;
}

const composeDocuments = (source: string): readonly Document[] => [
  ...new Composer(yamlOptions).compose(new Parser().parse(source)),
];

export function openYamlFile(source: string): YamlFile {
  const documents = composeDocuments(source);
  const [error] = documents.flatMap(({ errors }) => errors);
  const problem = error && `${placeIn(source, error.pos[0])}: ${lowercaseFirst(error.message)}`;
  if (documents.every(({ contents }) => contents === null || (isScalar(contents) && contents.value === '')))
    return emptyFile(source);
  const roots = documents.flatMap(({ contents }) => (isMap(contents) ? [contents] : []));
  return { documents: roots.map(createYamlMap), problem, text: () => withLayout(documents, source) };
}

function placeIn(source: string, offset: number): string {
  const before = source.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

const lowercaseFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function withLayout(documents: readonly Document[], source: string): string {
  const after = render(documents, source);
  const kept = keepLayout(source, render(composeDocuments(source), source), after);
  // With another indentation, a line can change its meaning. Then the whole text is formatted.
  return kept !== undefined && haveSameValues(kept, after) ? kept : after;
}

function haveSameValues(text: string, other: string): boolean {
  const [one, two] = [text, other].map((each) => composeDocuments(each));
  if (!one || !two || one.some(({ errors }) => errors.length > 0)) return false;
  const values = (documents: readonly Document[]) => JSON.stringify(documents.map((each) => each.toJS()));
  return values(one) === values(two);
}

/** Keeps comments of a file without values above new entries. */
function emptyFile(source: string): YamlFile {
  const document = parseDocument('{}', yamlOptions);
  const root = document.contents;
  if (!isMap(root)) throw new Error('An empty map is a map.');
  const head = source.trim() === '' ? '' : `${source.trimEnd()}\n\n`;
  return { documents: [createYamlMap(root)], problem: undefined, text: () => head + render([document], '') };
}

function render(documents: readonly Document[], source: string): string {
  const indent = /^( +)[^\s#-]/m.exec(source)?.[1]?.length ?? 2;
  const indentSeq = !/^( *)[\w-]+:(?: +#.*)?\n\1- /m.test(source);
  // Brackets get inner spaces if most brackets of the file have them.
  const padded = (source.match(/[[{] +[^\s\]}]/g) ?? []).length;
  const tight = (source.match(/(?<![$\w])[[{][^\s\]}]/g) ?? []).length;
  const flowCollectionPadding = padded >= tight;
  return documents
    .map((document, index) => {
      const text = document.toString({
        lineWidth: 0,
        indent: Math.min(indent, 8),
        indentSeq,
        flowCollectionPadding,
      });
      return index > 0 && !text.startsWith('---') && !text.startsWith('%') ? `---\n${text}` : text;
    })
    .join('');
}

const pairKey = ({ key }: Pair): string =>
  isScalar(key) ? (typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))) : '';

function createYamlMap(map: YAMLMap): YamlMap {
  const pairs = () => map.items as Pair[];
  let index: Map<string, Pair> | undefined;
  const find = (key: string): Pair | undefined => {
    index ??= new Map(pairs().map((pair) => [pairKey(pair), pair]));
    return index.get(key);
  };
  return {
    kind: 'map',
    keys: () => pairs().map(pairKey),
    get(key) {
      const pair = find(key);
      return pair && valueAt(pair.value);
    },
    replace(key, text) {
      const pair = find(key);
      const [fresh] = parsePairs(text);
      if (pair && fresh) pair.value = copyComments(pair.value, fresh.value);
    },
    remove(key) {
      const at = pairs().findIndex((pair) => pairKey(pair) === key);
      if (at !== -1) map.items.splice(at, 1);
      index = undefined;
    },
    add(text) {
      if (map.items.length === 0) map.flow = false;
      for (const pair of parsePairs(text)) map.items.push(pair);
      index = undefined;
    },
  };
}

function parsePairs(text: string): readonly Pair<Node, Node | null>[] {
  const { contents, errors } = parseDocument(text, yamlOptions);
  if (!isMap(contents) || errors.length > 0) throw new Error('What is put into a map must be one.');
  return contents.items as Pair<Node, Node | null>[];
}

/** Comments of the new value take precedence. */
function copyComments(old: unknown, fresh: Node | null): Node | null {
  if (!fresh || !(isScalar(old) || isCollection(old) || isAlias(old))) return fresh;
  fresh.comment ??= old.comment ?? null;
  fresh.commentBefore ??= old.commentBefore ?? null;
  if (old.spaceBefore) fresh.spaceBefore = true;
  if (isScalar(old) && isScalar(fresh) && typeof old.value === 'string' && typeof fresh.value === 'string')
    fresh.type =
      fresh.type === 'PLAIN' && old.type?.startsWith('QUOTE') ? old.type : (fresh.type ?? 'QUOTE_DOUBLE');
  return fresh;
}

function valueAt(node: unknown): YamlValue {
  if (isScalar(node)) {
    const plain = node.type === 'PLAIN' || node.type === undefined;
    const text = typeof node.value === 'string' ? node.value : (node.source ?? '');
    return { kind: 'scalar', text, plain };
  }
  if (isMap(node)) return createYamlMap(node);
  if (isSeq(node)) return { kind: 'list', items: node.items.map(valueAt) };
  return { kind: 'other' };
}

/** With more edits, the whole text is formatted. */
const mostEdits = 1500;

type Pairs = readonly (readonly [number, number])[];

/** Keeps lines of `original` that both formatted texts share. Returns `undefined` if they differ too much. */
export function keepLayout(original: string, before: string, after: string): string | undefined {
  const [theirs, base, ours] = [original, before, after].map((text) => text.split('\n'));
  if (!theirs || !base || !ours) return undefined;
  const toTheirs = commonLines(base.map(withoutSpaces), theirs.map(withoutSpaces));
  const toOurs = commonLines(base, ours);
  if (!toTheirs || !toOurs) return undefined;
  const theirPlace = new Map(toTheirs);
  const lines: string[] = [];
  const at = { base: 0, theirs: 0, ours: 0 };
  const copyUpTo = (end: { readonly base: number; readonly theirs: number; readonly ours: number }): void => {
    const isOurs =
      end.ours - at.ours !== end.base - at.base || !sameLines(base, at.base, ours, at.ours, end.base);
    lines.push(...(isOurs ? ours.slice(at.ours, end.ours) : theirs.slice(at.theirs, end.theirs)));
  };
  for (const [place, ourPlace] of toOurs) {
    const layout = theirPlace.get(place);
    if (layout === undefined) continue;
    copyUpTo({ base: place, theirs: layout, ours: ourPlace });
    lines.push(theirs[layout] ?? '');
    at.base = place + 1;
    at.theirs = layout + 1;
    at.ours = ourPlace + 1;
  }
  copyUpTo({ base: base.length, theirs: theirs.length, ours: ours.length });
  return lines.join('\n');
}

/** Layouts differ in spaces. */
const withoutSpaces = (line: string): string => line.replaceAll(/\s+/g, '');

function sameLines(
  one: readonly string[],
  from: number,
  other: readonly string[],
  otherFrom: number,
  end: number,
): boolean {
  for (let index = from; index < end; index += 1)
    if (one[index] !== other[otherFrom + index - from]) return false;
  return true;
}

/** Returns `undefined` if there are more than `mostEdits` differences. */
function commonLines(one: readonly string[], other: readonly string[]): Pairs | undefined {
  const pairs: (readonly [number, number])[] = [];
  let [at, otherAt] = [0, 0];
  const parts = diffArrays([...one], [...other], { maxEditLength: mostEdits });
  for (const { added, removed, count } of parts ?? []) {
    if (!added && !removed)
      for (let index = 0; index < count; index += 1) pairs.push([at + index, otherAt + index]);
    if (!added) at += count;
    if (!removed) otherAt += count;
  }
  return parts && pairs;
}
