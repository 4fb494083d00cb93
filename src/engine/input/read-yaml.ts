import type { Alias, CST, Document, Pair, ParsedNode, Parser } from 'yaml';
import { maxDepth } from '../../base/json.ts';
import {
  type DocumentNode,
  type Entry,
  type Problem,
  problemAt,
  type Source,
  textSource,
} from './document.ts';

type YamlPiece =
  /** A document or some of its first items, with the offset of the map or list that contains them. */
  { readonly document: Document.Parsed; readonly ahead?: number } | { readonly tooDeep: number };

/** The parser may still change this number of last items. */
const kept = 3;
const batch = 20;
const interval = 100;

/** All scalars are text, so that `0100` is unchanged. */
export const yamlOptions = {
  // The meaning of a scalar depends on its field.
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/**
 * Parses YAML piece by piece. Returns items of long maps and lists in the upper two levels before their document,
 * because the parser's complete tree would be fifty times as large as the text. Does not split documents with
 * anchors.
 */
function* yamlPieces(yaml: Yaml, text: string, deepest: number): Generator<YamlPiece> {
  const parser = new yaml.Parser();
  const composer = new yaml.Composer(yamlOptions);
  let lexemes = 0;
  let linked = false;

  function* compose(token: CST.Token): Generator<YamlPiece> {
    const tooDeep = offsetBelow([token], deepest);
    if (tooDeep !== undefined) yield { tooDeep };
    else for (const document of composer.next(token)) yield { document };
  }

  for (const lexeme of new yaml.Lexer().lex(text)) {
    lexemes += 1;
    linked ||= lexeme.startsWith('&') || lexeme.startsWith('*');
    for (const token of parser.next(lexeme)) {
      if (token.type === 'document') linked = false;
      yield* compose(token);
    }
    if (lexemes % interval === 0 && !linked) yield* takeFinishedItems(yaml, parser, deepest);
  }
  for (const token of parser.end()) yield* compose(token);
  for (const document of composer.end()) yield { document };
}

function* takeFinishedItems(yaml: Yaml, { stack }: Parser, deepest: number): Generator<YamlPiece> {
  for (const [level, top] of [stack[1], stack[2]].entries()) {
    if (top?.type !== 'block-map' && top?.type !== 'block-seq') continue;
    if (top.items.length < batch + kept) continue;
    const { offset } = top;
    for (const item of [top.items[0], top.items.at(-kept)]) if (item) placeStart(item);
    const count = top.items.length - kept;
    const value =
      top.type === 'block-map'
        ? { ...top, items: top.items.splice(0, count) }
        : { ...top, items: top.items.splice(0, count) };
    const token: CST.Document = { type: 'document', offset, start: [], value };
    const tooDeep = offsetBelow([token], deepest - level);
    if (tooDeep !== undefined) yield { tooDeep };
    else
      for (const document of new yaml.Composer(yamlOptions).compose([token]))
        yield { document, ahead: offset };
  }
}

/** Adds a start to the first item of a part, because otherwise the composer considers its key too long. */
function placeStart({
  start,
  key,
}: CST.BlockMap['items'][number] | CST.BlockSequence['items'][number]): void {
  if (start.length === 0 && key) start.push({ type: 'space', offset: key.offset, indent: 0, source: '' });
}

/** Returns the offset where the nesting exceeds `levels`. The composer cannot handle such depth. */
function offsetBelow(tokens: readonly CST.Token[], levels: number): number | undefined {
  let level: readonly CST.Token[] = tokens.flatMap((token) =>
    token.type === 'document' && token.value ? [token.value] : [],
  );
  for (let depth = 0; depth <= levels && level.length > 0; depth += 1) {
    level = level.flatMap((token) =>
      'items' in token
        ? token.items.flatMap(({ key, value }: CollectionItem) => [key, value].filter((each) => !!each))
        : [],
    );
  }
  return level[0]?.offset;
}

interface CollectionItem {
  readonly key?: CST.Token | null | undefined;
  readonly value?: CST.Token | undefined;
}

/** Limits the values that aliases expand to in one file: this number, or a quarter of its characters. */
const leastBudget = 10_000;

export async function readYaml(
  name: string,
  text: string,
): Promise<{ readonly documents: readonly DocumentNode[]; readonly problems: readonly Problem[] }> {
  const { default: yaml } = await import('yaml');
  const source = textSource(name, text);
  const aliasBudget = Math.max(leastBudget, Math.floor(text.length / 4));
  const problems: Problem[] = [];
  const problem = (at: number, message: string): void => {
    problems.push(problemAt({ source, at }, message));
  };
  const parts = { yaml, source, aliasBudget, problem };
  const documents: DocumentNode[] = [];
  const early: Early = new Map();
  const broken: number[] = [];
  try {
    for (const piece of yamlPieces(yaml, text, maxDepth)) {
      if ('tooDeep' in piece) {
        problem(piece.tooDeep, `is nested deeper than ${maxDepth} levels`);
        return { documents: [], problems };
      }
      const { document, ahead } = piece;
      for (const { pos, message } of findCauses(document, text, source)) problem(pos, message);
      const isBroken = document.errors.length > 0;
      if (ahead !== undefined) {
        if (isBroken) broken.push(ahead);
        else addEarly(early, ahead, new YamlConverter(parts).document(document));
        continue;
      }
      const [start, , end] = document.range;
      if (isBroken || broken.some((at) => at >= start && at <= end)) continue;
      const root = new YamlConverter(parts, early).document(document);
      if (root && !(root.kind === 'scalar' && root.plain && root.text === '')) documents.push(root);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problem(0, `is nested deeper than ${maxDepth} levels`);
    return { documents: [], problems };
  }
  return { documents, problems };
}

/** Items and entries by the offset of their map or list. */
type Early = Map<number, { readonly items: DocumentNode[]; readonly entries: Entry[] }>;

function addEarly(early: Early, at: number, part: DocumentNode | undefined): void {
  const known = early.get(at) ?? { items: [], entries: [] };
  early.set(at, known);
  if (part?.kind === 'map') for (const entry of part.entries) known.entries.push(entry);
  if (part?.kind === 'list') for (const item of part.items) known.items.push(item);
}

/** After an unexpected end of the document, the parser reports every word. */
const afterEnd = /^unexpected \S+ (?:at node end$|token in YAML stream: )/;

/**
 * Returns the causes of problems, without their consequences. For an unquoted `${` in braces, returns only that
 * problem. If the document ends too early, for example because of a wrong indent, returns the place of the rest.
 */
function findCauses(
  { errors, warnings, contents }: Document.Parsed,
  text: string,
  source: Source,
): readonly { readonly pos: number; readonly message: string }[] {
  const all = [...errors, ...warnings].map(({ pos: [pos], message }) => ({
    pos,
    message: plainMessage(message),
  }));
  const bare = all.filter(({ pos }) => text.startsWith('${', pos - 1));
  const message = 'inside { } and [ ], YAML requires quotes around text with ${';
  if (bare.length > 0) return bare.map(({ pos }) => ({ pos: pos - 1, message }));
  const rest = all.find(({ message }) => afterEnd.test(message));
  const begins = source.position(contents?.range[0] ?? 0)?.line;
  return all.flatMap((trouble) => {
    if (trouble !== rest) return afterEnd.test(trouble.message) ? [] : [trouble];
    if (begins === undefined || source.position(trouble.pos)?.line === begins) return [trouble];
    const message = `cannot follow what begins in line ${begins}: one of the two is misplaced, or indented too little or too much`;
    return [{ pos: trouble.pos, message }];
  });
}

const plainMessage = (message: string): string => {
  const [first = message] = message.split('\n');
  const tag = /^Unresolved tag: (.*)$/.exec(first);
  return tag ? `tags such as ${tag[1]} are not supported` : first.charAt(0).toLowerCase() + first.slice(1);
};

type Yaml = typeof import('yaml');

interface ConversionParts {
  readonly yaml: Yaml;
  readonly source: Source;
  readonly aliasBudget: number;
  problem(at: number, message: string): void;
}

class YamlConverter {
  readonly #parts: ConversionParts;
  readonly #early: Early;
  readonly #anchors = new Map<string, ParsedNode>();
  #budget: number;

  constructor(parts: ConversionParts, early: Early = new Map()) {
    this.#parts = parts;
    this.#early = early;
    this.#budget = parts.aliasBudget;
  }

  document({ contents }: Document.Parsed): DocumentNode | undefined {
    return contents === null ? undefined : this.#node(contents, 0, false);
  }

  #node(parsed: ParsedNode, depth: number, aliased: boolean): DocumentNode | undefined {
    const { yaml, source } = this.#parts;
    const at = parsed.range[0];
    if (!this.#isWithinLimits(at, depth, aliased)) return undefined;
    if (yaml.isAlias(parsed)) return this.#expand(parsed, at, depth);
    if (parsed.anchor) this.#anchors.set(parsed.anchor, parsed);
    if (parsed.tag && !/^tag:yaml\.org,2002:(?:str|map|seq)$/.test(parsed.tag))
      return this.#refuse(at, `tags such as ${parsed.tag} are not supported`);
    if (yaml.isMap(parsed)) {
      const entries = parsed.items.map((pair) =>
        this.#entry(pair as Pair<ParsedNode, ParsedNode | null>, depth + 1, aliased),
      );
      return {
        kind: 'map',
        entries: this.#mergeKeys(joinEarly(this.#early.get(at)?.entries, entries)),
        source,
        at,
      };
    }
    if (yaml.isSeq(parsed)) {
      const items = parsed.items.map((item) => this.#node(item as ParsedNode, depth + 1, aliased));
      return { kind: 'list', items: joinEarly(this.#early.get(at)?.items, items), source, at };
    }
    if (!yaml.isScalar(parsed)) return this.#refuse(at, 'this is neither a map, nor a list, nor text');
    const plain = (parsed.type === 'PLAIN' || parsed.type === undefined) && !parsed.tag;
    return { kind: 'scalar', text: scalarText(parsed.source, parsed.value), plain, source, at };
  }

  /** Stops the conversion at the first problem. */
  #isWithinLimits(at: number, depth: number, aliased: boolean): boolean {
    if (this.#budget < 0) return false;
    if (aliased) {
      this.#budget -= 1;
      if (this.#budget < 0) this.#refuse(at, `aliases expand to more than ${this.#parts.aliasBudget} values`);
    }
    if (depth > maxDepth && this.#budget >= 0) {
      this.#budget = -1;
      this.#refuse(at, `is nested deeper than ${maxDepth} levels`);
    }
    return this.#budget >= 0;
  }

  #expand(alias: Alias, at: number, depth: number): DocumentNode | undefined {
    const target = this.#anchors.get(alias.source);
    if (!target) return this.#refuse(at, `there is no anchor &${alias.source} before this alias`);
    return this.#node(target, depth + 1, true);
  }

  #entry(pair: Pair<ParsedNode, ParsedNode | null>, depth: number, aliased: boolean): Entry | undefined {
    const { yaml, source } = this.#parts;
    const { key } = pair;
    const at = key?.range[0] ?? 0;
    if (!yaml.isScalar(key)) return this.#refuse(at, 'a key must be plain text');
    const value: DocumentNode | undefined = pair.value
      ? this.#node(pair.value, depth, aliased)
      : { kind: 'scalar', text: '', plain: true, source, at };
    if (value === undefined) return undefined;
    const name = scalarText(key.source, key.value);
    // In quotes, `<<` is an ordinary key.
    return {
      key: name,
      value,
      source,
      at,
      ...(name === '<<' && key.type === 'PLAIN' ? { merge: true } : {}),
    };
  }

  /** Replaces merge keys (`<<`) with the entries of their values. The map's own entries take precedence. */
  #mergeKeys(entries: readonly Entry[]): readonly Entry[] {
    const merges = entries.filter(({ merge }) => merge);
    if (merges.length === 0) return entries;
    const all = entries.filter(({ merge }) => !merge);
    const known = new Set(all.map(({ key }) => key));
    for (const { value, at } of merges)
      for (const map of value.kind === 'list' ? value.items : [value]) {
        if (map.kind !== 'map') this.#refuse(at, 'the value of "<<" must be a map or a list of maps');
        else
          for (const entry of map.entries) {
            if (!known.has(entry.key)) all.push(entry);
            known.add(entry.key);
          }
      }
    return all;
  }

  #refuse(at: number, message: string): undefined {
    this.#parts.problem(at, message);
    return undefined;
  }
}

const scalarText = (source: string | undefined, value: unknown): string =>
  typeof value === 'string' ? value : (source ?? '');

function joinEarly<T>(early: readonly T[] | undefined, late: readonly (T | undefined)[]): readonly T[] {
  const rest = late.filter((one) => one !== undefined);
  return early === undefined ? rest : [...early, ...rest];
}
