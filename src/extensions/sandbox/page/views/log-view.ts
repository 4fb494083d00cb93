import {
  type Address,
  type Content,
  clipText,
  commandLine,
  html,
  isolateText,
  linkTo,
  type Markup,
  scrollingTable,
  searchForm,
} from '../../../../engine/html/markup.ts';
import type { LogEntry, ReadRun } from '../../reader.ts';

export type AccountNames = ReadonlyMap<string, string>;

const shownEntries = 50;

const shortIds = (path: string): string => path.replaceAll(/[0-9a-f]{32}/g, (id) => `${id.slice(0, 4)}…`);

/** Returns true if the request or delivery failed or got no response. */
export const isFailed = ({ kind, status }: LogEntry): boolean =>
  status === null || status >= (kind === 'delivery' ? 300 : 400);

const statusClass = ({ kind, status }: LogEntry): string => {
  if (status === null || status >= 500) return 'bad';
  if (kind === 'delivery') return status >= 300 ? 'bad' : 'good';
  return status >= 400 ? 'warn' : status >= 300 ? 'other' : 'good';
};

export const statusMark = (entry: LogEntry): Markup =>
  html`<span class="status ${statusClass(entry)}">${entry.status === null ? 'lost' : String(entry.status)}</span>`;

const durationText = ({ ms }: LogEntry): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);

/** Matches the account at the start of a path, and the rest. */
const inAccount = /^(?:\/v2)?\/accounts\/([0-9a-f]{32})(?=$|[/?])(.*)$/s;

/** Shortens a name to leave space for the path. */
const shortName = (name: string): string => {
  const letters = [...name];
  return letters.length > 20 ? `${letters.slice(0, 19).join('')}…` : name;
};

/** Shows the target of a request or delivery, with account names in place of ids. */
export function entryTarget({ kind, path }: LogEntry, names: AccountNames): Markup {
  if (kind === 'delivery')
    return html`<span class="path" title="${path}">${clipText(shortIds(path.replace(/^https?:\/\//, '')))}</span>`;
  const [, id = '', rest = ''] = inAccount.exec(path) ?? [];
  const name = names.get(id);
  return html`<span class="path" title="${path}">${
    name === undefined
      ? clipText(shortIds(path))
      : html`<a href="${linkTo({ accountId: id })}">${isolateText(shortName(name))}</a>${clipText(shortIds(rest))}`
  }</span>`;
}

/** Shows the time of an entry, with its date unless it is today. `now` is the time of the page in ISO 8601. */
export const showTime = (time: string, now: string): Markup =>
  html`<time datetime="${time}" title="${time.slice(0, 19).replace('T', ' ')}">${
    time.startsWith(now.slice(0, 10)) ? time.slice(11, 19) : time.slice(5, 19).replace('T', ' ')
  }</time>`;

/** Groups equal failures. `entries` are newest first. Each group has the place of its newest entry. */
export function groupFailures(
  entries: readonly LogEntry[],
): readonly { readonly last: LogEntry; readonly count: number }[] {
  const groups = Map.groupBy(entries, (entry) => {
    const { kind, method, path, status, note, hook, webhook_id: webhook } = entry;
    return isFailed(entry) ? JSON.stringify([kind, method, path, status, note, hook, webhook]) : entry;
  });
  return [...groups.values()].flatMap(([last, ...others]) =>
    last ? [{ last, count: 1 + others.length }] : [],
  );
}

function feedItem(entry: LogEntry, count: number, names: AccountNames, now: string): Markup {
  const { kind, sequence, time, method, hook, note, by, account_id: accountId, webhook_id: id } = entry;
  const isDelivery = kind === 'delivery';
  const hookName =
    hook !== undefined &&
    (accountId !== null && id !== undefined
      ? html`<a class="hook" href="${linkTo({ accountId, kind: 'webhooks', id })}">${isolateText(hook)}</a>`
      : html`<b class="hook">${isolateText(hook)}</b>`);
  return html`<li class="${kind}" data-sequence="${sequence}"><div class="what"><span class="verb">${
    isDelivery ? 'event' : method
  }</span>${hookName}${entryTarget(entry, names)}${statusMark(entry)}</div><div class="more">${showTime(time, now)}<span>${durationText(entry)}</span>${count > 1 && html`<span>${count} times</span>`}${by !== undefined && html`<span>by ${isolateText(by)}</span>`}${
    note !== undefined && html`<span class="${isFailed(entry) ? 'note' : 'dim'}">${isolateText(note)}</span>`
  }</div></li>`;
}

/**
 * Shows the latest requests and deliveries, newest first. Equal failures share an item. `now` is the time of the page
 * in ISO 8601.
 */
export function showFeed(entries: readonly LogEntry[], names: AccountNames, now: string): Content {
  if (entries.length === 0)
    return html`<p class="nothing">No requests yet. Requests and deliveries appear here as they happen. Try <code>telctl users list</code>.</p>`;
  return html`<ol class="feed">${groupFailures(entries.toReversed())
    .slice(0, shownEntries)
    .map(({ last, count }) => feedItem(last, count, names, now))}</ol>`;
}

