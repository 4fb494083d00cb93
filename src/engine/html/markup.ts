import { gregorianOffset } from '../../base/moment.ts';

/** HTML that is ready to be sent: everything in it that came as text is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of a template: text, which is escaped, markup, lists of both, or an empty value. */
export type Content = Markup | string | number | undefined | false | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters and marks of direction: they cannot be seen, and change how the rest is read. */
const unseen =
  /[^\P{Cc}\t\n\r]|[\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]|[\u{E0000}-\u{E007F}]/gu;

/**
 * Escapes text for HTML, between tags and in quoted attributes. Invisible characters that could make names look alike
 * are shown as U+FFFD.
 */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unseen, '\uFFFD')
    .replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);

function renderContent(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'number') return String(content);
  return typeof content === 'string' ? escaped(content) : content.map(renderContent).join('');
}

/** A template of HTML; its values are escaped unless they are markup themselves. */
export const html = (pieces: TemplateStringsArray, ...contents: readonly Content[]): Markup =>
  new Markup(String.raw({ raw: pieces }, ...contents.map(renderContent)));

/** Text on one line, with spaces in place of line breaks and control characters. */
export const plainLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

const cutText = 160;
/** Longer text may be cut by its container. */
const seenWhole = 24;

/** Text of a record, isolated in direction from its surroundings. */
export const isolateText = (text: string): Markup => html`<bdi>${text}</bdi>`;

/** Text of a record, cut if it is long. The tooltip shows more of it. */
export function clipText(text: string): Markup {
  if (text.length <= seenWhole) return isolateText(text);
  if (text.length <= cutText) return html`<bdi title="${text}">${text}</bdi>`;
  const whole = [...text.slice(0, 4 * cutText)];
  return html`<bdi title="${whole.join('')}">${whole.slice(0, cutText).join('')}…</bdi>`;
}

/** Yes or no, as a mark. */
export const yesOrNo = (value: boolean): Markup =>
  value ? html`<span class="chip yes">yes</span>` : html`<span class="chip no">no</span>`;

/** A moment in Unix milliseconds, to the second. */
export const moment = (ms: number): string =>
  Number.isFinite(ms) && Math.abs(ms) < 8.64e15
    ? new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
    : String(ms);

/** A moment in Gregorian seconds, to the second. */
export const gregorianMoment = (seconds: number): string => moment((seconds - gregorianOffset) * 1000);

/** A view of the page: an account, one kind of its records, one record, its audit, the log, a plan. */
export interface Address {
  readonly accountId?: string | undefined;
  readonly kind?: string | undefined;
  readonly id?: string | undefined;
  /** What is shown in place of an account or its records. */
  readonly view?: string | undefined;
  /** Entries of the log: `all`, `failed`, `requests` or `deliveries`. */
  readonly log?: string | undefined;
  /** Search text for the list. */
  readonly find?: string | undefined;
  /** The position in a list, as its reader writes it. */
  readonly from?: string | undefined;
  /** Time of a call that is followed through a callflow, by the clocks of the account: `2026-12-25T10:00`. */
  readonly at?: string | undefined;
  /** Keys that its caller presses, separated by commas. */
  readonly presses?: string | undefined;
}

/** The parts of an address and their names in the query. */
const names = {
  accountId: 'account',
  kind: 'kind',
  id: 'id',
  view: 'view',
  log: 'log',
  find: 'find',
  from: 'from',
  at: 'at',
  presses: 'presses',
} as const satisfies Record<keyof Address, string>;

/** Reads an address from the query of a request. */
export const addressIn = (query: URLSearchParams): Address =>
  Object.fromEntries(Object.entries(names).map(([part, name]) => [part, query.get(name) || undefined]));

export function linkTo(address: Address): string {
  const parts: Readonly<Record<string, string | undefined>> = { ...address };
  const query = new URLSearchParams();
  for (const [part, name] of Object.entries(names)) {
    const value = parts[part];
    if (value) query.set(name, value);
  }
  // Relative, because the console may be below a path.
  return `?${query}`;
}

/** A field to filter a list by text. It works without the script. */
export const searchForm = ({ accountId, kind, log, find }: Address, label: string): Markup =>
  html`<form role="search" method="get" action="?">${accountId !== undefined && html`<input type="hidden" name="account" value="${accountId}">`}${
    kind !== undefined && html`<input type="hidden" name="kind" value="${kind}">`
  }${log !== undefined && html`<input type="hidden" name="log" value="${log}">`}<input type="search" id="find" name="find" value="${find ?? ''}" maxlength="200" placeholder="${label}" aria-label="${label}" autocomplete="off"><button type="submit">Search</button></form>`;

/** Fields that trace a call through a callflow. They work without the script. */
export const callForm = ({ accountId, kind, id, presses }: Address, at: string): Markup =>
  html`<form method="get" action="?"><input type="hidden" name="account" value="${accountId ?? ''}"><input type="hidden" name="kind" value="${kind ?? ''}"><input type="hidden" name="id" value="${id ?? ''}"><input type="datetime-local" name="at" value="${at}" required aria-label="Time of the call"><input type="text" name="presses" value="${presses ?? ''}" maxlength="60" placeholder="Keys, such as 2,1" aria-label="Keys that the caller presses" autocomplete="off"><button type="submit">Follow a call</button></form>`;

/** Options for commands on an account: none, or `--account`. */
export interface AccountReach {
  /** Value of `--account`. Missing for the account of the profile. */
  readonly account?: string;
}

/** Quotes an argument for the shell. Returns `undefined` if it has line breaks or invisible characters. */
function shellWord(word: string): string | undefined {
  if (/^[\w.@%:,/+=*-]+$/.test(word)) return /^[\w.@%:,/+=-]+$/.test(word) ? word : `'${word}'`;
  return /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : undefined;
}

/** The command that returns the data of the page; empty if the profile cannot reach it. */
export function commandLine(reach: AccountReach | undefined, words: readonly string[]): Content {
  if (!reach) return undefined;
  const account = reach.account === undefined ? [] : ['--account', reach.account];
  const safe = ['telctl', ...account, ...words].map(shellWord);
  if (safe.includes(undefined)) return undefined;
  return html`<p class="line"><span>In a terminal</span><code tabindex="0">${safe.join(' ')}</code></p>`;
}

/** A table that scrolls if it is wider than the page. */
export const tableOf = (label: string, headers: readonly string[], rows: readonly Markup[]): Markup =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${headers.map(
    (header) => html`<th scope="col">${header}</th>`,
  )}</tr></thead><tbody>${rows}</tbody></table></div>`;
