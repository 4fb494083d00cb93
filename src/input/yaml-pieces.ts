import type { CST, Document, Parser } from 'yaml';

type Yaml = typeof import('yaml');

/** Pieces of a text, in order. */
export type YamlPiece =
  /** A document; or items of it that come ahead, with where the map or list begins that they belong to. */
  | { readonly document: Document.Parsed; readonly ahead?: number }
  /** Something is nested deeper than allowed, here; it was not composed. */
  | { readonly tooDeep: number };

/** Items of a map or list that are left to the parser, which may still look at the last ones. */
const kept = 3;
/** Items that are taken at once, at least. */
const batch = 20;
/** Number of lexemes between two looks. */
const interval = 100;

/** Settings for reading YAML: text stays as it was typed, so that `0100` comes out as it went in. */
export const asTyped = {
  // Only maps, lists and text: what a scalar means is decided by the field it stands in.
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/**
 * Parses YAML piece by piece. Items of long maps and lists, in the upper two levels of a document, come before it: so
 * the parser's own trees, which take fifty times the room of the text, are never there as a whole. A document with
 * anchors or aliases comes in one piece from its first one on, since they may reach anywhere.
 */
export function* yamlPieces(yaml: Yaml, text: string, deepest: number): Generator<YamlPiece> {
  const parser = new yaml.Parser();
  const composer = new yaml.Composer(asTyped);
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
    if (lexemes % interval === 0 && !linked) yield* ahead(yaml, parser, deepest);
  }
  for (const token of parser.end()) yield* compose(token);
  for (const document of composer.end()) yield { document };
}

/** Takes finished items from the long maps and lists that the parser is at. */
function* ahead(yaml: Yaml, { stack }: Parser, deepest: number): Generator<YamlPiece> {
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
      for (const document of new yaml.Composer(asTyped).compose([token])) yield { document, ahead: offset };
  }
}

/**
 * Gives an item that is to be the first of a part a start of its own. Without one the composer takes the start of the
 * map for it, and finds its key too long.
 */
function placeStart({
  start,
  key,
}: CST.BlockMap['items'][number] | CST.BlockSequence['items'][number]): void {
  if (start.length === 0 && key) start.push({ type: 'space', offset: key.offset, indent: 0, source: '' });
}

/** Finds the place where nesting passes `levels`. This runs before the composer, which cannot handle such depth. */
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

/** An item in a list or map of tokens. */
interface CollectionItem {
  readonly key?: CST.Token | null | undefined;
  readonly value?: CST.Token | undefined;
}
