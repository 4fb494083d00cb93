import { Composer, isCollection, Parser, visit } from 'yaml';
import { type DocumentNode, type Entry, type MapNode, type Problem, textSource } from '../input/document.ts';
import { readJson } from '../input/json-document.ts';
import { parse } from '../input/read-documents.ts';
import { yamlOptions } from '../input/read-yaml.ts';
import { kinds } from './kinds.ts';

/** A manifest in the one layout, or why it has none. */
export type Formatted =
  | { readonly text: string; readonly problems?: never }
  | { readonly problems: readonly Problem[] };

const heads = ['$schema', 'account', 'country', 'set'];
const order = new Map([...heads, ...kinds.map(({ name }) => name)].map((word, index) => [word, index]));

/** Place of a key of a document: what the document is about, the user's own sections, sections in the order of kinds. */
function placeOfKey(key: string): number {
  if (key.startsWith('x-')) return heads.length - 0.5;
  return order.get(key) ?? order.size;
}

/**
 * Lays a manifest out: sections in the order of kinds, two blanks a level, an empty line between sections. What it
 * means is the same, which is checked: where it would not be, the sections stay where they are.
 */
export async function formattedManifest(name: string, text: string): Promise<Formatted> {
  const { documents, problems } = await parse(name, text);
  if (problems.length > 0) return { problems };
  if (isJson(name, text)) {
    const [root] = documents;
    return { text: root === undefined ? text : `${jsonText(root, '', true)}\n` };
  }
  // Laid out once, a document may be one whose sections can be put into order.
  let before = text;
  for (let round = 0; round < rounds; round += 1) {
    const after = await laidOut(name, before, documents);
    if (after === before) return { text: after };
    before = after;
  }
  return { text };
}

/** Most rounds of laying out; text that still changes after them stays as it is. */
const rounds = 5;

/** The text laid out, with its sections in order if that keeps what it means. */
async function laidOut(name: string, text: string, documents: readonly DocumentNode[]): Promise<string> {
  for (const placeOf of [placeOfKey, undefined]) {
    const formatted = formattedYaml(text, placeOf);
    if (formatted === undefined) continue;
    const after = await parse(name, formatted);
    if (after.problems.length === 0 && meaning(after.documents) === meaning(documents)) return formatted;
  }
  return text;
}

function isJson(name: string, text: string): boolean {
  if (name.endsWith('.json')) return true;
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    readJson(textSource(name, text, 'typed'), text);
    return true;
  } catch {
    return false;
  }
}

/** Everything that documents say, without places and without the order of sections. */
const meaning = (documents: readonly DocumentNode[]): string =>
  JSON.stringify(documents.map((document) => said(document, true)));

function said(node: DocumentNode, isTop: boolean): unknown {
  if (node.kind === 'scalar') return [node.plain, node.text];
  if (node.kind === 'list') return node.items.map((item) => said(item, false));
  const entries = isTop ? sorted(node) : node.entries;
  return { entries: entries.map(({ key, value, merge }) => [key, merge === true, said(value, false)]) };
}

const sorted = ({ entries }: MapNode): readonly Entry[] =>
  entries.toSorted((one, other) => placeOfKey(one.key) - placeOfKey(other.key));

/** A document as JSON, its numbers as they were typed. */
function jsonText(node: DocumentNode, indent: string, isTop: boolean): string {
  if (node.kind === 'scalar') return node.plain ? node.text : JSON.stringify(node.text);
  const inner = `${indent}  `;
  const [open, close] = node.kind === 'list' ? '[]' : '{}';
  const parts =
    node.kind === 'list'
      ? node.items.map((item) => jsonText(item, inner, false))
      : (isTop ? sorted(node) : node.entries).map(
          ({ key, value }) => `${JSON.stringify(key)}: ${jsonText(value, inner, false)}`,
        );
  return parts.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}

/** Length in characters from which a map or list in brackets is split into several lines. */
const widest = 100;

/**
 * YAML without errors, laid out anew. `placeOf` says in which order the keys of documents stand; left out: as they do.
 * `undefined` where that cannot be, as where an alias would come before its anchor.
 */
