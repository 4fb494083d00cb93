import { counted } from '../../base/wording.ts';
import { type Content, html, type Markup } from '../../page/html/markup.ts';
import type { FaultCount } from '../control/faults.ts';
import { textsAt } from '../fields.ts';
import { accountList } from './account-list.ts';
import { accountView } from './account-view.ts';
import type { Reach } from './command-line.ts';
import { feed } from './feed-view.ts';
import { listView } from './list-view.ts';
import { logView } from './log-view.ts';
import { accountTree, type Branch, kindNamed, nameOf, recordOf } from './look.ts';
import type { PageParts } from './page-route.ts';
import { type Place, placeAt } from './place.ts';
import { recordView } from './record-view.ts';
import { contentSecurityPolicy, shell } from './shell.ts';
import { moment } from './values.ts';

/** A page to send. */
export interface Page {
  readonly status: number;
  readonly body: string;
}

const titleLetters = 120;

/** What every page is sent with. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const minute = 60_000;
const units = [
  [1440 * minute, 'd'],
  [60 * minute, 'h'],
  [minute, 'min'],
  [1000, 's'],
] as const;

/** How far the clock was turned, in its two largest units. */
function ahead(ms: number): string {
  const parts = units.map(([size, word], index) => {
    const larger = units[index - 1]?.[0] ?? Number.POSITIVE_INFINITY;
    return { count: Math.floor((ms % larger) / size), word };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  const shown = parts.slice(first, first + 2).filter(({ count }) => count > 0);
  return shown.map(({ count, word }) => `${count} ${word}`).join(' ');
}

const clockOf = ({ clock, faults }: PageParts): Content => {
  const rules = faults.list();
  return html`${rules.length > 0 && html`<span class="badge" title="${faultsInWords(rules)}">${counted(rules.length, 'fault')} put in</span>`}<span id="now">${moment(clock.now())}</span> UTC${
    clock.offsetMs >= 1000 && html`<span class="badge">turned ahead ${ahead(clock.offsetMs)}</span>`
  }`;
};

const faultsInWords = (rules: readonly FaultCount[]): string =>
  rules
    .slice(0, 10)
    .map(({ rule: { match, status, drop, body, delayMs }, disturbed }) => {
      const what = [status, drop && `dropped ${drop}`, body, delayMs !== undefined && `${delayMs} ms late`];
      return `${match}: ${what.filter((each) => each !== undefined && each !== false).join(', ')}; struck ${disturbed}`;
    })
    .join('\n');

const missing = (what: string): Markup =>
  html`<h1>Not here</h1><p class="nothing">There is no such ${what}. It may have been deleted, or the sandbox was started anew. <a href="/">To the first account</a></p>`;

interface View {
  readonly status: number;
  readonly title: string;
  readonly content: Markup;
}

/** How the profile of the sandbox, which acts on `home`, gets to an account; `undefined` where it does not. */
function reachOf(account: Branch, home: Branch | undefined): Reach | undefined {
  if (!home || !(account === home || textsAt(account.account.hidden, 'tree').includes(home.account.id)))
    return undefined;
  return account === home ? {} : { account: account.account.id };
}

interface Around {
  readonly tree: readonly Branch[];
  /** The account that the profile of the sandbox acts on. */
  readonly home: Branch | undefined;
  readonly chosen: Branch | undefined;
  readonly names: ReadonlyMap<string, string>;
}

async function viewOf(place: Place, { tree, home, chosen, names }: Around, parts: PageParts): Promise<View> {
  const gone = (what: string): View => ({ status: 404, title: 'Not here', content: missing(what) });
  const { store, log, clock } = parts;
  const { kind, id } = place;
  if (place.log !== undefined)
    return {
      status: 200,
      title: 'Requests and deliveries',
      content: logView(place, log, names, new Date(clock.now()).toISOString()),
    };
  if (!chosen) return gone('account');
  const { account } = chosen;
  const viewing = { account, store, nowMs: clock.now(), reach: reachOf(chosen, home) };
  if (kind === undefined) {
    const below = tree.filter(({ account: each }) => textsAt(each.hidden, 'tree').includes(account.id));
    const around = new Set([account.id, ...below.map(({ account: each }) => each.id)]);
    const content = await accountView({ ...viewing, entries: log.since(), names, around });
    return { status: 200, title: nameOf(account), content };
  }
  const resource = kindNamed(kind);
  if (!resource) return gone('kind of record');
  if (id === undefined) {
    const content = await listView(resource, place, viewing);
    return { status: 200, title: resource.name, content };
  }
  const record = await recordOf(store, resource, account.id, id);
  if (!record) return gone(resource.singular);
  const content = await recordView(resource, record, viewing);
  return { status: 200, title: nameOf(record, resource), content };
}

/** The page of a place: what is there now, the accounts around it, and what happened last. */
export async function answerPage(query: URLSearchParams, parts: PageParts): Promise<Page> {
  const place = placeAt(query);
  const { store, clock, log, like, rateLimit } = parts;
  const tree = accountTree(await store.everyOf('accounts'));
  const names = new Map(tree.map(({ account }) => [account.id, nameOf(account)]));
  const home = tree.find(({ depth }) => depth === 1) ?? tree[0];
  const chosen =
    place.accountId === undefined ? home : tree.find(({ account }) => account.id === place.accountId);
  const { status, title, content } = await viewOf(place, { tree, home, chosen, names }, parts);
  const whole = shell({
    title: title.slice(0, titleLetters),
    clock: clockOf(parts),
    now: clock.now(),
    accounts: accountList(tree, place.log === undefined ? chosen : undefined),
    content,
    feed: feed(log.since(), names, new Date(clock.now()).toISOString()),
    like,
    rateLimit,
    isLog: place.log !== undefined,
  });
  return { status, body: whole.text };
}
