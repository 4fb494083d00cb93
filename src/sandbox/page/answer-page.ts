import type { StoredRecord } from '../store.ts';
import { accountView } from './account-view.ts';
import { feed } from './feed-view.ts';
import { listView } from './list-view.ts';
import { accountTree, type Branch, kindNamed, nameOf, recordOf } from './look.ts';
import { type Content, html, type Markup } from './markup.ts';
import type { PageParts } from './page-route.ts';
import { linkTo, type Place, placeAt } from './place.ts';
import { recordView } from './record-view.ts';
import { contentSecurityPolicy, shell } from './shell.ts';
import { moment, own } from './values.ts';

/** A page to send. */
export interface Page {
  readonly status: number;
  readonly body: string;
}

/** What every page is sent with. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const accountsAtMost = 300;

const list = (branches: readonly Branch[], current: string | undefined): Markup =>
  html`<ul>${branches
    .slice(0, accountsAtMost)
    .map(
      ({ account, depth }) =>
        html`<li class="depth${Math.min(depth, 4)}"><a href="${linkTo({ accountId: account.id })}"${
          account.id === current && html` aria-current="true"`
        }>${own(nameOf(account))}</a></li>`,
    )}</ul>${branches.length > accountsAtMost && html`<p class="dim">and ${branches.length - accountsAtMost} more</p>`}`;

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

const clockOf = ({ clock }: PageParts): Content =>
  html`<span id="now">${moment(clock.now())}</span> UTC${
    clock.offsetMs >= 1000 && html`<span class="badge">turned ahead ${ahead(clock.offsetMs)}</span>`
  }`;

const missing = (what: string): Markup =>
  html`<h1>Not here</h1><p class="nothing">There is no such ${what}. It may have been deleted.</p>`;

interface View {
  readonly status: number;
  readonly title: string;
  readonly content: Markup;
}

async function viewOf(
  { kind, id }: Place,
  account: StoredRecord | undefined,
  parts: PageParts,
): Promise<View> {
  const gone = (what: string): View => ({ status: 404, title: 'Not here', content: missing(what) });
  if (!account) return gone('account');
  const { store } = parts;
  if (kind === undefined)
    return { status: 200, title: nameOf(account), content: await accountView(account, store) };
  const resource = kindNamed(kind);
  if (!resource) return gone('kind of record');
  if (id === undefined) {
    return { status: 200, title: resource.name, content: await listView(resource, account, store) };
  }
  const record = await recordOf(store, resource, account.id, id);
  if (!record) return gone(resource.singular);
  const content = await recordView(resource, record, account, store);
  return { status: 200, title: nameOf(record, resource), content };
}

/** The page of a place: what is there now, the accounts around it, and what happened last. */
export async function answerPage(query: URLSearchParams, parts: PageParts): Promise<Page> {
  const place = placeAt(query);
  const { store, clock, log, strict } = parts;
  const tree = accountTree(await store.everyOf('accounts'));
  const home = tree.find(({ depth }) => depth === 1) ?? tree[0];
  const chosen = tree.find(({ account }) => account.id === place.accountId);
  const account = (place.accountId === undefined ? home : chosen)?.account;
  const { status, title, content } = await viewOf(place, account, parts);
  const whole = shell({
    title,
    clock: clockOf(parts),
    now: clock.now(),
    accounts: list(tree, account?.id),
    content,
    feed: feed(log.since(), new Map(tree.map(({ account: each }) => [each.id, nameOf(each)]))),
    strict,
  });
  return { status, body: whole.text };
}
