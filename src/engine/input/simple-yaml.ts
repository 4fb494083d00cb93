import type { DocumentNode, Entry, ScalarNode, Source } from './document.ts';

/** Tabs, carriage returns and invisible characters. */
const unusual = /[^\n\x20-\x7e\xa0-\ufefe\uff00-\ufffd]/;
const maxNesting = 50;
const longestKey = 1000;

// Patterns match at the current position. They do not match text that YAML could interpret in another way.
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

/** Thrown for YAML that only the package supports. */
const notSimple = Symbol('not simple');

function requireSimple(isSimple: boolean): asserts isSimple {
  if (!isSimple) throw notSimple;
}

/**
 * Reads common YAML ten times faster than the YAML package, with the same documents and positions. Returns
 * `undefined` for other text, including invalid YAML.
 */
export function readSimpleYaml(source: Source, text: string): readonly DocumentNode[] | undefined {
  if (unusual.test(text)) return undefined;
  try {
    return new SimpleYamlReader(source, text).read();
  } catch (error) {
    // A pattern can exceed its stack in text of millions of characters.
    if (error === notSimple || error instanceof RangeError) return undefined;
    throw error;
  }
}

class SimpleYamlReader {
  readonly #source: Source;
  readonly #text: string;
  #at = 0;

  constructor(source: Source, text: string) {
    this.#source = source;
    this.#text = text;
  }

