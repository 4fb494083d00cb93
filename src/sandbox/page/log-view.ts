import { html, type Markup } from '../../page/html/markup.ts';
import type { LogEntry, RequestLog } from '../control/request-log.ts';
import { commandLine } from './command-line.ts';
import { clockOf, isFailed, mark, took, whereTo } from './feed-view.ts';
import { linkTo, type Place } from './place.ts';
import { searchForm } from './search-form.ts';
import { own } from './values.ts';

const rowsAtMost = 100;

/** The choices, with the words of `telctl sandbox log` for them. */
const choices: readonly {
  readonly log: string;
  readonly words: string;
  readonly option: readonly string[];
  readonly isWanted: (entry: LogEntry) => boolean;
}[] = [
  { log: 'all', words: 'Everything', option: [], isWanted: () => true },
  { log: 'failed', words: 'What failed', option: ['--failed'], isWanted: isFailed },
  { log: 'requests', words: 'Requests', option: ['--requests'], isWanted: ({ kind }) => kind === 'request' },
  {
    log: 'deliveries',
    words: 'Deliveries',
    option: ['--deliveries'],
    isWanted: ({ kind }) => kind === 'delivery',
  },
];

const textOf = ({ method, path, status, by, hook, note, request_id: id }: LogEntry): string =>
  [method, path, status ?? 'lost', by, hook, note, id].join(' ').toLowerCase();

const row = (entry: LogEntry, names: ReadonlyMap<string, string>, now: string): Markup => {
  const { kind, time, method, hook, by, note, request_id: id } = entry;
  return html`<tr><td>${clockOf(time, now)}</td><td>${mark(entry)}</td><td class="verb">${
    kind === 'delivery' ? 'event' : method
  }</td><td class="wide">${hook !== undefined && html`<b class="hook">${own(hook)}</b> `}${whereTo(entry, names)}${
    note !== undefined && html`<span class="${isFailed(entry) ? 'note' : 'dim'}">${own(note)}</span>`
  }</td><td>${by !== undefined && own(by)}</td><td class="ms">${took(entry)}</td><td>${id !== null && html`<code>${own(id)}</code>`}</td></tr>`;
};

/** What is kept of the log, newest first, a page at a time. `now` is the moment of the page, ISO 8601. */
export function logView(
  place: Place,
  log: RequestLog,
  names: ReadonlyMap<string, string>,
  now: string,
): Markup {
  const chosen = choices.find((each) => each.log === place.log) ?? choices[0];
  const wanted = place.find?.trim().toLowerCase() ?? '';
  const before = Number(place.from ?? Number.POSITIVE_INFINITY);
  const fitting = log
    .since()
    .filter((entry) => chosen?.isWanted(entry) && (wanted === '' || textOf(entry).includes(wanted)))
    .toReversed();
  const older = fitting.filter(({ sequence }) => !(sequence > before));
  const [shown, next] = [older.slice(0, rowsAtMost), older[rowsAtMost]];
  const here = { log: chosen?.log, find: place.find };
  return html`<h1>Requests and deliveries</h1><p class="facts">The last 1,000, newest first. Bodies and headers are not kept.</p><nav class="choices" aria-label="Which of them">${choices.map(
    (each) =>
      html`<a href="${linkTo({ ...here, log: each.log })}"${each === chosen && html` aria-current="page"`}>${each.words}</a>`,
  )}</nav>${searchForm(here, 'Search by path, status, sender, reason or request id')}${
    shown.length === 0
      ? html`<p class="nothing">${fitting.length > 0 ? 'Nothing older is kept.' : 'None.'}</p>`
      : html`<div class="scroll" tabindex="0" role="group" aria-label="Requests and deliveries"><table><thead><tr>${[
          'When',
          'Status',
          'What',
          'Where',
          'By',
          'Took',
          'Request id',
        ].map((header) => html`<th scope="col">${header}</th>`)}</tr></thead><tbody>${shown.map((entry) =>
          row(entry, names, now),
        )}</tbody></table></div>`
  }${
    (next || place.from) &&
    html`<nav class="pages" aria-label="Pages">${place.from && html`<a href="${linkTo(here)}">Newest</a>`}${
      next && html`<a href="${linkTo({ ...here, from: String(next.sequence) })}" rel="next">Older</a>`
    }</nav>`
  }${commandLine({}, ['sandbox', 'log', ...(chosen?.option ?? [])])}`;
}
