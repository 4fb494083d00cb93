import { isObject, type Json, type JsonObject, valueAt } from '../../contract/json.ts';
import type { Column, Resource } from '../../contract/types.ts';
import type { ListedRecord, Store, StoredRecord } from '../store.ts';
import { crumbs } from './crumbs.ts';
import { nameOf, recordsOf, shortId } from './look.ts';
import { type Content, html, type Markup } from './markup.ts';
import { linkTo } from './place.ts';
import { shownBody } from './shown-body.ts';
import { flag, gregorianMoment, own } from './values.ts';

/** Rows of a list; the command line shows all. */
const rowsAtMost = 200;

const plain = (value: Json | undefined): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

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
  if (Array.isArray(value)) return own(value.map(plain).join(', '));
  if (show === 'id') return html`<code title="${plain(value)}">${shortId(plain(value))}</code>`;
  return own(values.map(plain).join(' '));
}

/** Records as a table, by the columns of their kind; the first one leads to the record where `link` says where. */
export function table(
  resource: Resource,
  records: readonly StoredRecord[],
  link?: (record: StoredRecord) => string,
): Markup {
  const rows = records.map((record) => {
    const body = { ...shownBody(resource, record), id: record.id };
    return { record, body };
  });
  const columns = resource.columns.filter(
    ({ paths, sparse }) =>
      !sparse || rows.some(({ body }) => paths.some((path) => valueAt(body, path) !== undefined)),
  );
  const cellAt = (column: Column, index: number, { record, body }: (typeof rows)[number]): Content => {
    const shown = cell(column, body);
    if (index > 0 || !link) return html`<td>${shown}</td>`;
    return html`<th scope="row"><a href="${link(record)}">${shown === '' ? own(nameOf(record, resource)) : shown}</a></th>`;
  };
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${resource.name}"><table><thead><tr>${columns.map(
    ({ header }) => html`<th scope="col">${header}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${columns.map((column, index) => cellAt(column, index, row))}</tr>`,
  )}</tbody></table></div>`;
}

/** The records of one kind. */
export async function listView(resource: Resource, account: StoredRecord, store: Store): Promise<Markup> {
  const accountId = account.id;
  const found: readonly ListedRecord[] = await recordsOf(store, resource, accountId, rowsAtMost + 1);
  const link = ({ id }: StoredRecord): string => linkTo({ accountId, kind: resource.name, id });
  return html`${crumbs(account)}<h1>${resource.name}</h1><p class="facts">${resource.summary}</p>${
    found.length === 0
      ? html`<p class="nothing">None yet. Make one with <code>telctl ${resource.name} create</code>.</p>`
      : table(resource, found.slice(0, rowsAtMost), link)
  }${
    found.length > rowsAtMost &&
    html`<p class="nothing">The first ${rowsAtMost}. All of them: <code>telctl ${resource.name} list</code></p>`
  }`;
}
