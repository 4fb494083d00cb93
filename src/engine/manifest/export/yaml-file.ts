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
import { asTyped } from '../../input/read-yaml.ts';
import { keepLayout } from './keep-layout.ts';

/**
 * Scalars as YAML text. Written here and not by a YAML library because an account of ten thousand objects is written
 * in a tenth of the time, and because every reader has to take the text for what it is: readers of YAML 1.1 too, for
 * whom `no`, `12:30` and `0100` are no text.
 */

/** Text that may stand without quotes: begins with a letter, holds nothing that YAML has a meaning for. */
const plain = /^[A-Za-z/][\w./@+-]*(?: [\w./@+-]+)*$/;
/** Words that readers of YAML 1.1 or 1.2 take for something else. */
const words = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i;
/** Characters that JSON leaves as they are and YAML does not print, or that turn and hide text at a terminal. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffe\uffff]|\u034f/gu;

const escaped = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
};

const ascii = /^[\x20-\x7e]*$/;

/** Text in double quotes, every character that could not be seen as an escape. */
export function yamlQuoted(text: string): string {
  const json = JSON.stringify(text);
  return ascii.test(json) ? json : json.replaceAll(hidden, escaped);
}

/** Text as a value on one line, in quotes where a reader could take it for something else. */
export const textOnLine = (text: string): string =>
  plain.test(text) && !words.test(text) ? text : yamlQuoted(text);

/** The same for a value that stands alone behind its key, where a reference needs no quotes. */
export const valueOnLine = (text: string): string =>
  /^\$\{[\w.?-]+\}$/.test(text) ? text : textOnLine(text);

export const keyText = (key: string): string =>
  /^[A-Za-z_][\w-]*$/.test(key) && !words.test(key) ? key : yamlQuoted(key);

/**
 * Lines of text as a block (`|`), by its header and its lines; `undefined` where only quotes keep the text as it is:
 * blanks at the ends of lines, which editors cut, characters that cannot be seen, empty lines at the end.
 */
export function blockOf(
  text: string,
): { readonly header: string; readonly lines: readonly string[] } | undefined {
  const lines = text.split('\n');
  const body = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  if (body.length < 2 || /^\s|^$/.test(body[0] ?? '') || body.at(-1) === '') return undefined;
  if (body.some((line) => /\s$/.test(line) || line.search(hidden) >= 0)) return undefined;
  return { header: body === lines ? '|-' : '|', lines: body };
}

/** A number as telctl's reader takes it everywhere: no exponent, a fraction where it is large. */
export function numberText(value: number): string {
  const text = String(value);
  if (!text.includes('e'))
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? `${text}.0` : text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  const power = Number(exponent);
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(power, '0')}.0`;
}

/** A YAML file that people edit, with its comments. Texts are as they were typed; what they mean is not known here. */
export interface YamlFile {
  readonly documents: readonly YamlMap[];
  /** Problem of the file, after its place (`4:1: …`); then it is not to be written. */
  readonly problem: string | undefined;
  /** The file's text as it is now. */
  text(): string;
}

/** Value at a place of the file. */
export type YamlValue =
  | { readonly kind: 'scalar'; readonly text: string; readonly plain: boolean }
  | { readonly kind: 'list'; readonly items: readonly YamlValue[] }
  | YamlMap
  /** An alias, a tag, nothing: it is left alone. */
  | { readonly kind: 'other' };

/** A map in the file, and how it is changed. Comments beside what stays, stay. */
export interface YamlMap {
  readonly kind: 'map';
  keys(): readonly string[];
  get(key: string): YamlValue | undefined;
  /** Puts the value of `text`, YAML with that one key, in place of the old one. */
  replace(key: string, text: string): void;
  remove(key: string): void;
  /** Puts entries, given as YAML text of a map, at the end. */
  add(text: string): void;
}

const composed = (source: string): readonly Document[] => [
  ...new Composer(asTyped).compose(new Parser().parse(source)),
];

/** Reads a file for changing it. */
export function yamlFile(source: string): YamlFile {
  const documents = composed(source);
  const [error] = documents.flatMap(({ errors }) => errors);
  const problem = error && `${placeIn(source, error.pos[0])}: ${lowered(error.message)}`;
  if (documents.every(({ contents }) => contents === null || (isScalar(contents) && contents.value === '')))
    return emptyFile(source);
  const roots = documents.flatMap(({ contents }) => (isMap(contents) ? [contents] : []));
  return { documents: roots.map(mapOf), problem, text: () => asLaidOut(documents, source) };
}

/** `4:1` */
function placeIn(source: string, offset: number): string {
  const before = source.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The documents as text, in which what was not changed looks as it did. */
function asLaidOut(documents: readonly Document[], source: string): string {
  const after = render(documents, source);
  const kept = keepLayout(source, render(composed(source), source), after);
  // Indented otherwise, a line can mean something else: then the text is taken as it is written anew.
  return kept !== undefined && saysTheSame(kept, after) ? kept : after;
}

function saysTheSame(text: string, other: string): boolean {
  const [one, two] = [text, other].map((each) => composed(each));
  if (!one || !two || one.some(({ errors }) => errors.length > 0)) return false;
  const values = (documents: readonly Document[]) => JSON.stringify(documents.map((each) => each.toJS()));
  return values(one) === values(two);
}

/** A file without a value, comments at most: what is added comes after them. */
function emptyFile(source: string): YamlFile {
  const document = parseDocument('{}', asTyped);
  const root = document.contents;
  if (!isMap(root)) throw new Error('An empty map is a map.');
  const head = source.trim() === '' ? '' : `${source.trimEnd()}\n\n`;
  return { documents: [mapOf(root)], problem: undefined, text: () => head + render([document], '') };
}

/** The documents as text, indented as the file was. */
function render(documents: readonly Document[], source: string): string {
  const indent = /^( +)[^\s#-]/m.exec(source)?.[1]?.length ?? 2;
  const indentSeq = !/^( *)[\w-]+:(?: +#.*)?\n\1- /m.test(source);
  // Brackets as most of the file has them.
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

function mapOf(map: YAMLMap): YamlMap {
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
      const [fresh] = pairsOf(text);
      if (pair && fresh) pair.value = withComments(pair.value, fresh.value);
    },
    remove(key) {
      const at = pairs().findIndex((pair) => pairKey(pair) === key);
      if (at !== -1) map.items.splice(at, 1);
      index = undefined;
    },
    add(text) {
      if (map.items.length === 0) map.flow = false;
      for (const pair of pairsOf(text)) map.items.push(pair);
      index = undefined;
    },
  };
}

/** The entries of a map that is given as text. */
function pairsOf(text: string): readonly Pair<Node, Node | null>[] {
  const { contents, errors } = parseDocument(text, asTyped);
  if (!isMap(contents) || errors.length > 0) throw new Error('What is put into a map must be one.');
  return contents.items as Pair<Node, Node | null>[];
}

/** A new value with the comments of the old one; a note of its own goes before. */
function withComments(old: unknown, fresh: Node | null): Node | null {
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
  if (isMap(node)) return mapOf(node);
  if (isSeq(node)) return { kind: 'list', items: node.items.map(valueAt) };
  return { kind: 'other' };
}
