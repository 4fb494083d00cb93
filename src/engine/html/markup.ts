import { gregorianOffset } from '../../base/moment.ts';

/** HTML whose text is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | undefined | false | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Invisible control characters and direction marks, which change how other text is read. */
const unseen =
  /[^\P{Cc}\t\n\r]|[\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]|[\u{E0000}-\u{E007F}]/gu;

/**
 * Escapes text for HTML between tags and in quoted attributes. Replaces invisible characters that could make names
 * look alike with U+FFFD.
 */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unseen, '\uFFFD')
    .replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);

function renderContent(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'number') return String(content);
  return typeof content === 'string' ? escapeHtml(content) : content.map(renderContent).join('');
}

export const html = (pieces: TemplateStringsArray, ...contents: readonly Content[]): Markup =>
  new Markup(String.raw({ raw: pieces }, ...contents.map(renderContent)));

/** Replaces line breaks and control characters with spaces. */
export const plainLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

const cutText = 160;
/** Longer text may be cut by its container. */
const seenWhole = 24;

/** Isolates the direction of a text from its surroundings. */
export const isolateText = (text: string): Markup => html`<bdi>${text}</bdi>`;

/** Cuts long text. The tooltip shows more of it. */
export function clipText(text: string): Markup {
  if (text.length <= seenWhole) return isolateText(text);
  if (text.length <= cutText) return html`<bdi title="${text}">${text}</bdi>`;
  const whole = [...text.slice(0, 4 * cutText)];
  return html`<bdi title="${whole.join('')}">${whole.slice(0, cutText).join('')}…</bdi>`;
}

export const yesOrNo = (value: boolean): Markup =>
  value ? html`<span class="chip yes">yes</span>` : html`<span class="chip no">no</span>`;

/** Formats Unix milliseconds to the second. */
export const formatMoment = (ms: number): string =>
  Number.isFinite(ms) && Math.abs(ms) < 8.64e15
    ? new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
    : String(ms);

/** Formats Gregorian seconds to the second. */
export const formatGregorianMoment = (seconds: number): string =>
  formatMoment((seconds - gregorianOffset) * 1000);

export interface Address {
  readonly accountId?: string | undefined;
  readonly kind?: string | undefined;
  readonly id?: string | undefined;
  /** View of the account, if it is not one of its records. */
  readonly view?: string | undefined;
  /** Part of the log: `all`, `failed`, `requests` or `deliveries`. */
  readonly log?: string | undefined;
  readonly find?: string | undefined;
  /** Position in the list, in the format of the list's reader. */
  readonly from?: string | undefined;
  /** Time of a traced call in the time zone of the account: `2026-12-25T10:00`. */
  readonly at?: string | undefined;
  /** Keys that the caller presses, separated by commas. */
  readonly presses?: string | undefined;
}

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

export const readAddress = (query: URLSearchParams): Address =>
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

export const searchForm = ({ accountId, kind, log, find }: Address, label: string): Markup =>
  html`<form role="search" method="get" action="?">${accountId !== undefined && html`<input type="hidden" name="account" value="${accountId}">`}${
    kind !== undefined && html`<input type="hidden" name="kind" value="${kind}">`
  }${log !== undefined && html`<input type="hidden" name="log" value="${log}">`}<input type="search" id="find" name="find" value="${find ?? ''}" maxlength="200" placeholder="${label}" aria-label="${label}" autocomplete="off"><button type="submit">Search</button></form>`;

export const callForm = ({ accountId, kind, id, presses }: Address, at: string): Markup =>
  html`<form method="get" action="?"><input type="hidden" name="account" value="${accountId ?? ''}"><input type="hidden" name="kind" value="${kind ?? ''}"><input type="hidden" name="id" value="${id ?? ''}"><input type="datetime-local" name="at" value="${at}" required aria-label="Time of the call"><input type="text" name="presses" value="${presses ?? ''}" maxlength="60" placeholder="Keys, such as 2,1" aria-label="Keys that the caller presses" autocomplete="off"><button type="submit">Follow a call</button></form>`;

export interface AccountReach {
  /** Value of `--account`. Omitted for the account of the profile. */
  readonly account?: string;
}

/** Returns `undefined` for line breaks or invisible characters. */
function shellWord(word: string): string | undefined {
  if (/^[\w.@%:,/+=*-]+$/.test(word)) return /^[\w.@%:,/+=-]+$/.test(word) ? word : `'${word}'`;
  return /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : undefined;
}

/** Returns the command for the data of the page, or nothing if the profile cannot reach it. */
export function commandLine(reach: AccountReach | undefined, words: readonly string[]): Content {
  if (!reach) return undefined;
  const account = reach.account === undefined ? [] : ['--account', reach.account];
  const safe = ['telctl', ...account, ...words].map(shellWord);
  if (safe.includes(undefined)) return undefined;
  return html`<p class="line"><span>In a terminal</span><code tabindex="0">${safe.join(' ')}</code></p>`;
}

export const scrollingTable = (label: string, headers: readonly string[], rows: readonly Markup[]): Markup =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${headers.map(
    (header) => html`<th scope="col">${header}</th>`,
  )}</tr></thead><tbody>${rows}</tbody></table></div>`;
