import { Failure } from '../../base/failure.ts';
import { addressIn, linkTo } from './html/address.ts';
import { document, type PageFrame, pageHeaders } from './html/document.ts';
import { html, type Markup } from './html/markup.ts';
import type { Reader } from './reader.ts';
import { accountList, accountTree, auditView, type Branch, reachOf } from './views/account-tree.ts';
import { accountView, readAccount } from './views/account-view.ts';
import { listView, readList } from './views/list-view.ts';
import { feed, logView, runsView } from './views/log-view.ts';
import { kindNamed, pageName } from './views/names.ts';
import { planView, readPlan } from './views/plan-view.ts';
import { readAroundRecord, recordView } from './views/record-view.ts';
import { readRollout, readRollouts, rolloutsView, rolloutView } from './views/rollout-view.ts';

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
  content: html`<h1>Not here</h1><p class="nothing">There is no such ${what}. It may have been deleted, or the service was started anew. <a href="?">To the first account</a></p>`,
});

/** True where there is a rollout to show. A state that fails is told on its own page, not on all. */
async function hasRollouts({ rollouts }: Reader): Promise<boolean> {
  if (!rollouts) return false;
  try {
    return (await readRollouts(rollouts, 1)).length > 0;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/**
 * Answers a request for the page: reads what its address means and shows it, among the accounts and beside the last
 * requests. The frame is what the program around it says of itself.
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

  const viewOf = async (branch: Branch): Promise<View> => {
    const { account } = branch;
    const reach = reachOf(branch, home);
    if (address.kind === undefined) {
      const below = accounts.filter(({ above }) => above.includes(account.id));
      const branchIds = new Set([account.id, ...below.map(({ id }) => id)]);
      const read = await readAccount(reader, account, accounts);
      const content = accountView({ ...read, account, reach, log, names, branch: branchIds, now });
      return { status: 200, title: pageName(account), content };
    }
    const resource = kindNamed(address.kind);
    if (!resource) return missing('kind of record');
    if (address.id === undefined) {
      const read = await readList(reader, resource, account, address);
      const content = listView({ ...read, resource, account, address, reach });
      return { status: 200, title: resource.name, content };
    }
    const record = await reader.record(account.id, resource.name, address.id);
    if (!record) return missing(resource.singular);
    const read = await readAroundRecord(reader, resource, record, { address, account, accounts });
    const content = recordView({ ...read, resource, account, reach, record, address });
    return { status: 200, title: pageName(record, resource), content };
  };

  const other = async (): Promise<View | undefined> => {
    if (isLog)
      return { status: 200, title: 'Requests and deliveries', content: logView(address, log, names, now) };
    if (isPlan) {
      return { status: 200, title: 'Plan', content: planView(await readPlan(reader, plan)) };
    }
    if (runs && address.view === 'runs')
      return { status: 200, title: 'Changes', content: runsView(await runs(), now) };
    if (rollouts && address.view === 'rollouts') {
      if (address.id === undefined) {
        const content = rolloutsView(await readRollouts(rollouts), now);
        return { status: 200, title: 'Rollouts', content };
      }
      const read = await readRollout(reader, address.id);
      if (!read) return missing('rollout');
      return { status: 200, title: `Rollout ${read.rollout.id}`, content: rolloutView(read, names, now) };
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
