import type { Json } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import { fromCell, unknownValue } from '../../base/neutralise.ts';
import { lineFormOf, wordsOfLine } from '../../contract/line-form.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';
import {
  type DocumentNode,
  type Entry,
  locatedTexts,
  type MapNode,
  type Problem,
  placeOf,
  problemAt,
  type Source,
} from '../input/document.ts';
import { JsonError, readJson } from '../input/json-document.ts';
import type { ProblemReport } from '../input/read-fields.ts';
import type { Shape } from '../input/read-scalar.ts';
import { kindOfSection } from './kinds.ts';
import { squeezed } from './parse-csv.ts';

const ofRow = /(\$?)\$\{row\.([^{}]*)\}/g;
const rowUser = `\${users.row}`;

/** Titles of columns that a template names, as `squeezed` has them. */
export const titlesIn = (documents: readonly DocumentNode[]): ReadonlySet<string> =>
  new Set(documents.flatMap(mentions).map(({ title }) => squeezed(title)));

/** What a document names of a row: as it is written, its title, and where it stands. */
const mentions = (document: DocumentNode) =>
  [...locatedTexts(document)].flatMap(({ text, at }) =>
    [...text.matchAll(ofRow)].flatMap(([, dollar, name = '']) =>
      dollar === '' ? [{ name, title: name.replace(/\?$/, ''), at }] : [],
    ),
  );

export function templateProblems(
  documents: readonly DocumentNode[],
  titles: readonly string[],
): readonly Problem[] {
  const known = new Set(titles.map(squeezed));
  const missing = documents.flatMap(mentions).flatMap(({ name, title, at }) => {
    if (known.has(squeezed(title))) return [];
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
      return [problemAt(section, `a template has no "${section.key}"; --account says where users go`)];
    if (kindOfSection(section.key)?.shape === 'one')
      return [problemAt(section, `"${section.key}" is the account's own, and cannot stand in a template`)];
    if (section.value.kind !== 'map') return [];
    return section.value.entries.flatMap((object) => {
      if (isRowUser(section, object) || isPerRow(object) || !perRow(object.value)) return [];
      return [
        problemAt(
          object,
          `${section.key}.${object.key} would be the same object for every row; put something of the row into its name, such as \${row.username}`,
        ),
      ];
    });
  });
}

const isRowUser = (section: Entry, object: Entry): boolean => section.key === 'users' && object.key === 'row';
const isPerRow = ({ key }: Entry): boolean => key.includes('${row.');
const perRow = (node: DocumentNode): boolean =>
  locatedTexts(node).some(({ text }) => text.includes('${row.') || text.includes(rowUser));

/** The part of a template that is the same for all rows. */
export const sharedPart = (document: MapNode): MapNode =>
  sections(document, (section, object) => !isRowUser(section, object) && !isPerRow(object));

/**
 * Fills a row into a template, of which its objects are left; what it gives the user stands under `users.row`. A field of an
 * empty cell that is written `${row.name?}` is left out. `place`: `people.csv:3`; `user`: local name of its user.
 */
export function rowPart(
  document: MapNode,
  place: string,
  user: string,
  cellOf: (title: string) => string,
  report: ProblemReport,
): MapNode {
  const inRow = (source: Source): Source => ({
    ...source,
    place: (at) => `${placeOf({ source, at })} for ${place}`,
  });
  const sources = new Map<Source, Source>();
  const sourceOf = (source: Source): Source => {
    const known = sources.get(source) ?? inRow(source);
    sources.set(source, known);
    return known;
  };

  /** `undefined`: left out. */
  function text(given: string, node: DocumentNode | Entry): string | undefined {
    let isAbsent = false;
    const filled = given.replaceAll(ofRow, (whole, dollar: string, name: string) => {
      if (dollar !== '') return whole;
      const isOptional = name.endsWith('?');
      const title = name.replace(/\?$/, '');
      const cell = cellOf(title);
      if (cell === '' && isOptional) isAbsent = true;
      if (cell === '' && !isOptional)
        report.problem(
          problemAt(
            { at: node.at, source: sourceOf(node.source) },
            `\${row.${name}}: the cell is empty; \${row.${title}?} would leave the field out`,
          ),
        );
      return literal(cell);
    });
    return isAbsent ? undefined : filled.replaceAll(rowUser, `\${users.${user}}`);
  }

  function fill(node: DocumentNode): DocumentNode | undefined {
    if (node.kind === 'scalar') {
      const filled = text(node.text, node);
      if (filled === node.text) return node;
      const plain = node.plain && !/^(?:null|~)$/i.test(filled ?? '');
      return filled === undefined
        ? undefined
        : { ...node, text: filled, plain, source: sourceOf(node.source) };
    }
    if (node.kind === 'list') {
      const items = node.items.flatMap((item) => fill(item) ?? []);
      const isSame = items.length === node.items.length && items.every((item, at) => item === node.items[at]);
      return { ...node, items, source: isSame ? node.source : sourceOf(node.source) };
    }
    return { ...node, entries: node.entries.flatMap(fillEntry) };
  }

  function fillEntry(entry: Entry): readonly Entry[] {
    const key = text(entry.key, entry);
    const value = key === undefined ? undefined : fill(entry.value);
    if (key === undefined || value === undefined) return [];
    return [{ ...entry, key, value, source: key === entry.key ? entry.source : sourceOf(entry.source) }];
  }

  const own = sections(document, (section, object) => isRowUser(section, object) || isPerRow(object));
  const entries = own.entries.map((section) => ({ ...section, value: fill(section.value) ?? section.value }));
  return { ...own, entries };
}

