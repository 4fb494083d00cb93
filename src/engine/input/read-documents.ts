import type { Host } from '../../base/host/host.ts';
import {
  type DocumentNode,
  type Entry,
  type Problem,
  problemAt,
  type ScalarNode,
  type Source,
  textSource,
} from './document.ts';
import { JsonError, readJson } from './json-document.ts';
import { readInput } from './read-input.ts';

/** The documents of all files, and the problems of those that could not be read. */
export interface Documents {
  readonly documents: readonly DocumentNode[];
  readonly problems: readonly Problem[];
}

/**
 * Reads YAML and JSON from files and standard input (`-`). Tags, duplicate keys and too many aliases are problems.
 * Throws `Failure` of kind `usage` where a file cannot be opened.
 */
export async function readDocuments(host: Host, files: readonly string[]): Promise<Documents> {
  const documents: DocumentNode[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    const { name, text } = await readInput(host, file);
    const found = await parse(name, text);
    documents.push(...found.documents);
    problems.push(...found.problems);
  }
  return { documents, problems };
}

/**
 * Reads the text of one file; what is wrong with it is returned, not thrown. Where a merge left its marks, they are all
 * that is told: everything else follows from them.
 */
export async function parse(name: string, text: string): Promise<Documents> {
  const read = await parsed(name, text);
  const marks = read.problems.length > 0 ? [...text.matchAll(/^<{7}(?: .*)?$/gm)] : [];
  if (marks.length === 0) return read;
  const source = textSource(name, text);
  const message =
    'a merge left a conflict here: keep one side, and take out the lines of <<<<<<<, ======= and >>>>>>>';
  return { documents: [], problems: marks.map(({ index }) => problemAt({ source, at: index }, message)) };
}

