import type { Alias, CST, Document, Pair, ParsedNode } from 'yaml';
import type { Host } from '../../host/host.ts';
import { type DocumentNode, type Entry, type Source, textSource } from './document.ts';
import { JsonError, readJson } from './json-document.ts';
import { type Problem, problemAt } from './problems.ts';
import { readInput } from './read-input.ts';

/** What aliases may come to, counted in values, in one file. */
const aliasBudget = 10_000;
const deepest = 100;

/** The documents of all files, and what is wrong with those that could not be read. */
export interface Documents {
  readonly documents: readonly DocumentNode[];
  readonly problems: readonly Problem[];
}

/**
 * Reads YAML (one or more documents) and JSON from files and standard input (`-`). Scalars keep their source
 * text; aliases are expanded within a budget; tags, duplicate keys and files over 10 MB are problems.
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

/** Reads the text of one file; what is wrong with it is returned, not thrown. */
export async function parse(name: string, text: string): Promise<Documents> {
  if (/^\s*[[{]/.test(text) || name.endsWith('.json')) {
    try {
      const root = readJson(textSource(name, text, 'typed'), text);
      return { documents: [root], problems: duplicates(root) };
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (name.endsWith('.json')) return { documents: [], problems: [jsonProblem(error)] };
      // YAML in flow style begins like JSON.
    }
  }
  return parseYaml(name, text);
}

const jsonProblem = ({ source, offset, message }: JsonError): Problem =>
  problemAt({ kind: 'scalar', text: '', plain: true, source, at: offset }, message);

async function parseYaml(name: string, text: string): Promise<Documents> {
  const { default: yaml } = await import('yaml');
  const source = textSource(name, text);
  const problems: Problem[] = [];
  const problem = (at: number, message: string): void => {
    problems.push(problemAt({ kind: 'scalar', text: '', plain: true, source, at }, message));
  };
  let parsed: readonly Document.Parsed[];
  try {
    const tokens = [...new yaml.Parser().parse(text)];
    const tooDeep = offsetBelow(tokens, deepest);
    if (tooDeep !== undefined) {
      problem(tooDeep, `is nested deeper than ${deepest} levels`);
      return { documents: [], problems };
    }
    const composer = new yaml.Composer({
      // Only maps, lists and text: what a scalar means is decided by the field it stands in.
      schema: 'failsafe',
      resolveKnownTags: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    parsed = [...composer.compose(tokens)];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problem(0, `is nested deeper than ${deepest} levels`);
    return { documents: [], problems };
  }
  const documents: DocumentNode[] = [];
  for (const document of parsed) {
    for (const { pos, message } of [...document.errors, ...document.warnings])
      problem(pos[0], plainMessage(message));
    if (document.errors.length > 0 || document.contents === null) continue;
    const root = convert(yaml, document.contents, source, problem);
    if (root && !(root.kind === 'scalar' && root.plain && root.text === '')) documents.push(root);
  }
  return { documents, problems: [...problems, ...documents.flatMap(duplicates)] };
}

/** Where nesting passes `levels`; looked for before the parser, which is lost in it, goes into it. */
function offsetBelow(tokens: readonly CST.Token[], levels: number): number | undefined {
  let level: readonly CST.Token[] = tokens.flatMap((token) =>
    token.type === 'document' && token.value ? [token.value] : [],
  );
  for (let depth = 0; depth <= levels; depth += 1) {
    level = level.flatMap((token) =>
      'items' in token
        ? token.items.flatMap(({ key, value }: CollectionItem) => [key, value].filter((each) => !!each))
        : [],
    );
  }
  return level[0]?.offset;
}

const plainMessage = (message: string): string => {
  const [first = message] = message.split('\n');
  const tag = /^Unresolved tag: (.*)$/.exec(first);
  return tag ? `tags such as ${tag[1]} are not taken` : first.charAt(0).toLowerCase() + first.slice(1);
};

/** What stands in a list or map of tokens. */
interface CollectionItem {
  readonly key?: CST.Token | null | undefined;
  readonly value?: CST.Token | undefined;
}

type Yaml = typeof import('yaml');

/** Turns a parsed YAML document into a document of ours, expanding aliases. */
function convert(
  yaml: Yaml,
  root: ParsedNode,
  source: Source,
  problem: (at: number, message: string) => void,
): DocumentNode | undefined {
  const anchors = new Map<string, ParsedNode>();
  let budget = aliasBudget;

  function refuse(at: number, message: string): undefined {
    problem(at, message);
    return undefined;
  }

  function expand(alias: Alias, at: number, depth: number): DocumentNode | undefined {
    const target = anchors.get(alias.source);
    if (!target) return refuse(at, `there is no anchor &${alias.source} before this alias`);
    return node(target, depth + 1, true);
  }

  function entry(pair: Pair<ParsedNode, ParsedNode | null>, depth: number, aliased: boolean) {
    const { key } = pair;
    const at = key?.range[0] ?? 0;
    if (!yaml.isScalar(key)) return refuse(at, 'a key must be plain text');
    const value: DocumentNode | undefined = pair.value
      ? node(pair.value, depth, aliased)
      : { kind: 'scalar', text: '', plain: true, source, at };
    return value && ({ key: textOf(key.source, key.value), value, source, at } satisfies Entry);
  }

  function node(each: ParsedNode, depth: number, aliased: boolean): DocumentNode | undefined {
    const at = each.range[0];
    if (budget < 0) return undefined;
    if (aliased) {
      budget -= 1;
      if (budget < 0) return refuse(at, `aliases come to more than ${aliasBudget} values`);
    }
    if (depth > deepest) {
      budget = -1;
      return refuse(at, `is nested deeper than ${deepest} levels`);
    }
    if (yaml.isAlias(each)) return expand(each, at, depth);
    if (each.anchor) anchors.set(each.anchor, each);
    if (each.tag && !/^tag:yaml\.org,2002:(?:str|map|seq)$/.test(each.tag))
      return refuse(at, `tags such as ${each.tag} are not taken`);
    if (yaml.isMap(each)) {
      const entries = each.items.map((pair) =>
        entry(pair as Pair<ParsedNode, ParsedNode | null>, depth + 1, aliased),
      );
      return { kind: 'map', entries: entries.filter((one) => one !== undefined), source, at };
    }
    if (yaml.isSeq(each)) {
      const items = each.items.map((item) => node(item as ParsedNode, depth + 1, aliased));
      return { kind: 'list', items: items.filter((one) => one !== undefined), source, at };
    }
    if (!yaml.isScalar(each)) return refuse(at, 'this is neither a map, nor a list, nor text');
    const plain = (each.type === 'PLAIN' || each.type === undefined) && !each.tag;
    return { kind: 'scalar', text: textOf(each.source, each.value), plain, source, at };
  }

  return node(root, 0, false);
}

const textOf = (source: string | undefined, value: unknown): string =>
  typeof value === 'string' ? value : (source ?? '');

/** Keys that stand twice in one map, anywhere in a document. */
function duplicates(root: DocumentNode): readonly Problem[] {
  if (root.kind === 'scalar') return [];
  if (root.kind === 'list') return root.items.flatMap(duplicates);
  const seen = new Set<string>();
  return root.entries.flatMap((entry) => {
    const twice = seen.has(entry.key)
      ? [problemAt(entry, `${JSON.stringify(entry.key)} is given twice`)]
      : [];
    seen.add(entry.key);
    return [...twice, ...duplicates(entry.value)];
  });
}