function sections(document: MapNode, takes: (section: Entry, object: Entry) => boolean): MapNode {
  const entries = document.entries.flatMap((section) => {
    if (section.value.kind !== 'map') return [];
    const objects = section.value.entries.filter((object) => takes(section, object));
    return objects.length === 0 ? [] : [{ ...section, value: { ...section.value, entries: objects } }];
  });
  return { ...document, entries };
}

/** Text that stands for itself in a manifest: nothing in it is filled in. */
const literal = (text: string): string => text.replaceAll('${', () => '$${');

const takes = (shape: Shape | undefined, type: 'string' | 'array' | 'object'): boolean =>
  shape?.types.has(type) === true;

/**
 * Returns the value of a cell: text where the field takes text, else what is typed there; lists are items between
 * commas, or JSON; objects are written as options take them. `undefined` for an empty cell, and for the `?` of a list that could not say what there is.
 */
export function cellNode(
  cell: string,
  shape: Shape | undefined,
  source: Source,
  at: number,
): DocumentNode | undefined {
  const text = fromCell(cell);
  if (text === '' || cell === unknownValue) return undefined;
  const isList = takes(shape, 'array');
  const inLine = takes(isList ? shape?.items() : shape, 'object') ? objectsInLine(text, shape) : undefined;
  if ((isList && text.startsWith('[')) || (takes(shape, 'object') && text.startsWith('{')))
    return json(text, source, at) ?? scalar(text, shape, source, at);
  if (inLine !== undefined) return json(JSON.stringify(inLine), source, at);
  if (!isList || takes(shape, 'string')) return scalar(text, shape, source, at);
  const items = text.split(',').map((item) => scalar(item.trim(), shape?.items(), source, at));
  return { kind: 'list', items, source, at };
}

/** Returns the value of a line that gives several objects, such as the numbers of a port; `undefined` for names of records. */
function objectsInLine(text: string, shape: Shape | undefined): Json | undefined {
  const node = shape?.node as SchemaNode | undefined;
  const form = node && lineFormOf(node, node);
  return form === undefined || form.names ? undefined : form.value(wordsOfLine(form, text));
}

const scalar = (text: string, shape: Shape | undefined, source: Source, at: number): DocumentNode => ({
  kind: 'scalar',
  text: literal(text),
  // A surname may be Null: only where no text may stand is a word more than its letters.
  plain: shape !== undefined && shape.types.size > 0 && !shape.types.has('string'),
  source,
  at,
});

/** JSON with all of it at the cell's place; `undefined` where it is none. */
function json(text: string, source: Source, at: number): DocumentNode | undefined {
  try {
    return placed(readJson({ ...source, typed: true }, text), { ...source, typed: true }, at);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
}

function placed(node: DocumentNode, source: Source, at: number): DocumentNode {
  if (node.kind === 'scalar') return { ...node, text: literal(node.text), source, at };
  if (node.kind === 'list')
    return { ...node, items: node.items.map((item) => placed(item, source, at)), source, at };
  const entries = node.entries.map((entry) => ({
    ...entry,
    key: literal(entry.key),
    value: placed(entry.value, source, at),
    source,
    at,
  }));
  return { ...node, entries, source, at };
}
