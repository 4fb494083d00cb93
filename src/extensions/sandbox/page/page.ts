import { Failure } from '../../../base/failure.ts';
import { formatCount } from '../../../base/wording.ts';
import { type AuditedAccount, findingsOf } from '../../../engine/html/audit-page.ts';
import {
  type AccountReach,
  addressIn,
  clipped,
  commandLine,
  html,
  linkTo,
  type Markup,
} from '../../../engine/html/markup.ts';
import type { ReadAccount, Reader } from '../reader.ts';
import { document, type PageFrame, pageHeaders } from './document.ts';
import { accountView } from './views/account-view.ts';
import { listView } from './views/list-view.ts';
import { feed, logView, runsView } from './views/log-view.ts';
import { planView } from './views/plan-view.ts';
import { recordView } from './views/record-view.ts';
import { breadcrumbs, kindNamed, pageName } from './views/records.ts';
import { firstRollouts, rolloutsView, rolloutView } from './views/rollout-view.ts';

export type { PageFrame };

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const titleLetters = 120;

interface View {
  readonly status: number;
  readonly title: string;
  readonly content: Markup;
}

const missing = (what: string): View => ({
  status: 404,
  title: 'Not here',
  content: html`<h1>Not here</h1><p class="nothing">This ${what} does not exist. It may have been deleted, or the service may have restarted. <a href="?">Go to the first account</a></p>`,
});

