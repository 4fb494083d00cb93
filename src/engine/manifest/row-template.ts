import type { Json } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import { decodeCell, unknownValue } from '../../base/neutralise.ts';
import { lineFormOf, wordsOfLine } from '../../contract/line-form.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';
import {
  type DocumentNode,
  type Entry,
  formatPlace,
  locatedTexts,
  type MapNode,
  type Problem,
  problemAt,
  type Source,
} from '../input/document.ts';
import { JsonError, readJson } from '../input/json-document.ts';
import type { ProblemReport } from '../input/read-fields.ts';
import type { Shape } from '../input/read-scalar.ts';
import { kindOfSection } from './kinds.ts';
import { normalizeTitle } from './parse-csv.ts';

const ofRow = /(\$?)\$\{row\.([^{}]*)\}/g;
const rowUser = `\${users.row}`;

export const listTitles = (documents: readonly DocumentNode[]): ReadonlySet<string> =>
  new Set(documents.flatMap(columnMentions).map(({ title }) => normalizeTitle(title)));

/** Returns each column that a document uses: as written, as title, and its place. */
const columnMentions = (document: DocumentNode) =>
  [...locatedTexts(document)].flatMap(({ text, at }) =>
    [...text.matchAll(ofRow)].flatMap(([, dollar, name = '']) =>
      dollar === '' ? [{ name, title: name.replace(/\?$/, ''), at }] : [],
    ),
  );

export function templateProblems(
  documents: readonly DocumentNode[],
  titles: readonly string[],
): readonly Problem[] {
  const known = new Set(titles.map(normalizeTitle));
  const missing = documents.flatMap(columnMentions).flatMap(({ name, title, at }) => {
    if (known.has(normalizeTitle(title))) return [];
    const near = findNearest(title, titles);
    const meant = near === undefined ? '' : `; did you mean "${near}"?`;
    return [problemAt(at, `\${row.${name}}: the file has no column "${title}"${meant}`)];
  });
  return [...missing, ...documents.flatMap(shapeProblems)];
}

function shapeProblems(document: DocumentNode): readonly Problem[] {
  if (document.kind !== 'map')
    return [problemAt(document, 'a template must be a map of sections such as vmboxes')];
  return document.entries.flatMap((section) => {
    if (section.key === 'account' || section.key === 'set')
      return [
        problemAt(section, `a template has no "${section.key}"; --account chooses the account of the users`),
      ];
    if (kindOfSection(section.key)?.shape === 'one')
      return [problemAt(section, `"${section.key}" is the account's own, and is not allowed in a template`)];
    if (section.value.kind !== 'map') return [];
    return section.value.entries.flatMap((object) => {
      if (isRowUser(section, object) || isPerRow(object) || !dependsOnRow(object.value)) return [];
      return [
        problemAt(
          object,
          `${section.key}.${object.key} would be the same object for every row; add a value of the row to its name, such as \${row.username}`,
        ),
      ];
    });
  });
}

const isRowUser = (section: Entry, object: Entry): boolean => section.key === 'users' && object.key === 'row';
const isPerRow = ({ key }: Entry): boolean => key.includes('${row.');
const dependsOnRow = (node: DocumentNode): boolean =>
  locatedTexts(node).some(({ text }) => text.includes('${row.') || text.includes(rowUser));

export const sharedPart = (document: MapNode): MapNode =>
  sections(document, (section, object) => !isRowUser(section, object) && !isPerRow(object));

/** If a cell is empty, a field written as `${row.name?}` is omitted. `place` is text such as `people.csv:3`. */
export function fillRow(
  document: MapNode,
  place: string,
  user: string,
  cellOf: (title: string) => string,
  report: ProblemReport,
): MapNode {
  const filler = new RowFiller(place, user, cellOf, report);
  const own = sections(document, (section, object) => isRowUser(section, object) || isPerRow(object));
  const entries = own.entries.map((section) => ({
    ...section,
    value: filler.fill(section.value) ?? section.value,
  }));
  return { ...own, entries };
}

class RowFiller {
  readonly #place: string;
  readonly #user: string;
  readonly #cellOf: (title: string) => string;
  readonly #report: ProblemReport;
  readonly #sources = new Map<Source, Source>();

  constructor(place: string, user: string, cellOf: (title: string) => string, report: ProblemReport) {
    this.#place = place;
    this.#user = user;
    this.#cellOf = cellOf;
    this.#report = report;
  }

