import { type Content, html, type Markup } from './markup.ts';

/** A view that the page can show: an account, one kind of its records, one record, its audit, the log, a plan. */
export interface Address {
  readonly accountId?: string | undefined;
  readonly kind?: string | undefined;
  readonly id?: string | undefined;
  /** What is shown in place of an account or its records. */
  readonly view?: string | undefined;
  /** Entries of the log: `all`, `failed`, `requests` or `deliveries`. */
  readonly log?: string | undefined;
  /** Words that what is listed must have. */
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
  // Relative: the pages of the console lie below a path of their own.
  return `?${query}`;
}

/** A field to search a list for words; it works without the script. */
export const searchForm = ({ accountId, kind, log, find }: Address, label: string): Markup =>
  html`<form role="search" method="get" action="?">${accountId !== undefined && html`<input type="hidden" name="account" value="${accountId}">`}${
    kind !== undefined && html`<input type="hidden" name="kind" value="${kind}">`
  }${log !== undefined && html`<input type="hidden" name="log" value="${log}">`}<input type="search" id="find" name="find" value="${find ?? ''}" maxlength="200" placeholder="${label}" aria-label="${label}" autocomplete="off"><button type="submit">Search</button></form>`;

/** Fields by which a call is followed through a callflow; they work without the script. */
export const callForm = ({ accountId, kind, id, presses }: Address, at: string): Markup =>
  html`<form method="get" action="?"><input type="hidden" name="account" value="${accountId ?? ''}"><input type="hidden" name="kind" value="${kind ?? ''}"><input type="hidden" name="id" value="${id ?? ''}"><input type="datetime-local" name="at" value="${at}" required aria-label="Time of the call"><input type="text" name="presses" value="${presses ?? ''}" maxlength="60" placeholder="Keys, such as 2,1" aria-label="Keys that the caller presses" autocomplete="off"><button type="submit">Follow a call</button></form>`;

/** Options with which the profile acts on an account: none, or the account. */
export interface Reach {
  /** Value of `--account`; left out for the account that the profile acts on. */
  readonly account?: string;
}

/** A word as a shell takes it; `undefined` where none could be copied safely: it has line breaks or unseen letters. */
function shellWord(word: string): string | undefined {
  if (/^[\w.@%:,/+=*-]+$/.test(word)) return /^[\w.@%:,/+=-]+$/.test(word) ? word : `'${word}'`;
  return /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : undefined;
}

/** The line that gets what the page shows; nothing where the profile does not reach it. */
export function commandLine(reach: Reach | undefined, words: readonly string[]): Content {
  if (!reach) return undefined;
  const account = reach.account === undefined ? [] : ['--account', reach.account];
  const safe = ['telctl', ...account, ...words].map(shellWord);
  if (safe.includes(undefined)) return undefined;
  return html`<p class="line"><span>In a terminal</span><code tabindex="0">${safe.join(' ')}</code></p>`;
}