const rowsAtMost = 100;

/** Filters of the log, with the equivalent options of `telctl sandbox log`. */
const choices: readonly {
  readonly log: string;
  readonly words: string;
  readonly option: readonly string[];
  readonly isWanted: (entry: LogEntry) => boolean;
}[] = [
  { log: 'all', words: 'Everything', option: [], isWanted: () => true },
  { log: 'failed', words: 'Failures', option: ['--failed'], isWanted: isFailed },
  { log: 'requests', words: 'Requests', option: ['--requests'], isWanted: ({ kind }) => kind === 'request' },
  {
    log: 'deliveries',
    words: 'Deliveries',
    option: ['--deliveries'],
    isWanted: ({ kind }) => kind === 'delivery',
  },
];

const entryText = ({ method, path, status, by, hook, note, request_id: id }: LogEntry): string =>
  [method, path, status ?? 'lost', by, hook, note, id].join(' ').toLowerCase();

const logRow = (entry: LogEntry, names: AccountNames, now: string): Markup => {
  const { kind, time, method, hook, by, note, request_id: id } = entry;
  return html`<tr><td>${showTime(time, now)}</td><td>${statusMark(entry)}</td><td class="verb">${
    kind === 'delivery' ? 'event' : method
  }</td><td class="wide">${hook !== undefined && html`<b class="hook">${isolateText(hook)}</b> `}${entryTarget(entry, names)}${
    note !== undefined && html`<span class="${isFailed(entry) ? 'note' : 'dim'}">${isolateText(note)}</span>`
  }</td><td>${by !== undefined && isolateText(by)}</td><td class="ms">${durationText(entry)}</td><td>${id !== null && html`<code>${isolateText(id)}</code>`}</td></tr>`;
};

/** Shows the log, newest first. `now` is the time of the page in ISO 8601. */
export function logView(
  address: Address,
  log: readonly LogEntry[],
  names: AccountNames,
  now: string,
): Markup {
  const chosen = choices.find((each) => each.log === address.log) ?? choices[0];
  const wanted = address.find?.trim().toLowerCase() ?? '';
  const before = Number(address.from ?? Number.POSITIVE_INFINITY);
  const fitting = log
    .filter((entry) => chosen?.isWanted(entry) && (wanted === '' || entryText(entry).includes(wanted)))
    .toReversed();
  const older = fitting.filter(({ sequence }) => !(sequence > before));
  const [shown, next] = [older.slice(0, rowsAtMost), older[rowsAtMost]];
  const here = { log: chosen?.log, find: address.find };
  return html`<h1>Requests and deliveries</h1><p class="facts">The last 1,000, newest first. Bodies and headers are not kept.</p><nav class="choices" aria-label="Filter">${choices.map(
    (each) =>
      html`<a href="${linkTo({ ...here, log: each.log })}"${each === chosen && html` aria-current="page"`}>${each.words}</a>`,
  )}</nav>${searchForm(here, 'Search by path, status, sender, reason or request id')}${
    shown.length === 0
      ? html`<p class="nothing">${fitting.length > 0 ? 'Older entries are not kept.' : 'No entries.'}</p>`
      : scrollingTable(
          'Requests and deliveries',
          ['When', 'Status', 'What', 'Where', 'By', 'Took', 'Request id'],
          shown.map((entry) => logRow(entry, names, now)),
        )
  }${
    (next || address.from) &&
    html`<nav class="pages" aria-label="Pages">${address.from && html`<a href="${linkTo(here)}">Newest</a>`}${
      next && html`<a href="${linkTo({ ...here, from: String(next.sequence) })}" rel="next">Older</a>`
    }</nav>`
  }${commandLine({}, ['sandbox', 'log', ...(chosen?.option ?? [])])}`;
}

/** Shows runs of telctl, newest first. `now` is the time of the page in ISO 8601. */
export const runsView = (runs: readonly ReadRun[], now: string): Markup =>
  html`<h1>Changes</h1><p class="facts">Changes in the log of telctl, newest first. Changes by others are not included.</p>${
    runs.length === 0
      ? html`<p class="nothing">No changes yet.</p>`
      : scrollingTable(
          'Changes',
          ['Id', 'When', 'Who', 'Account', 'What', 'Changed'],
          runs.map(
            ({ id, at, who, account, line, changed, note, trouble }) =>
              html`<tr><td>${id}</td><td>${showTime(at, now)}</td><td>${isolateText(who)}</td><td>${isolateText(account)}</td><td class="wide"><code>${isolateText(line)}</code>${note !== undefined && html`<span class="dim">${isolateText(note)}</span>`}</td><td class="wide">${isolateText(changed)}${trouble !== undefined && html`<span class="note">${isolateText(trouble)}</span>`}</td></tr>`,
          ),
        )
  }<p class="line"><span>In a terminal</span><code tabindex="0">telctl log</code></p>`;
