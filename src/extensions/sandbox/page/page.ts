import { Failure } from '../../../base/failure.ts';
import { formatCount } from '../../../base/wording.ts';
import { type AuditedAccount, findingsTable } from '../../../engine/html/audit-page.ts';
import {
  type AccountReach,
  type Address,
  clipText,
  commandLine,
  html,
  linkTo,
  type Markup,
  readAddress,
} from '../../../engine/html/markup.ts';
import type { LogEntry, ReadAccount, Reader } from '../reader.ts';
import { document, type PageFrame, pageHeaders } from './document.ts';
import { accountView } from './views/account-view.ts';
import { listView } from './views/list-view.ts';
import { type AccountNames, logView, runsView, showFeed } from './views/log-view.ts';
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

const notFoundView = (what: string): View => ({
  status: 404,
  title: 'Not here',
  content: html`<h1>Not here</h1><p class="nothing">This ${what} does not exist. It may have been deleted, or the service may have restarted. <a href="?">Go to the first account</a></p>`,
});

/** Returns true if there are rollouts. Only the page of rollouts shows errors of the state. */
async function hasRollouts({ rollouts }: Reader): Promise<boolean> {
  if (!rollouts) return false;
  try {
    return (await firstRollouts(rollouts, 1)).length > 0;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

interface Visit {
  readonly reader: Reader;
  readonly address: Address;
  readonly accounts: readonly ReadAccount[];
  readonly names: AccountNames;
  /** The time of the service in ISO 8601. */
  readonly now: string;
  readonly log: readonly LogEntry[] | undefined;
  readonly home: AccountBranch | undefined;
  /** The account of the address, or else `home`. `undefined` if the account does not exist. */
  readonly chosen: AccountBranch | undefined;
}

/**
 * Answers a request for a page: the view of its address, the account tree and the latest requests. `frame` describes
 * the program that serves the page.
 */
export async function answerPage(query: URLSearchParams, reader: Reader, frame: PageFrame): Promise<Page> {
  const address = readAddress(query);
  const accounts = await reader.accounts();
  const tree = accountTree(accounts);
  const findBranch = (id: string | undefined) => tree.find(({ account }) => account.id === id);
  const home = findBranch(frame.home) ?? tree.find(({ depth }) => depth === 1) ?? tree[0];
  const visit: Visit = {
    reader,
    address: reader.plan && [...query].length === 0 ? { ...address, view: 'plan' } : address,
    accounts,
    names: new Map(accounts.map((account) => [account.id, pageName(account)])),
    now: new Date(reader.now()).toISOString(),
    log: reader.log?.(),
    home,
    chosen: address.accountId === undefined ? home : findBranch(address.accountId),
  };
  const { chosen, log } = visit;
  const { status, title, content } = (await otherView(visit)) ?? (await accountPage(visit));
  const whole = document(frame, {
    title: title.slice(0, titleLetters),
    nowMs: reader.now(),
    accounts: accountList(tree, isOfOneAccount(visit) ? chosen : undefined),
    content,
    feed: log && showFeed(log, visit.names, visit.now),
    links: (await viewLinks(visit)).map((each) => ({ ...each, isCurrent: each.text === title })),
    isLog: isLog(visit),
  });
  return { status, headers: pageHeaders, body: whole.text };
}

const isLog = ({ address, log }: Visit): boolean => address.log !== undefined && log !== undefined;

const isPlan = ({ address, reader }: Visit): boolean => address.view === 'plan' && reader.plan !== undefined;

const isOfOneAccount = (visit: Visit): boolean =>
  !isLog(visit) && !isPlan(visit) && visit.address.view !== 'runs' && visit.address.view !== 'rollouts';

async function otherView(visit: Visit): Promise<View | undefined> {
  const { reader, address, log, names, now, chosen, home } = visit;
  const { plan, runs, audit, rollouts } = reader;
  if (isLog(visit) && log)
    return { status: 200, title: 'Requests and deliveries', content: logView(address, log, names, now) };
  if (isPlan(visit) && plan) return { status: 200, title: 'Plan', content: await planView(reader, plan) };
  if (runs && address.view === 'runs')
    return { status: 200, title: 'Changes', content: runsView(await runs(), now) };
  if (rollouts && address.view === 'rollouts') {
    if (address.id === undefined)
      return { status: 200, title: 'Rollouts', content: rolloutsView(await firstRollouts(rollouts), now) };
    const content = await rolloutView(reader, address.id, names, now);
    return content ? { status: 200, title: `Rollout ${address.id}`, content } : notFoundView('rollout');
  }
  if (audit && chosen && address.view === 'audit') {
    const { account } = chosen;
    const audited = await audit({ id: account.id, name: pageName(account) });
    return {
      status: 200,
      title: 'Audit',
      content: auditView(account, audited, accountOptions(chosen, home)),
    };
  }
  return undefined;
}

/** Returns the view of an account, of a list of its records, or of one record. */
async function accountPage(visit: Visit): Promise<View> {
  const { reader, address, accounts, log, names, now, chosen, home } = visit;
  if (!chosen) return notFoundView('account');
  const { account } = chosen;
  const reach = accountOptions(chosen, home);
  if (address.kind === undefined) {
    const below = accounts.filter(({ above }) => above.includes(account.id));
    const branch = new Set([account.id, ...below.map(({ id }) => id)]);
    const content = await accountView(reader, { account, reach, log, names, branch, now }, accounts);
    return { status: 200, title: pageName(account), content };
  }
  const resource = kindNamed(address.kind);
  if (!resource) return notFoundView('kind of record');
  if (address.id === undefined) {
    const content = await listView(reader, resource, account, address, reach);
    return { status: 200, title: resource.name, content };
  }
  const record = await reader.record(account.id, resource.name, address.id);
  if (!record) return notFoundView(resource.singular);
  const content = await recordView(reader, resource, record, { address, account, accounts, reach });
  return { status: 200, title: pageName(record, resource), content };
}

async function viewLinks({ reader, chosen }: Visit) {
  const { plan, audit, runs } = reader;
  return [
    ...(plan ? [{ text: 'Plan', link: linkTo({ view: 'plan' }) }] : []),
    ...(audit && chosen
      ? [{ text: 'Audit', link: linkTo({ accountId: chosen.account.id, view: 'audit' }) }]
      : []),
    ...(runs ? [{ text: 'Changes', link: linkTo({ view: 'runs' }) }] : []),
    ...((await hasRollouts(reader)) ? [{ text: 'Rollouts', link: linkTo({ view: 'rollouts' }) }] : []),
  ];
}

export interface AccountBranch {
  readonly account: ReadAccount;
  readonly depth: number;
}

/**
 * Number of accounts up to which the complete tree is shown. Larger trees only show accounts around the selected one.
 */
const treeAtMost = 60;
const levelAtMost = 40;

/** Created once, because every page compares thousands of names. */
const collator = new Intl.Collator('en');

/** Orders accounts so that each is followed by its descendants. */
function accountTree(accounts: readonly ReadAccount[]): readonly AccountBranch[] {
  const ids = new Set(accounts.map(({ id }) => id));
  const byParent = Map.groupBy(accounts, ({ above }) => {
    const parent = above.at(-1);
    return parent !== undefined && ids.has(parent) ? parent : '';
  });
  const branchesBelow = (parent: string, depth: number): readonly AccountBranch[] =>
    (byParent.get(parent) ?? [])
      .toSorted((a, b) => collator.compare(pageName(a), pageName(b)))
      .flatMap((account) => [{ account, depth }, ...branchesBelow(account.id, depth + 1)]);
  return branchesBelow('', 0);
}

/** Returns the options that select an account. Returns `undefined` if the profile cannot reach it. */
function accountOptions(
  { account }: AccountBranch,
  home: AccountBranch | undefined,
): AccountReach | undefined {
  if (account === home?.account) return {};
  return home && account.above.includes(home.account.id) ? { account: account.id } : undefined;
}

/** Returns the selected account, its ancestors, siblings and children. */
function accountsAround(
  tree: readonly AccountBranch[],
  chosen: AccountBranch | undefined,
): readonly AccountBranch[] {
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
  const shown = tree.length > treeAtMost ? accountsAround(tree, chosen) : tree;
  const more = tree.length - shown.length;
  return html`<ul>${shown.map(
    ({ account, depth }) =>
      html`<li class="depth${Math.min(depth, 4)}"><a href="${linkTo({ accountId: account.id })}" title="${pageName(account).slice(0, 200)}"${
        account.id === chosen?.account.id && html` aria-current="true"`
      }>${clipText(pageName(account))}</a></li>`,
  )}</ul>${more > 0 && html`<p class="dim">${more} more accounts: <code>telctl accounts tree</code></p>`}`;
}

const auditView = (account: ReadAccount, audited: AuditedAccount, reach: AccountReach | undefined): Markup =>
  html`${breadcrumbs(account)}<h1>Audit</h1><p class="facts">${formatCount(audited.findings.length, 'finding')}: weak, lost or unused, each with a command that fixes it.</p>${commandLine(reach, ['audit'])}<div class="audit">${findingsTable(audited)}</div>`;