async function parsed(name: string, text: string): Promise<Documents> {
  if (/^\s*[[{]/.test(text) || name.endsWith('.json')) {
    try {
      const root = readJson(textSource(name, text, 'typed'), text);
      return { documents: [root], problems: duplicates(root) };
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (name.endsWith('.json'))
        return {
          documents: [],
          problems: [problemAt({ source: error.source, at: error.offset }, error.message)],
        };
      // YAML in flow style begins like JSON.
    }
  }
  const simple = readSimpleYaml(textSource(name, text), text);
  if (simple) return { documents: simple, problems: simple.flatMap(duplicates) };
  const { readYaml } = await import('./read-yaml.ts');
  const { documents, problems } = await readYaml(name, text);
  return { documents, problems: [...problems, ...documents.flatMap(duplicates)] };
}

/** Duplicate keys of a map, anywhere in a document. */
function duplicates(root: DocumentNode): readonly Problem[] {
  const found: Problem[] = [];
  const visit = (node: DocumentNode): void => {
    if (node.kind === 'list') node.items.forEach(visit);
    if (node.kind !== 'map') return;
    const seen = new Set<string>();
    for (const entry of node.entries) {
      if (seen.has(entry.key)) found.push(problemAt(entry, `${JSON.stringify(entry.key)} is given twice`));
      seen.add(entry.key);
      visit(entry.value);
    }
  };
  visit(root);
  return found;
}

/** Tabs, carriage returns, and what cannot be seen. */
const unusual = /[^\n\x20-\x7e\xa0-\ufefe\uff00-\ufffd]/;
const deepest = 50;
/** Longest key on one line in YAML. */
const longestKey = 1000;

// Each is tried at one place of the text. What YAML may take for something else fits none of them.
const blankLines = /(?: *(?:#[^\n]*)?(?:\n|$))*/y;
const restOfLine = / *(?: #[^\n]*)?(?:\n|$)/y;
const spaces = / */y;
const inDouble = /"[^"\\\n]*(?:\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[\da-fA-F]{4})[^"\\\n]*)*"/y;
const inSingle = /'[^'\n]*(?:''[^'\n]*)*'/y;
const plainInBlock = /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=[\w.]))(?:[^\s:#]|:(?=\S)|(?<=\S)#| +(?=[^\s:#]))*/y;
const plainInBrackets =
  /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=[\w.]))(?:[^\s:#,[\]{}]|:(?=[^\s,[\]{}])| +(?=[^\s:#,[\]{}]))*/y;
const keyEnd = /:(?=[ \n]|$)/y;
const dash = /-(?=[ \n]|$)/y;
const comma = /, */y;
const literalStart = /\|(-?)\n( +)/y;
const documentStart = /--- *(?:\n|$)/y;

/** Thrown where the text is of another kind. */
const notSimple = Symbol('not simple');

function must(isSimple: boolean): asserts isSimple {
  if (!isSimple) throw notSimple;
}

/**
 * Reads YAML as most of it is written, in a tenth of the time that the YAML package takes, with the same documents and
 * places. `undefined` where anything in the text is of another kind, or wrong: the package knows what that means.
 */
export function readSimpleYaml(source: Source, text: string): readonly DocumentNode[] | undefined {
  if (unusual.test(text)) return undefined;
  const reader = simpleReader(source, text);
  try {
    return reader();
  } catch (error) {
    // A pattern may run out of room in text of millions of characters.
    if (error === notSimple || error instanceof RangeError) return undefined;
    throw error;
  }
}

function simpleReader(source: Source, text: string): () => readonly DocumentNode[] {
  let at = 0;

  function isHere(pattern: RegExp, offset = at): boolean {
    pattern.lastIndex = offset;
    return pattern.test(text);
  }

  /** Skips what matches here; returns whether anything did. */
  function take(pattern: RegExp): boolean {
    if (!isHere(pattern)) return false;
    at = pattern.lastIndex;
    return true;
  }

  const scalar = (content: string, plain: boolean, start: number): ScalarNode => ({
    kind: 'scalar',
    text: content,
    plain,
    source,
    at: start,
  });

  function textHere(plain: RegExp): ScalarNode {
    const start = at;
    if (take(plain)) return scalar(text.slice(start, at), true, start);
    if (take(inDouble)) {
      const inner = text.slice(start + 1, at - 1);
      return scalar(inner.includes('\\') ? String(JSON.parse(`"${inner}"`)) : inner, false, start);
    }
    must(take(inSingle));
    return scalar(text.slice(start + 1, at - 1).replaceAll("''", "'"), false, start);
  }

  function keyHere(plain: RegExp): string {
    const key = textHere(plain).text;
    must(take(keyEnd) && key !== '<<' && key.length <= longestKey);
    return key;
  }

  /** A list or map in brackets, or text inside one. */
  function inBrackets(depth: number): DocumentNode {
    must(depth <= deepest);
    const start = at;
    const open = text[at];
    if (open !== '[' && open !== '{') return textHere(plainInBrackets);
    const close = open === '[' ? ']' : '}';
    const items: DocumentNode[] = [];
    const entries: Entry[] = [];
    at += 1;
    take(spaces);
    for (let isFirst = true; text[at] !== close; isFirst = false) {
      must(isFirst || take(comma));
      const from = at;
      if (open === '[') items.push(inBrackets(depth + 1));
      else {
        const key = keyHere(plainInBrackets);
        take(spaces);
        entries.push({ key, value: inBrackets(depth + 1), source, at: from });
      }
      take(spaces);
    }
    at += 1;
    return open === '['
      ? { kind: 'list', items, source, at: start }
      : { kind: 'map', entries, source, at: start };
  }

  /** Moves to the next line with content and returns its column; -1 at the end of the document. */
  function nextColumn(): number {
    take(blankLines);
    isHere(spaces);
    const column = spaces.lastIndex - at;
    return at === text.length || (column === 0 && isHere(documentStart)) ? -1 : column;
  }

  /** Text in the lines below `|`, which are indented by more than `column`. */
  function literal(column: number): ScalarNode {
    const start = at;
    literalStart.lastIndex = at;
    const [head, stripped, indent = ''] = literalStart.exec(text) ?? [];
    must(head !== undefined && indent.length > column);
    at += head.length - indent.length;
    const lines: string[] = [];
    while (text[at] === '\n' || text.startsWith(indent, at)) {
      const end = text.indexOf('\n', at);
      must(end !== -1);
      const line = text.slice(text[at] === '\n' ? at : at + indent.length, end);
      must(text[at] === '\n' || line.trim() !== '');
      lines.push(line);
      at = end + 1;
    }
    while (lines.at(-1) === '') lines.pop();
    isHere(spaces);
    must(spaces.lastIndex - at <= column);
    return scalar(lines.join('\n') + (stripped === '' ? '\n' : ''), false, start);
  }

  /** Reads the value behind a key or a dash, which is in a map or list at `column`, or in the lines below. */
  function valueAfter(of: 'key' | 'dash', column: number, depth: number): DocumentNode {
    const behind = at;
    isHere(spaces);
    const start = spaces.lastIndex;
    if (take(restOfLine)) {
      const below = nextColumn();
      if (below > column || (of === 'key' && below === column && isHere(dash, at + below))) {
        at += below;
        return block(below, depth);
      }
      must(of === 'key');
      return scalar('', true, start);
    }
    at = start;
    if (text[at] === '|') return literal(column);
    const inner = column + 1 + start - behind;
    if (of === 'dash' && isHere(dash)) return block(inner, depth);
    const value = text[at] === '[' || text[at] === '{' ? inBrackets(depth) : textHere(plainInBlock);
    if (of === 'dash' && value.kind === 'scalar' && isHere(keyEnd)) {
      at = start;
      return block(inner, depth);
    }
    must(take(restOfLine));
    return value;
  }

  /** A map or list whose first key or dash is at `column`. */
  function block(column: number, depth: number): DocumentNode {
    must(depth <= deepest);
    const start = at;
    if (isHere(dash)) {
      const items: DocumentNode[] = [];
      do {
        at += 1;
        items.push(valueAfter('dash', column, depth + 1));
      } while (nextColumn() === column && isHere(dash, at + column) && goTo(at + column));
      return { kind: 'list', items, source, at: start };
    }
    const entries: Entry[] = [];
    do {
      const from = at;
      const key = keyHere(plainInBlock);
      entries.push({ key, value: valueAfter('key', column, depth + 1), source, at: from });
    } while (nextColumn() === column && goTo(at + column));
    return { kind: 'map', entries, source, at: start };
  }

  function goTo(place: number): true {
    at = place;
    return true;
  }

  return () => {
    const documents: DocumentNode[] = [];
    take(blankLines);
    take(documentStart);
    do {
      const column = nextColumn();
      must(column >= 0);
      at += column;
      documents.push(block(column, 0));
      nextColumn();
    } while (take(documentStart));
    must(at === text.length);
    return documents;
  };
}
