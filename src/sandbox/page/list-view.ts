import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import type { Column, Resource } from '../../contract/types.ts';
import { type Content, html, type Markup } from '../../page/html/markup.ts';
import type { StoredRecord } from '../store/store.ts';
import { commandLine } from './command-line.ts';
import { crumbs } from './crumbs.ts';
import { nameOf, shortId, type Viewing, whereIs } from './look.ts';
import { linkTo, type Place } from './place.ts';
import { searchForm } from './search-form.ts';
import { shownPart } from './shown-body.ts';
import { positionAt, sift, textOfPosition } from './sift.ts';
import { clipped, flag, gregorianMoment, own } from './values.ts';
import { healthMark, healthOf } from './webhook-health.ts';

/** Rows of a page of a list. */
const rowsAtMost = 100;
/** A list that is seen at a glance needs no search. */
const seenAtOnce = 10;

const plain = (value: Json | undefined): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** What a cell shows of a record. */
function cell({ paths, show }: Column, body: JsonObject): Content {
  const values = paths
    .map((path) => valueAt(body, path))
    .filter((value) => value !== undefined && value !== null);
  const [value] = values;
  if (value === undefined) return '';
  if (typeof value === 'boolean') return flag(value);
  if (show === 'count')
    return Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 1;
  if (show === 'time' && typeof value === 'number') return gregorianMoment(value);
  if (Array.isArray(value)) return clipped(value.map(plain).join(', '));
  if (show === 'id') return html`<code title="${plain(value)}">${shortId(plain(value))}</code>`;
  return clipped(values.map(plain).join(' '));
}

/** A column that is made from more than the record. */
export interface MadeColumn {
  readonly header: string;
  readonly cells: ReadonlyMap<string, Content>;
  /** Columns of the kind that say nothing beside it. */
  readonly instead: readonly string[];
}

interface TableOf {
  readonly resource: Resource;
  readonly records: readonly StoredRecord[];
  /** Where the first cell of a row leads. */
  readonly link?: (record: StoredRecord) => string;
  /** Stands after the first column. */
  readonly made?: MadeColumn | undefined;
}

/** Records as a table, by the columns of their kind that have something to say. */
export function table({ resource, records, link, made }: TableOf): Markup {
  const paths = resource.columns.flatMap((column) => column.paths);
  const rows = records.map((record) => ({
    record,
    body: { ...shownPart(resource, record, paths), id: record.id },
  }));
  const [first, ...others] = resource.columns.filter(
    (column, index) =>
      index === 0 ||
      (!made?.instead.includes(column.header) &&
        rows.some(({ body }) => column.paths.some((path) => !isEmpty(valueAt(body, path))))),
  );
  const firstCell = ({ record, body }: (typeof rows)[number]): Markup => {
    const shown = first ? cell(first, body) : '';
    if (!link) return html`<td>${shown}</td>`;
    return html`<th scope="row"><a href="${link(record)}">${shown === '' ? own(nameOf(record, resource)) : shown}</a></th>`;
  };
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${resource.name}"><table><thead><tr>${[
    first?.header,
    made?.header,
    ...others.map(({ header }) => header),
  ].map(
    (header) => header !== undefined && html`<th scope="col">${header}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${firstCell(row)}${made && html`<td>${made.cells.get(row.record.id)}</td>`}${others.map(
        (column) => html`<td>${cell(column, row.body)}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}

/** Whether what the page shows of a record has the words that are looked for; what it masks is not searched. */
function finder(resource: Resource, find: string | undefined): (record: StoredRecord) => boolean {
  const wanted = find?.trim().toLowerCase();
  if (!wanted) return () => true;
  const paths = [...resource.naturalKeys, ...resource.columns.flatMap((column) => column.paths)];
  return (record) => {
    const body = shownPart(resource, record, paths);
    const words = [record.id, ...new Set(paths)].map((path, index) =>
      index === 0 ? path : plain(valueAt(body, path)),
    );
    return words.join(' ').toLowerCase().includes(wanted);
  };
}

async function healths(records: readonly StoredRecord[], viewing: Viewing): Promise<MadeColumn> {
  const cells = await Promise.all(
    records.map(async (record) => [record.id, healthMark(await healthOf(record, viewing))] as const),
  );
  return { header: 'HEALTH', cells: new Map(cells), instead: ['ENABLED'] };
}

/** The records of one kind, a page at a time. */
export async function listView(resource: Resource, place: Place, viewing: Viewing): Promise<Markup> {
  const { account, store, reach } = viewing;
  const accountId = account.id;
  const where = { kind: resource.name, ...whereIs(resource.name, accountId) };
  const from = positionAt(place.from);
  const isWanted = finder(resource, place.find);
  const [total, { found, next }, before] = await Promise.all([
    store.count(where.kind, where.scope, where.key),
    sift(store, { ...where, ascending: true, from }, rowsAtMost, isWanted),
    from && sift(store, { ...where, ascending: false, from }, rowsAtMost + 1, isWanted),
  ]);
  const here = { accountId, kind: resource.name, find: place.find };
  // The first of them is the one that this page begins with, where it is still there.
  const previous = before?.found
    .filter(({ id }) => id !== from?.id)
    .slice(0, rowsAtMost)
    .at(-1);
  const link = ({ id }: StoredRecord): string => linkTo({ accountId, kind: resource.name, id });
  const made = resource.name === 'webhooks' ? await healths(found, viewing) : undefined;
  return html`${crumbs(account)}<h1>${resource.name}${total > 0 && html` <small>${total}</small>`}</h1><p class="facts">${resource.summary}</p>${
    (total > seenAtOnce || place.find !== undefined) && searchForm(here, `Search ${resource.name}`)
  }${
    found.length > 0
      ? table({ resource, records: found, link, made })
      : html`<p class="nothing">${
          total === 0
            ? html`None yet.${resource.operations.some(({ verb }) => verb === 'create') && html` Make one with <code>telctl ${resource.name} create</code>.`}`
            : html`Nothing here has these words.`
        }</p>`
  }${
    (previous || next) &&
    html`<nav class="pages" aria-label="Pages">${
      previous &&
      html`<a href="${linkTo({ ...here, from: textOfPosition(previous) })}" rel="prev">Previous</a>`
    }${next && html`<a href="${linkTo({ ...here, from: textOfPosition(next) })}" rel="next">Next</a>`}</nav>`
  }${total > 0 && commandLine(reach, [resource.name, resource.kind === 'singleton' ? 'get' : 'list'])}`;
}
