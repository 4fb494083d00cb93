import type { LogEntry } from '../control/request-log.ts';
import { type Content, html, type Markup } from './markup.ts';
import { own } from './values.ts';

/** How many of the last requests and deliveries are shown. */
const shownEntries = 60;

/** Ids say little and take much room. */
const shortIds = (path: string): string => path.replaceAll(/[0-9a-f]{32}/g, (id) => `${id.slice(0, 4)}…`);

/** Where a delivery went, without the words that all of them share. */
const target = (path: string): string => shortIds(path.replace(/^https?:\/\//, ''));

const tone = (status: number | null): string =>
  status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'other' : 'good';

const length = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);

/** The account that a path begins with, and what follows it. */
const inAccount = /^(?:\/v2)?\/accounts\/([0-9a-f]{32})(?=$|[/?])(.*)$/;

/** Where a request went, with the account's name in place of its id. */
function place(path: string, names: ReadonlyMap<string, string>): Content {
  const [, id = '', rest = ''] = inAccount.exec(path) ?? [];
  const name = names.get(id);
  return name === undefined ? own(shortIds(path)) : html`<b>${own(name)}</b>${own(shortIds(rest))}`;
}

function line(
  { kind, sequence, time, method, path, status, ms, hook, note }: LogEntry,
  names: ReadonlyMap<string, string>,
): Markup {
  const isDelivery = kind === 'delivery';
  const code = status === null ? 'lost' : String(status);
  return html`<li class="${kind}" data-sequence="${sequence}"><span class="what"><span class="verb">${
    isDelivery ? 'event' : method
  }</span>${
    hook !== undefined && html`<b class="hook">${own(hook)}</b> `
  }<span class="path" title="${path}">${isDelivery ? own(target(path)) : place(path, names)}</span></span><span class="end"><span class="status ${tone(status)}">${code}</span><span class="ms">${length(ms)}</span><time datetime="${time}">${time.slice(11, 19)}</time></span>${
    note !== undefined && html`<span class="note">${own(note)}</span>`
  }</li>`;
}

/** The last requests and deliveries, newest first; accounts are called by their names. */
export function feed(entries: readonly LogEntry[], names: ReadonlyMap<string, string>): Content {
  if (entries.length === 0)
    return html`<p class="nothing">Nothing yet. Requests and deliveries appear here as they happen: try <code>telctl users list</code>.</p>`;
  return html`<ol class="feed">${entries
    .slice(-shownEntries)
    .toReversed()
    .map((entry) => line(entry, names))}</ol>`;
}
