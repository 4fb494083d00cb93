import { type Content, html, type Markup } from '../../page/html/markup.ts';
import type { LogEntry } from '../control/request-log.ts';
import { linkTo } from './place.ts';
import { clipped, own } from './values.ts';

/** How many of the last requests and deliveries are shown. */
const shownEntries = 50;

/** Ids say little and take much room. */
const shortIds = (path: string): string => path.replaceAll(/[0-9a-f]{32}/g, (id) => `${id.slice(0, 4)}…`);

/** Whether a request was refused or a delivery not taken, or nothing came back. */
export const isFailed = ({ kind, status }: LogEntry): boolean =>
  status === null || status >= (kind === 'delivery' ? 300 : 400);

const tone = ({ kind, status }: LogEntry): string => {
  if (status === null || status >= 500) return 'bad';
  if (kind === 'delivery') return status >= 300 ? 'bad' : 'good';
  return status >= 400 ? 'warn' : status >= 300 ? 'other' : 'good';
};

/** The status of an entry. */
export const mark = (entry: LogEntry): Markup =>
  html`<span class="status ${tone(entry)}">${entry.status === null ? 'lost' : String(entry.status)}</span>`;

/** How long it took. */
export const took = ({ ms }: LogEntry): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);

/** The account that a path begins with, and what follows it. */
const inAccount = /^(?:\/v2)?\/accounts\/([0-9a-f]{32})(?=$|[/?])(.*)$/s;

/** A name that leaves room for what follows it. */
const cut = (name: string): string => {
  const letters = [...name];
  return letters.length > 20 ? `${letters.slice(0, 19).join('')}…` : name;
};

/** Where a request or a delivery went; accounts are called by their names. */
export function whereTo({ kind, path }: LogEntry, names: ReadonlyMap<string, string>): Markup {
  if (kind === 'delivery')
    return html`<span class="path" title="${path}">${clipped(shortIds(path.replace(/^https?:\/\//, '')))}</span>`;
  const [, id = '', rest = ''] = inAccount.exec(path) ?? [];
  const name = names.get(id);
  return html`<span class="path" title="${path}">${
    name === undefined
      ? clipped(shortIds(path))
      : html`<a href="${linkTo({ accountId: id })}">${own(cut(name))}</a>${clipped(shortIds(rest))}`
  }</span>`;
}

/** The moment of an entry, with its date where that is another than today's. `now` is that of the page, ISO 8601. */
export const clockOf = (time: string, now: string): Markup =>
  html`<time datetime="${time}" title="${time.slice(0, 19).replace('T', ' ')}">${
    time.startsWith(now.slice(0, 10)) ? time.slice(11, 19) : time.slice(5, 19).replace('T', ' ')
  }</time>`;

function line(entry: LogEntry, names: ReadonlyMap<string, string>, now: string): Markup {
  const { kind, sequence, time, method, hook, note, by, account_id: accountId, webhook_id: id } = entry;
  const isDelivery = kind === 'delivery';
  const hookName =
    hook !== undefined &&
    (accountId !== null && id !== undefined
      ? html`<a class="hook" href="${linkTo({ accountId, kind: 'webhooks', id })}">${own(hook)}</a>`
      : html`<b class="hook">${own(hook)}</b>`);
  return html`<li class="${kind}" data-sequence="${sequence}"><div class="what"><span class="verb">${
    isDelivery ? 'event' : method
  }</span>${hookName}${whereTo(entry, names)}${mark(entry)}</div><div class="more">${clockOf(time, now)}<span>${took(entry)}</span>${by !== undefined && html`<span>by ${own(by)}</span>`}${
    note !== undefined && html`<span class="${isFailed(entry) ? 'note' : 'dim'}">${own(note)}</span>`
  }</div></li>`;
}

/** The last requests and deliveries, newest first. `now` is the moment of the page, ISO 8601. */
export function feed(entries: readonly LogEntry[], names: ReadonlyMap<string, string>, now: string): Content {
  if (entries.length === 0)
    return html`<p class="nothing">Nothing yet. Requests and deliveries appear here as they happen: try <code>telctl users list</code>.</p>`;
  return html`<ol class="feed">${entries
    .slice(-shownEntries)
    .toReversed()
    .map((entry) => line(entry, names, now))}</ol>`;
}