  fill(node: DocumentNode): DocumentNode | undefined {
    if (node.kind === 'scalar') {
      const filled = this.#fillText(node.text, node);
      if (filled === node.text) return node;
      const plain = node.plain && !/^(?:null|~)$/i.test(filled ?? '');
      return filled === undefined
        ? undefined
        : { ...node, text: filled, plain, source: this.#sourceOf(node.source) };
    }
    if (node.kind === 'list') {
      const items = node.items.flatMap((item) => this.fill(item) ?? []);
      const isSame = items.length === node.items.length && items.every((item, at) => item === node.items[at]);
      return { ...node, items, source: isSame ? node.source : this.#sourceOf(node.source) };
    }
    return { ...node, entries: node.entries.flatMap((entry) => this.#fillEntry(entry)) };
  }

  #fillEntry(entry: Entry): readonly Entry[] {
    const key = this.#fillText(entry.key, entry);
    const value = key === undefined ? undefined : this.fill(entry.value);
    if (key === undefined || value === undefined) return [];
    const source = key === entry.key ? entry.source : this.#sourceOf(entry.source);
    return [{ ...entry, key, value, source }];
  }

  #fillText(text: string, node: DocumentNode | Entry): string | undefined {
    let isAbsent = false;
    const filled = text.replaceAll(ofRow, (whole, dollar: string, name: string) => {
      if (dollar !== '') return whole;
      const title = name.replace(/\?$/, '');
      const cell = this.#cellOf(title);
      if (cell === '' && name.endsWith('?')) isAbsent = true;
      else if (cell === '')
        this.#report.problem(
          problemAt(
            { at: node.at, source: this.#sourceOf(node.source) },
            `\${row.${name}}: the cell is empty; to leave the field out, write \${row.${title}?}`,
          ),
        );
      return escapeExpressions(cell);
    });
    return isAbsent ? undefined : filled.replaceAll(rowUser, `\${users.${this.#user}}`);
  }

  #sourceOf(source: Source): Source {
    const place = (at: number): string => `${formatPlace({ source, at })} for ${this.#place}`;
    const known = this.#sources.get(source) ?? { ...source, place };
    this.#sources.set(source, known);
    return known;
  }
}

function sections(document: MapNode, takes: (section: Entry, object: Entry) => boolean): MapNode {
  const entries = document.entries.flatMap((section) => {
    if (section.value.kind !== 'map') return [];
    const objects = section.value.entries.filter((object) => takes(section, object));
    return objects.length === 0 ? [] : [{ ...section, value: { ...section.value, entries: objects } }];
  });
  return { ...document, entries };
}

/** Escapes `${`, so that text is not filled in. */
const escapeExpressions = (text: string): string => text.replaceAll('${', () => '$${');

const acceptsType = (shape: Shape | undefined, type: 'string' | 'array' | 'object'): boolean =>
  shape?.types.has(type) === true;

/** Returns `undefined` for an empty cell, and for the `?` of an unknown value in exported lists. */
export function cellNode(
  cell: string,
  shape: Shape | undefined,
  source: Source,
  at: number,
): DocumentNode | undefined {
  const text = decodeCell(cell);
  if (text === '' || cell === unknownValue) return undefined;
  const isList = acceptsType(shape, 'array');
  const inLine = acceptsType(isList ? shape?.items() : shape, 'object')
    ? objectsInLine(text, shape)
    : undefined;
  if ((isList && text.startsWith('[')) || (acceptsType(shape, 'object') && text.startsWith('{')))
    return jsonNode(text, source, at) ?? scalarNode(text, shape, source, at);
  if (inLine !== undefined) return jsonNode(JSON.stringify(inLine), source, at);
  if (!isList || acceptsType(shape, 'string')) return scalarNode(text, shape, source, at);
  const items = text.split(',').map((item) => scalarNode(item.trim(), shape?.items(), source, at));
  return { kind: 'list', items, source, at };
}

/** Returns `undefined` for names of records. */
function objectsInLine(text: string, shape: Shape | undefined): Json | undefined {
  const node = shape?.node as SchemaNode | undefined;
  const form = node && lineFormOf(node, node);
  return form === undefined || form.names ? undefined : form.value(wordsOfLine(form, text));
}

const scalarNode = (text: string, shape: Shape | undefined, source: Source, at: number): DocumentNode => ({
  kind: 'scalar',
  text: escapeExpressions(text),
  // `null` and numbers are only special in fields that do not accept text, because a surname can be Null.
  plain: shape !== undefined && shape.types.size > 0 && !shape.types.has('string'),
  source,
  at,
});

/** Places of the JSON are at the cell. Returns `undefined` for other text. */
function jsonNode(text: string, source: Source, at: number): DocumentNode | undefined {
  try {
    return moveTo(readJson({ ...source, typed: true }, text), { ...source, typed: true }, at);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
}

function moveTo(node: DocumentNode, source: Source, at: number): DocumentNode {
  if (node.kind === 'scalar') return { ...node, text: escapeExpressions(node.text), source, at };
  if (node.kind === 'list')
    return { ...node, items: node.items.map((item) => moveTo(item, source, at)), source, at };
  const entries = node.entries.map((entry) => ({
    ...entry,
    key: escapeExpressions(entry.key),
    value: moveTo(entry.value, source, at),
    source,
    at,
  }));
  return { ...node, entries, source, at };
}
