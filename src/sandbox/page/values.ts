import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import { childOf, resolved, type SchemaNode } from '../../contract/schema-node.ts';
import type { Resource } from '../../contract/types.ts';
import { type Content, html, type Markup } from '../../page/html/markup.ts';
import type { StoredRecord } from '../store/store.ts';
import { kindNamed, shortId, type Viewing } from './look.ts';
import { type Named, namedIds } from './named-ids.ts';
import { linkTo } from './place.ts';
import { shownBody } from './shown-body.ts';

/** Deeper than any record; what lies below is counted only. */
const deepest = 12;
const itemsAtMost = 100;
/** Objects with more values than this are folded. */
const openAtMost = 12;
/** Text of fields that is longer is folded; elsewhere it is cut. */
const longText = 600;
const cutText = 160;
/** Longer text may be cut by the edge of what it stands in. */
const seenWhole = 24;

/** The name of a field, which may go on in another line after each of its words. */
const word = (key: string): Markup =>
  html`<bdi>${key.split('_').map((part, index) => (index === 0 ? part : html`_<wbr>${part}`))}</bdi>`;

/** Text of a record, which keeps its own direction and does not turn that of its surroundings. */
export const own = (text: string): Markup => html`<bdi>${text}</bdi>`;

/** Text of a record where there is room for some of it; the whole, as far as it is readable, at the pointer. */
export function clipped(text: string): Markup {
  if (text.length <= seenWhole) return own(text);
  if (text.length <= cutText) return html`<bdi title="${text}">${text}</bdi>`;
  const whole = [...text.slice(0, 4 * cutText)];
  return html`<bdi title="${whole.join('')}">${whole.slice(0, cutText).join('')}…</bdi>`;
}

export const flag = (value: boolean): Markup =>
  value ? html`<span class="chip yes">yes</span>` : html`<span class="chip no">no</span>`;

/** A moment, to the second. */
export const moment = (ms: number): string =>
  Number.isFinite(ms) && Math.abs(ms) < 8.64e15
    ? new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
    : String(ms);

export const gregorianMoment = (seconds: number): string => moment((seconds - gregorianOffset) * 1000);

/** Years 1990 to 2100 in Gregorian seconds; no other number of a record is that large. */
const isMoment = (value: number): boolean => value > 62_798_371_200 && value < 66_270_009_600;

/** How many values there are in one, counted no further than `most`. */
function sizeOf(value: Json, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let size = 0;
  for (const inner of Object.values(value)) {
    if (size > most) break;
    if (inner !== undefined) size += sizeOf(inner, most - size);
  }
  return size;
}

/** The fields of a record of an account, by name and value; ids in it that name something lead to that. */
export async function fieldsOf(
  resource: Resource,
  record: Pick<StoredRecord, 'body' | 'id'>,
  viewing: Viewing,
): Promise<Markup> {
  const body = shownBody(resource, record);
  const known = await namedIds(body, record.id, viewing);
  const { schema } = resource;
  const visit = (reference: SchemaNode, value: Json, depth: number): Content => {
    const node = resolved(schema, reference);
    if (value === null) return html`<span class="dim">null</span>`;
    if (typeof value === 'boolean') return flag(value);
    if (typeof value === 'number')
      return html`<span class="number">${value}</span>${isMoment(value) && html` <span class="dim">${gregorianMoment(value)}</span>`}`;
    if (typeof value === 'string') return textOf(node, value, known, viewing.account.id);
    if (depth > deepest) return html`<span class="dim">…</span>`;
    if (Array.isArray(value)) return itemsIn(node, value, depth);
    if (!isObject(value)) return undefined;
    if (depth === 1 && sizeOf(value, openAtMost) > openAtMost)
      return html`<details><summary>Show</summary>${inside(node, value, depth)}</details>`;
    return inside(node, value, depth);
  };
  const child = (node: SchemaNode, key: string): SchemaNode => childOf(schema, node, key) ?? {};
  const itemsIn = (node: SchemaNode, items: readonly Json[], depth: number): Content => {
    if (items.length === 0) return html`<span class="dim">none</span>`;
    const more = items.length - itemsAtMost;
    return html`<ul class="items">${items
      .slice(0, itemsAtMost)
      .map((item, index) => html`<li>${visit(child(node, String(index)), item, depth + 1)}</li>`)}${
      more > 0 && html`<li class="dim">and ${more} more</li>`
    }</ul>`;
  };
  const inside = (node: SchemaNode, object: JsonObject, depth: number): Content => {
    const entries = Object.entries(object).flatMap(([key, value]) =>
      value === undefined ? [] : [{ key, value }],
    );
    if (entries.length === 0) return html`<span class="dim">empty</span>`;
    return html`<dl>${entries.map(
      ({ key, value }) =>
        html`<div><dt>${linkOf(known, key) ?? word(key)}</dt><dd>${visit(child(node, key), value, depth + 1)}</dd></div>`,
    )}</dl>`;
  };
  return html`${inside(schema, body, 0)}`;
}

/** What an id names, as a link. */
function linkOf(known: ReadonlyMap<string, Named>, id: string): Markup | undefined {
  const what = known.get(id);
  return what && html`<a href="${what.link}" title="${id}">${clipped(what.name)}</a>`;
}

function textOf(
  node: SchemaNode,
  value: string,
  known: ReadonlyMap<string, Named>,
  accountId: string,
): Content {
  if (value === '') return html`<span class="dim">empty</span>`;
  const link = linkOf(known, value);
  if (link) return link;
  const target = kindNamed(node['x-ref']);
  if (!target)
    return value.length > longText
      ? html`<details><summary>${clipped(value)} <span class="dim">${value.length} characters</span></summary>${own(value)}</details>`
      : own(value);
  return html`<a href="${linkTo({ accountId, kind: target.name, id: value })}" title="${value}">${shortId(value)}</a>`;
}
