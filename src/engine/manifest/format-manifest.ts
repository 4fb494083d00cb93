import { Composer, isCollection, Parser, visit } from 'yaml';
import { type DocumentNode, type Entry, type MapNode, type Problem, textSource } from '../input/document.ts';
import { readJson } from '../input/json-document.ts';
import { parse } from '../input/read-documents.ts';
import { yamlOptions } from '../input/read-yaml.ts';
import { kinds } from './kinds.ts';

export type Formatted =
  | { readonly text: string; readonly problems?: never }
  | { readonly problems: readonly Problem[] };

const heads = ['$schema', 'account', 'country', 'set'];
const order = new Map([...heads, ...kinds.map(({ name }) => name)].map((word, index) => [word, index]));

/** Order: the head of the document, the user's own sections, then sections by kind. */
function positionOfKey(key: string): number {
  if (key.startsWith('x-')) return heads.length - 0.5;
  return order.get(key) ?? order.size;
}

/** Sorts sections by kind, unless that would change the meaning. */
export async function formatManifest(name: string, text: string): Promise<Formatted> {
  const { documents, problems } = await parse(name, text);
  if (problems.length > 0) return { problems };
  if (isJson(name, text)) {
    const [root] = documents;
    return { text: root === undefined ? text : `${jsonText(root, '', true)}\n` };
  }
  // The first round may make sections of a document sortable.
  let before = text;
  for (let round = 0; round < rounds; round += 1) {
    const after = await formatOnce(name, before, documents);
    if (after === before) return { text: after };
    before = after;
  }
  return { text };
}

/** Text that still changes after these rounds is returned unchanged. */
const rounds = 5;

async function formatOnce(name: string, text: string, documents: readonly DocumentNode[]): Promise<string> {
  for (const placeOf of [positionOfKey, undefined]) {
    const formatted = formatYaml(text, placeOf);
    if (formatted === undefined) continue;
    const after = await parse(name, formatted);
    if (after.problems.length === 0 && contentText(after.documents) === contentText(documents))
      return formatted;
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

/** Ignores places and the order of sections. */
const contentText = (documents: readonly DocumentNode[]): string =>
  JSON.stringify(documents.map((document) => comparableContent(document, true)));

function comparableContent(node: DocumentNode, isTop: boolean): unknown {
  if (node.kind === 'scalar') return [node.plain, node.text];
  if (node.kind === 'list') return node.items.map((item) => comparableContent(item, false));
  const entries = isTop ? sortedEntries(node) : node.entries;
  return {
    entries: entries.map(({ key, value, merge }) => [key, merge === true, comparableContent(value, false)]),
  };
}

const sortedEntries = ({ entries }: MapNode): readonly Entry[] =>
  entries.toSorted((one, other) => positionOfKey(one.key) - positionOfKey(other.key));

function jsonText(node: DocumentNode, indent: string, isTop: boolean): string {
  if (node.kind === 'scalar') return node.plain ? node.text : JSON.stringify(node.text);
  const inner = `${indent}  `;
  const [open, close] = node.kind === 'list' ? '[]' : '{}';
  const parts =
    node.kind === 'list'
      ? node.items.map((item) => jsonText(item, inner, false))
      : (isTop ? sortedEntries(node) : node.entries).map(
          ({ key, value }) => `${JSON.stringify(key)}: ${jsonText(value, inner, false)}`,
        );
  return parts.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}

/** Characters. Longer maps and lists in brackets are split into lines. */
const widest = 100;

/** Returns `undefined` if valid YAML cannot be formatted, such as for an alias before its anchor. */
function formatYaml(source: string, placeOf?: (key: string) => number): string | undefined {
  const documents = source.replaceAll('\r\n', '\n').split(/^(?=---(?:\s|$))/m);
  const texts = documents.map((text) => {
    const [mark = '', body = text] = /^---[ \t]*\n/.test(text)
      ? ['---\n', text.slice(text.indexOf('\n') + 1)]
      : [];
    const sections = placeOf && splitSections(body);
    const laid =
      placeOf && sections ? joinSections(sections, placeOf) : placeOf ? undefined : formatPart(body);
    return laid === undefined ? undefined : mark + laid;
  });
  return texts.every((text) => text !== undefined) ? texts.join('') : undefined;
}

interface Section {
  readonly key: string;
  readonly comments: readonly string[];
  readonly lines: readonly string[];
}

interface Sections {
  readonly head: readonly string[];
  readonly all: readonly Section[];
  readonly tail: readonly string[];
}

/** Returns `undefined` if the document is not written key by key. */
function splitSections(body: string): Sections | undefined {
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
  // A comment directly above the first key belongs to it, unless it is for editors.
  const above = first.comments;
  const end = above.findLastIndex((line) => line.trim() === '' || /^# yaml-language-server:/.test(line)) + 1;
  const own = all.map((section, index) =>
    index === 0 ? { ...section, comments: above.slice(end) } : section,
  );
  return { head: above.slice(0, end), all: own, tail: waiting };
}

function joinSections({ head, all, tail }: Sections, placeOf: (key: string) => number): string | undefined {
  const sorted = all.toSorted((one, other) => placeOf(one.key) - placeOf(other.key));
  const parts: string[] = [];
  let before = trimEmptyLines(head);
  if (before.length > 0) before = [...before, ''];
  for (const [index, section] of sorted.entries()) {
    const { comments, lines } = section;
    const laid = formatPart(`${lines.join('\n')}\n`);
    if (laid === undefined) return undefined;
    const body = laid.trimEnd();
    const own = trimEmptyLines(comments);
    const isApart = index > 0 && (own.length > 0 || [section, sorted[index - 1]].some(isSection));
    parts.push(...(isApart ? [''] : []), ...own, body);
  }
  const after = trimEmptyLines(tail);
  return `${[...before, ...parts, ...(after.length === 0 ? [] : ['', ...after])].join('\n')}\n`;
}

/** Sections of several lines are separated by empty lines. */
const isSection = (section: Section | undefined): boolean =>
  section !== undefined && (section.lines.length > 1 || /:\s+[&[{]/.test(section.lines[0] ?? ''));

/** Keeps at most one empty line between comments, and none around them. */
function trimEmptyLines(lines: readonly string[]): readonly string[] {
  const text = lines.map((line) => line.trimEnd()).join('\n');
  const whole = text.replaceAll(/\n{3,}/g, '\n\n').replaceAll(/^\n+|\n+$/g, '');
  return whole === '' ? [] : whole.split('\n');
}

function formatPart(text: string): string | undefined {
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
    // The anchor of an alias is in another part, or below it.
    return undefined;
  }
}
