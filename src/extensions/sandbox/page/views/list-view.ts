import { isObject, type Json, type JsonObject, textAt, valueAt } from '../../../../base/json.ts';
import { formatShownNumber } from '../../../../base/shown-form.ts';
import { humanize, shortId } from '../../../../base/wording.ts';
import { isTimeZone } from '../../../../base/zoned-time.ts';
import { commandWordsOf } from '../../../../contract/resource.ts';
import { findShownForm } from '../../../../contract/schema-node.ts';
import { formatDays, formatHours } from '../../../../contract/temporal-match.ts';
import type { Column, Resource } from '../../../../contract/types.ts';
import {
  type AccountReach,
  type Address,
  type Content,
  clipText,
  commandLine,
  formatGregorianMoment,
  html,
  isolateText,
  linkTo,
  type Markup,
  scrollingTable,
  searchForm,
  yesOrNo,
} from '../../../../engine/html/markup.ts';
import type { Count, ReadAccount, Reader, ReadRecord } from '../../reader.ts';
import { breadcrumbs, pageName, pickTopFields } from './records.ts';
import { type HealthById, healthMark, readHealth } from './webhook-view.ts';

const rowsAtMost = 100;
/** Maximum length of a list without a search field. */
const seenAtOnce = 10;

const plainText = (value: Json | undefined): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

const isBlankCell = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function showCell({ paths, show, zone }: Column, body: JsonObject, { schema }: Resource): Content {
  if (show === 'days') return formatDays(body, zone);
  if (show === 'hours') return formatHours(body);
  const values = paths
    .map((path) => valueAt(body, path))
    .filter((value) => value !== undefined && value !== null);
  const [value] = values;
  if (value === undefined) return '';
  if (typeof value === 'boolean') return yesOrNo(value);
  if (show === 'count')
    return Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 1;
  if (show === 'time' && typeof value === 'number') return formatGregorianMoment(value);
  const form = paths[0] === undefined || show ? undefined : findShownForm(schema, paths[0]);
  if (form && typeof value === 'number') return formatShownNumber(form, value, zone);
  if (Array.isArray(value)) return clipText(value.map(plainText).join(', '));
  if (show === 'id') return html`<code title="${plainText(value)}">${shortId(plainText(value))}</code>`;
  return clipText(values.map(plainText).join(' '));
}

interface TableOf {
  readonly resource: Resource;
  readonly records: readonly ReadRecord[];
  /** Returns the link of the first cell of a row. */
  readonly link?: (record: ReadRecord) => string;
  /** States of webhooks. Shown after the first column, in place of `ENABLED`. */
  readonly health?: HealthById | undefined;
  readonly zone?: string | undefined;
}

export function showTable({ resource, records, link, health, zone }: TableOf): Markup {
  const paths = resource.columns.flatMap((column) => column.paths);
  const rows = records.map((record) => ({
    record,
    body: { ...pickTopFields(resource, record, paths), id: record.id },
  }));
  const columns = resource.columns.map((column) => (zone === undefined ? column : { ...column, zone }));
  const [first, ...others] = columns.filter(
    (column, index) =>
      index === 0 ||
      (!(health && column.header === 'ENABLED') &&
        rows.some(({ body }) => column.paths.some((path) => !isBlankCell(valueAt(body, path))))),
  );
  const firstCell = ({ record, body }: (typeof rows)[number]): Markup => {
    const shown = first ? showCell(first, body, resource) : '';
    if (!link) return html`<td>${shown}</td>`;
    return html`<th scope="row"><a href="${link(record)}">${shown === '' ? isolateText(pageName(record, resource)) : shown}</a></th>`;
  };
  const headers = [first, ...others].flatMap((column) => column?.header ?? []);
  if (health) headers.splice(1, 0, 'HEALTH');
  return scrollingTable(
    humanize(resource.name),
    headers,
    rows.map((row) => {
      const state = health?.get(row.record.id);
      return html`<tr>${firstCell(row)}${health && html`<td>${state && healthMark(state)}</td>`}${others.map(
        (column) => html`<td>${showCell(column, row.body, resource)}</td>`,
      )}</tr>`;
    }),
  );
}

/** Creates the filter of a search. Returns `undefined` for an empty search. Ignores masked values. */
function createFinder(
  resource: Resource,
  find: string | undefined,
): ((record: ReadRecord) => boolean) | undefined {
  const wanted = find?.trim().toLowerCase();
  if (!wanted) return undefined;
  const paths = [...resource.naturalKeys, ...resource.columns.flatMap((column) => column.paths)];
  return (record) => {
    const body = pickTopFields(resource, record, paths);
    const words = [record.id, ...new Set(paths)].map((path, index) =>
      index === 0 ? path : plainText(valueAt(body, path)),
    );
    return words.join(' ').toLowerCase().includes(wanted);
  };
}

export async function listView(
  reader: Reader,
  resource: Resource,
  account: ReadAccount,
  address: Address,
  reach: AccountReach | undefined,
): Promise<Markup> {
  const { name: kind } = resource;
  const { id: accountId } = account;
  const { find, from } = address;
  const isWanted = createFinder(resource, find);
  const [total, part] = await Promise.all([
    reader.count(accountId, kind),
    reader.list({ accountId, kind, limit: rowsAtMost, from, ...(isWanted && { isWanted }) }),
  ]);
  const { records, next, previous, missing } = part;
  const { count, isMore = false }: Count = total ?? { count: 0 };
  const health = kind === 'webhooks' ? await readHealth(reader, records, accountId) : undefined;
  const here = { accountId, kind, find };
  const named = textAt(account.body, 'timezone') ?? '';
  const zone = isTimeZone(named) ? named : undefined;
  const recordLink = ({ id }: ReadRecord): string => linkTo({ accountId, kind, id });
  return html`${breadcrumbs(account)}<h1>${humanize(resource.name)}${count > 0 && html` <small>${count}${isMore && '+'}</small>`}</h1><p class="facts">${resource.summary}</p>${
    (count > seenAtOnce || find !== undefined) && searchForm(here, `Search ${humanize(resource.name)}`)
  }${
    records.length > 0
      ? showTable({ resource, records, link: recordLink, health, zone })
      : html`<p class="nothing">${
          missing !== undefined
            ? isolateText(missing)
            : count === 0
              ? html`None yet.${resource.operations.some(({ verb }) => verb === 'create') && html` Create one with <code>telctl ${commandWordsOf(resource).join(' ')} create</code>.`}`
              : 'No matches on this page.'
        }</p>`
  }${
    (previous !== undefined || next !== undefined) &&
    html`<nav class="pages" aria-label="Pages">${
      previous !== undefined && html`<a href="${linkTo({ ...here, from: previous })}" rel="prev">Previous</a>`
    }${next !== undefined && html`<a href="${linkTo({ ...here, from: next })}" rel="next">Next</a>`}</nav>`
  }${count > 0 && commandLine(reach, [...commandWordsOf(resource), resource.kind === 'singleton' ? 'get' : 'list'])}`;
}