  read(): readonly DocumentNode[] {
    const documents: DocumentNode[] = [];
    this.#take(blankLines);
    this.#take(documentStart);
    do {
      const column = this.#nextColumn();
      requireSimple(column >= 0);
      this.#at += column;
      documents.push(this.#block(column, 0));
      this.#nextColumn();
    } while (this.#take(documentStart));
    requireSimple(this.#at === this.#text.length);
    return documents;
  }

  /** Reads a map or list whose first key or dash is at `column`. */
  #block(column: number, depth: number): DocumentNode {
    requireSimple(depth <= maxNesting);
    return this.#isAt(dash) ? this.#blockList(column, depth) : this.#blockMap(column, depth);
  }

  #blockList(column: number, depth: number): DocumentNode {
    const start = this.#at;
    const items: DocumentNode[] = [];
    do {
      this.#at += 1;
      items.push(this.#valueAfter('dash', column, depth + 1));
    } while (this.#nextColumn() === column && this.#isAt(dash, this.#at + column) && this.#skip(column));
    return { kind: 'list', items, source: this.#source, at: start };
  }

  #blockMap(column: number, depth: number): DocumentNode {
    const start = this.#at;
    const entries: Entry[] = [];
    do {
      const at = this.#at;
      const key = this.#key(plainInBlock);
      entries.push({ key, value: this.#valueAfter('key', column, depth + 1), source: this.#source, at });
    } while (this.#nextColumn() === column && this.#skip(column));
    return { kind: 'map', entries, source: this.#source, at: start };
  }

  /** Reads the value after a key or dash at `column`, on the same line or the lines below. */
  #valueAfter(mark: 'key' | 'dash', column: number, depth: number): DocumentNode {
    const markEnd = this.#at;
    this.#isAt(spaces);
    const start = spaces.lastIndex;
    if (this.#take(restOfLine)) {
      const below = this.#nextColumn();
      if (below > column || (mark === 'key' && below === column && this.#isAt(dash, this.#at + below))) {
        this.#skip(below);
        return this.#block(below, depth);
      }
      requireSimple(mark === 'key');
      return this.#scalar('', true, start);
    }
    this.#at = start;
    if (this.#text[start] === '|') return this.#literal(column);
    const inner = column + 1 + start - markEnd;
    if (mark === 'dash' && this.#isAt(dash)) return this.#block(inner, depth);
    const isBracket = this.#text[start] === '[' || this.#text[start] === '{';
    const value = isBracket ? this.#brackets(depth) : this.#textNode(plainInBlock);
    if (mark === 'dash' && value.kind === 'scalar' && this.#isAt(keyEnd)) {
      this.#at = start;
      return this.#block(inner, depth);
    }
    requireSimple(this.#take(restOfLine));
    return value;
  }

  #brackets(depth: number): DocumentNode {
    requireSimple(depth <= maxNesting);
    const start = this.#at;
    const open = this.#text[start];
    if (open !== '[' && open !== '{') return this.#textNode(plainInBrackets);
    const close = open === '[' ? ']' : '}';
    const items: DocumentNode[] = [];
    const entries: Entry[] = [];
    this.#at += 1;
    this.#take(spaces);
    for (let isFirst = true; this.#text[this.#at] !== close; isFirst = false) {
      requireSimple(isFirst || this.#take(comma));
      const at = this.#at;
      if (open === '[') items.push(this.#brackets(depth + 1));
      else {
        const key = this.#key(plainInBrackets);
        this.#take(spaces);
        entries.push({ key, value: this.#brackets(depth + 1), source: this.#source, at });
      }
      this.#take(spaces);
    }
    this.#at += 1;
    return open === '['
      ? { kind: 'list', items, source: this.#source, at: start }
      : { kind: 'map', entries, source: this.#source, at: start };
  }

  /** Reads the lines below `|`, which are indented by more than `column`. */
  #literal(column: number): ScalarNode {
    const text = this.#text;
    const start = this.#at;
    literalStart.lastIndex = start;
    const [head, stripped, indent = ''] = literalStart.exec(text) ?? [];
    requireSimple(head !== undefined && indent.length > column);
    this.#at += head.length - indent.length;
    const lines: string[] = [];
    while (text[this.#at] === '\n' || text.startsWith(indent, this.#at)) {
      const end = text.indexOf('\n', this.#at);
      requireSimple(end !== -1);
      const isBlank = text[this.#at] === '\n';
      const line = text.slice(isBlank ? this.#at : this.#at + indent.length, end);
      requireSimple(isBlank || line.trim() !== '');
      lines.push(line);
      this.#at = end + 1;
    }
    while (lines.at(-1) === '') lines.pop();
    this.#isAt(spaces);
    requireSimple(spaces.lastIndex - this.#at <= column);
    return this.#scalar(lines.join('\n') + (stripped === '' ? '\n' : ''), false, start);
  }

  #key(plain: RegExp): string {
    const key = this.#textNode(plain).text;
    requireSimple(this.#take(keyEnd) && key !== '<<' && key.length <= longestKey);
    return key;
  }

  #textNode(plain: RegExp): ScalarNode {
    const start = this.#at;
    if (this.#take(plain)) return this.#scalar(this.#text.slice(start, this.#at), true, start);
    if (this.#take(inDouble)) {
      const inner = this.#text.slice(start + 1, this.#at - 1);
      return this.#scalar(inner.includes('\\') ? String(JSON.parse(`"${inner}"`)) : inner, false, start);
    }
    requireSimple(this.#take(inSingle));
    return this.#scalar(this.#text.slice(start + 1, this.#at - 1).replaceAll("''", "'"), false, start);
  }

  #scalar(text: string, plain: boolean, at: number): ScalarNode {
    return { kind: 'scalar', text, plain, source: this.#source, at };
  }

  /** Skips to the next line with content. Returns its column, or -1 at the end of the document. */
  #nextColumn(): number {
    this.#take(blankLines);
    this.#isAt(spaces);
    const column = spaces.lastIndex - this.#at;
    const isEnd = this.#at === this.#text.length || (column === 0 && this.#isAt(documentStart));
    return isEnd ? -1 : column;
  }

  #isAt(pattern: RegExp, offset = this.#at): boolean {
    pattern.lastIndex = offset;
    return pattern.test(this.#text);
  }

  #take(pattern: RegExp): boolean {
    if (!this.#isAt(pattern)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #skip(count: number): true {
    this.#at += count;
    return true;
  }
}
