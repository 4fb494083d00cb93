import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { shownNumber } from '../../../base/shown-form.ts';
import { inWords, shortId } from '../../../base/wording.ts';
import { commandWordsOf } from '../../../contract/resource.ts';
import { formAt } from '../../../contract/schema-node.ts';
import { daysInWords, hoursInWords } from '../../../contract/temporal-match.ts';
import type { Column, Resource } from '../../../contract/types.ts';
import {
  type Address,
  type Content,
  clipped,
  commandLine,
  flag,
  gregorianMoment,
  html,
  isolated,
  linkTo,
  type Markup,
  type Reach,
  searchForm,
} from '../html/markup.ts';
import type { Count, ListPart, ReadAccount, Reader, ReadRecord } from '../reader.ts';
import { breadcrumbs, pageName, shownPart } from './records.ts';
import { type HealthById, healthMark, readHealth } from './webhook-view.ts';

const rowsAtMost = 100;
/** Longest list that has no field to search. */
const seenAtOnce = 10;

const plain = (value: Json | undefined): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function cell({ paths, show }: Column, body: JsonObject, { schema }: Resource): Content {
  if (show === 'days') return daysInWords(body);
  if (show === 'hours') return hoursInWords(body);
  const values = paths
    .map((path) => valueAt(body, path))
    .filter((value) => value !== undefined && value !== null);
  const [value] = values;
  if (value === undefined) return '';
  if (typeof value === 'boolean') return flag(value);
  if (show === 'count')
    return Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 1;
  if (show === 'time' && typeof value === 'number') return gregorianMoment(value);
  const form = paths[0] === undefined || show ? undefined : formAt(schema, paths[0]);
  if (form && typeof value === 'number') return shownNumber(form, value);
  if (Array.isArray(value)) return clipped(value.map(plain).join(', '));
  if (show === 'id') return html`<code title="${plain(value)}">${shortId(plain(value))}</code>`;
  return clipped(values.map(plain).join(' '));
}

/** A column that is made from more than the record. */
interface MadeColumn {
  readonly header: string;
  readonly cells: ReadonlyMap<string, Content>;
  /** Columns of the kind that say nothing beside it. */
  readonly instead: readonly string[];
}

interface TableOf {
  readonly resource: Resource;
  readonly records: readonly ReadRecord[];
  /** Gives the address that the first cell of a row leads to. */
  readonly link?: (record: ReadRecord) => string;
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
    const shown = first ? cell(first, body, resource) : '';
    if (!link) return html`<td>${shown}</td>`;
    return html`<th scope="row"><a href="${link(record)}">${shown === '' ? isolated(pageName(record, resource)) : shown}</a></th>`;
  };
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${inWords(resource.name)}"><table><thead><tr>${[
    first?.header,
    made?.header,
    ...others.map(({ header }) => header),
  ].map(
    (header) => header !== undefined && html`<th scope="col">${header}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${firstCell(row)}${made && html`<td>${made.cells.get(row.record.id)}</td>`}${others.map(
        (column) => html`<td>${cell(column, row.body, resource)}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}

/** Makes the test of records for the words of a search; what the page masks is not searched. `undefined`: no words. */
function finder(resource: Resource, find: string | undefined): ((record: ReadRecord) => boolean) | undefined {
  const wanted = find?.trim().toLowerCase();
  if (!wanted) return undefined;
  const paths = [...resource.naturalKeys, ...resource.columns.flatMap((column) => column.paths)];
  return (record) => {
    const body = shownPart(resource, record, paths);
    const words = [record.id, ...new Set(paths)].map((path, index) =>
      index === 0 ? path : plain(valueAt(body, path)),
    );
    return words.join(' ').toLowerCase().includes(wanted);
  };
}

/** A page of a list, and what stands around it. */
export interface ListData {
  readonly resource: Resource;
  readonly account: ReadAccount;
  readonly address: Address;
  readonly reach: Reach | undefined;
  readonly total: Count;
  readonly part: ListPart;
  /** Of webhooks, the state of each. */
  readonly health: HealthById | undefined;
}

/** Reads a page of the records of one kind. */
export async function readList(
  reader: Reader,
  resource: Resource,
  { id: accountId }: ReadAccount,
  { find, from }: Address,
): Promise<Pick<ListData, 'total' | 'part' | 'health'>> {
  const { name: kind } = resource;
  const isWanted = finder(resource, find);
  const [total, part] = await Promise.all([
    reader.count(accountId, kind),
    reader.list({ accountId, kind, limit: rowsAtMost, from, ...(isWanted && { isWanted }) }),
  ]);
  const health = kind === 'webhooks' ? await readHealth(reader, part.records, accountId) : undefined;
  return { total: total ?? { count: 0 }, part, health };
}

const healthColumn = (health: HealthById): MadeColumn => ({
  header: 'HEALTH',
  cells: new Map([...health].map(([id, each]) => [id, healthMark(each)])),
  instead: ['ENABLED'],
});

/** The records of one kind, a page at a time. */
export function listView({ resource, account, address, reach, total, part, health }: ListData): Markup {
  const { records, next, previous, missing } = part;
  const { count, isMore = false } = total;
  const here = { accountId: account.id, kind: resource.name, find: address.find };
  const link = ({ id }: ReadRecord): string => linkTo({ accountId: account.id, kind: resource.name, id });
  return html`${breadcrumbs(account)}<h1>${inWords(resource.name)}${count > 0 && html` <small>${count}${isMore && '+'}</small>`}</h1><p class="facts">${resource.summary}</p>${
    (count > seenAtOnce || address.find !== undefined) && searchForm(here, `Search ${inWords(resource.name)}`)
  }${
    records.length > 0
      ? table({ resource, records, link, made: health && healthColumn(health) })
      : html`<p class="nothing">${
          missing !== undefined
            ? isolated(missing)
            : count === 0
              ? html`None yet.${resource.operations.some(({ verb }) => verb === 'create') && html` Make one with <code>telctl ${commandWordsOf(resource).join(' ')} create</code>.`}`
              : 'Nothing here has these words.'
        }</p>`
  }${
    (previous !== undefined || next !== undefined) &&
    html`<nav class="pages" aria-label="Pages">${
      previous !== undefined && html`<a href="${linkTo({ ...here, from: previous })}" rel="prev">Previous</a>`
    }${next !== undefined && html`<a href="${linkTo({ ...here, from: next })}" rel="next">Next</a>`}</nav>`
  }${count > 0 && commandLine(reach, [...commandWordsOf(resource), resource.kind === 'singleton' ? 'get' : 'list'])}`;
}