function formattedYaml(source: string, placeOf?: (key: string) => number): string | undefined {
  const documents = source.replaceAll('\r\n', '\n').split(/^(?=---(?:\s|$))/m);
  const texts = documents.map((text) => {
    const [mark = '', body = text] = /^---[ \t]*\n/.test(text)
      ? ['---\n', text.slice(text.indexOf('\n') + 1)]
      : [];
    const sections = placeOf && sectionsOf(body);
    const laid = placeOf && sections ? joined(sections, placeOf) : placeOf ? undefined : layOut(body);
    return laid === undefined ? undefined : mark + laid;
  });
  return texts.every((text) => text !== undefined) ? texts.join('') : undefined;
}

/** A key of a document with the lines of its value, and the comments above it. */
interface Section {
  readonly key: string;
  readonly comments: readonly string[];
  readonly lines: readonly string[];
}

interface Sections {
  /** Comments above the first section. */
  readonly head: readonly string[];
  readonly all: readonly Section[];
  /** Comments below all. */
  readonly tail: readonly string[];
}

/** The sections of a document by their lines; `undefined` where it is written otherwise than key by key. */
function sectionsOf(body: string): Sections | undefined {
  const all: { key: string; comments: readonly string[]; lines: string[] }[] = [];
  let waiting: string[] = [];
  for (const line of body.split('\n')) {
    const [, key] = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'?&*!|>%@`[\]{},-][^\n]*?):(?:\s|$)/.exec(line) ?? [];
    const last = all.at(-1);
    if (key !== undefined) {
      all.push({ key: key.replaceAll(/^["']|["']$/g, ''), comments: waiting, lines: [line] });
      waiting = [];
    } else if (line.trim() === '' || line.startsWith('#')) waiting.push(line);
    else if (last === undefined || !/^\s/.test(line)) return undefined;
    else {
      last.lines.push(...waiting, line);
      waiting = [];
    }
  }
  const [first] = all;
  if (first === undefined) return undefined;
  // A comment right above the first key is its own, but for what editors look for at the top.
  const above = first.comments;
  const end = above.findLastIndex((line) => line.trim() === '' || /^# yaml-language-server:/.test(line)) + 1;
  const own = all.map((section, index) =>
    index === 0 ? { ...section, comments: above.slice(end) } : section,
  );
  return { head: above.slice(0, end), all: own, tail: waiting };
}

function joined({ head, all, tail }: Sections, placeOf: (key: string) => number): string | undefined {
  const sorted = all.toSorted((one, other) => placeOf(one.key) - placeOf(other.key));
  const parts: string[] = [];
  let before = trimmed(head);
  if (before.length > 0) before = [...before, ''];
  for (const [index, section] of sorted.entries()) {
    const { comments, lines } = section;
    const laid = layOut(`${lines.join('\n')}\n`);
    if (laid === undefined) return undefined;
    const body = laid.trimEnd();
    const own = trimmed(comments);
    const isApart = index > 0 && (own.length > 0 || [section, sorted[index - 1]].some(isSection));
    parts.push(...(isApart ? [''] : []), ...own, body);
  }
  const after = trimmed(tail);
  return `${[...before, ...parts, ...(after.length === 0 ? [] : ['', ...after])].join('\n')}\n`;
}

/** Tells whether a section has lines of its own, so that what follows it stands apart. */
const isSection = (section: Section | undefined): boolean =>
  section !== undefined && (section.lines.length > 1 || /:\s+[&[{]/.test(section.lines[0] ?? ''));

/** Comment lines without the empty ones around them, and one at most between two of them. */
function trimmed(lines: readonly string[]): readonly string[] {
  const text = lines.map((line) => line.trimEnd()).join('\n');
  const whole = text.replaceAll(/\n{3,}/g, '\n\n').replaceAll(/^\n+|\n+$/g, '');
  return whole === '' ? [] : whole.split('\n');
}

function layOut(text: string): string | undefined {
  const documents = [...new Composer(yamlOptions).compose(new Parser().parse(text))];
  try {
    return documents
      .map((document) => {
        visit(document, (_, node) => {
          if (!isCollection(node) || !node.flow) return;
          const [from, to] = node.range ?? [0, 0];
          if (to - from > widest) node.flow = false;
        });
        return document.toString({ lineWidth: 0, indent: 2, indentSeq: true, flowCollectionPadding: true });
      })
      .join('');
  } catch {
    // An alias whose anchor stands in another part, or after it.
    return undefined;
  }
}
