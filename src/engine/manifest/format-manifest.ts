import { type DocumentNode, type Entry, type MapNode, type Problem, textSource } from '../input/document.ts';
import { readJson } from '../input/json-document.ts';
import { parse } from '../input/read-documents.ts';
import { formattedYaml } from './export/format-yaml.ts';
import { kinds } from './kinds.ts';

/** A manifest in the one layout, or why it has none. */
export type Formatted =
  | { readonly text: string; readonly problems?: never }
  | { readonly problems: readonly Problem[] };

const heads = ['$schema', 'account', 'set'];
const order = new Map([...heads, ...kinds.map(({ name }) => name)].map((word, index) => [word, index]));

/** Place of a key of a document: what the document is about, the user's own sections, sections in the order of kinds. */
function placeOfKey(key: string): number {
  if (key.startsWith('x-')) return heads.length - 0.5;
  return order.get(key) ?? order.size;
}

/**
 * Lays a manifest out: sections in the order of kinds, two blanks a level, one empty line between sections. Comments,
 * texts and the order inside of objects stay. What it means is the same, which is checked: where it would not be, the
 * sections stay where they are.
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