/** Returns true if there are rollouts. Errors of the state appear only on the page of rollouts. */
async function hasRollouts({ rollouts }: Reader): Promise<boolean> {
  if (!rollouts) return false;
  try {
    return (await firstRollouts(rollouts, 1)).length > 0;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/**
 * Answers a request for a page: the view of its address, with the account tree and the latest requests. `frame` describes
 * the program that serves the page.
 */
export async function answerPage(query: URLSearchParams, reader: Reader, frame: PageFrame): Promise<Page> {
  const address = addressIn(query);
  const accounts = await reader.accounts();
  const tree = accountTree(accounts);
  const names = new Map(accounts.map((account) => [account.id, pageName(account)]));
  const now = new Date(reader.now()).toISOString();
  const home =
    tree.find(({ account }) => account.id === frame.home) ?? tree.find(({ depth }) => depth === 1) ?? tree[0];
  const { accountId } = address;
  const chosen = accountId === undefined ? home : tree.find(({ account }) => account.id === accountId);
  const log = reader.log?.();
  const { plan, runs, audit, rollouts } = reader;
  const isPlan = plan !== undefined && (address.view === 'plan' || [...query].length === 0);
  const isOfAll = address.view === 'runs' || address.view === 'rollouts';
  const isLog = address.log !== undefined && log !== undefined;

  const viewOf = async (branch: AccountBranch): Promise<View> => {
    const { account } = branch;
    const reach = reachOf(branch, home);
    if (address.kind === undefined) {
      const below = accounts.filter(({ above }) => above.includes(account.id));
      const branchIds = new Set([account.id, ...below.map(({ id }) => id)]);
      const around = { account, reach, log, names, branch: branchIds, now };
      const content = await accountView(reader, around, accounts);
      return { status: 200, title: pageName(account), content };
    }
    const resource = kindNamed(address.kind);
    if (!resource) return missing('kind of record');
    if (address.id === undefined) {
      const content = await listView(reader, resource, account, address, reach);
      return { status: 200, title: resource.name, content };
    }
    const record = await reader.record(account.id, resource.name, address.id);
    if (!record) return missing(resource.singular);
    const content = await recordView(reader, resource, record, { address, account, accounts, reach });
    return { status: 200, title: pageName(record, resource), content };
  };

  const other = async (): Promise<View | undefined> => {
    if (isLog)
      return { status: 200, title: 'Requests and deliveries', content: logView(address, log, names, now) };
    if (isPlan) return { status: 200, title: 'Plan', content: await planView(reader, plan) };
    if (runs && address.view === 'runs')
      return { status: 200, title: 'Changes', content: runsView(await runs(), now) };
    if (rollouts && address.view === 'rollouts') {
      if (address.id === undefined) {
        const content = rolloutsView(await firstRollouts(rollouts), now);
        return { status: 200, title: 'Rollouts', content };
      }
      const content = await rolloutView(reader, address.id, names, now);
      return content ? { status: 200, title: `Rollout ${address.id}`, content } : missing('rollout');
    }
    if (audit && chosen && address.view === 'audit') {
      const { account } = chosen;
      const audited = await audit({ id: account.id, name: pageName(account) });
      const content = auditView(account, audited, reachOf(chosen, home));
      return { status: 200, title: 'Audit', content };
    }
    return undefined;
  };
  const shown = await other();
  const { status, title, content }: View = shown ?? (chosen ? await viewOf(chosen) : missing('account'));
  const whole = document(frame, {
    title: title.slice(0, titleLetters),
    nowMs: reader.now(),
    accounts: accountList(tree, isLog || isPlan || isOfAll ? undefined : chosen),
    content,
    feed: log && feed(log, names, now),
    links: [
      ...(plan ? [{ text: 'Plan', link: linkTo({ view: 'plan' }) }] : []),
      ...(audit && chosen
        ? [{ text: 'Audit', link: linkTo({ accountId: chosen.account.id, view: 'audit' }) }]
        : []),
      ...(runs ? [{ text: 'Changes', link: linkTo({ view: 'runs' }) }] : []),
      ...((await hasRollouts(reader)) ? [{ text: 'Rollouts', link: linkTo({ view: 'rollouts' }) }] : []),
    ].map((each) => ({ ...each, isCurrent: each.text === title })),
    isLog,
  });
  return { status, headers: pageHeaders, body: whole.text };
}

export interface AccountBranch {
  readonly account: ReadAccount;
  readonly depth: number;
}

/** Largest tree that is shown in full. Larger trees show only accounts around the chosen one. */
const treeAtMost = 60;
const levelAtMost = 40;

/** Shared, because every page compares thousands of names. */
const collator = new Intl.Collator('en');

/** Orders accounts so that each is followed by its descendants. */
function accountTree(accounts: readonly ReadAccount[]): readonly AccountBranch[] {
  const ids = new Set(accounts.map(({ id }) => id));
  const byParent = Map.groupBy(accounts, ({ above }) => {
    const parent = above.at(-1);
    return parent !== undefined && ids.has(parent) ? parent : '';
  });
  const below = (parent: string, depth: number): readonly AccountBranch[] =>
    (byParent.get(parent) ?? [])
      .toSorted((a, b) => collator.compare(pageName(a), pageName(b)))
      .flatMap((account) => [{ account, depth }, ...below(account.id, depth + 1)]);
  return below('', 0);
}

/** Returns the options that select an account, or `undefined` if the profile cannot reach it. */
function reachOf({ account }: AccountBranch, home: AccountBranch | undefined): AccountReach | undefined {
  if (account === home?.account) return {};
  return home && account.above.includes(home.account.id) ? { account: account.id } : undefined;
}

/** Returns the chosen account, its ancestors, siblings and children. */
function around(tree: readonly AccountBranch[], chosen: AccountBranch | undefined): readonly AccountBranch[] {
  const path = chosen ? [...chosen.account.above, chosen.account.id] : [];
  const open = new Set(path);
  const shown = new Map<string, number>();
  return tree.filter(({ account, depth }) => {
    if (open.has(account.id)) return true;
    const parent = account.above.at(-1) ?? '';
    if (depth > 1 && !open.has(parent)) return false;
    const count = (shown.get(parent) ?? 0) + 1;
    shown.set(parent, count);
    return count <= levelAtMost;
  });
}

function accountList(tree: readonly AccountBranch[], chosen: AccountBranch | undefined): Markup {
  const shown = tree.length > treeAtMost ? around(tree, chosen) : tree;
  const more = tree.length - shown.length;
  return html`<ul>${shown.map(
    ({ account, depth }) =>
      html`<li class="depth${Math.min(depth, 4)}"><a href="${linkTo({ accountId: account.id })}" title="${pageName(account).slice(0, 200)}"${
        account.id === chosen?.account.id && html` aria-current="true"`
      }>${clipped(pageName(account))}</a></li>`,
  )}</ul>${more > 0 && html`<p class="dim">${more} more accounts: <code>telctl accounts tree</code></p>`}`;
}

const auditView = (account: ReadAccount, audited: AuditedAccount, reach: AccountReach | undefined): Markup =>
  html`${breadcrumbs(account)}<h1>Audit</h1><p class="facts">${formatCount(audited.findings.length, 'finding')}: weak, lost or unused, each with a command that fixes it.</p>${commandLine(reach, ['audit'])}<div class="audit">${findingsOf(audited)}</div>`;
