import { counted, inWords } from '../../../base/wording.ts';
import type { Resource } from '../../../contract/types.ts';
import { type AuditedAccount, findingsOf } from '../audit-page.ts';
import { commandLine, linkTo, type Reach } from '../html/address.ts';
import { clipped, html, type Markup } from '../html/markup.ts';
import type { ReadAccount } from '../reader.ts';
import { pageName } from './names.ts';

export interface Branch {
  readonly account: ReadAccount;
  readonly depth: number;
}

/** Most accounts that are shown as a whole tree; of more, those around the chosen one are. */
const treeAtMost = 60;
const levelAtMost = 40;

/** Made once: thousands of names are compared for every page. */
const collator = new Intl.Collator('en');

/** Accounts with those below them following each. */
export function accountTree(accounts: readonly ReadAccount[]): readonly Branch[] {
  const ids = new Set(accounts.map(({ id }) => id));
  const byParent = Map.groupBy(accounts, ({ above }) => {
    const parent = above.at(-1);
    return parent !== undefined && ids.has(parent) ? parent : '';
  });
  const below = (parent: string, depth: number): readonly Branch[] =>
    (byParent.get(parent) ?? [])
      .toSorted((a, b) => collator.compare(pageName(a), pageName(b)))
      .flatMap((account) => [{ account, depth }, ...below(account.id, depth + 1)]);
  return below('', 0);
}

/** The options that lead from the profile's account to another one; `undefined` where the profile does not reach it. */
export function reachOf({ account }: Branch, home: Branch | undefined): Reach | undefined {
  if (account === home?.account) return {};
  return home && account.above.includes(home.account.id) ? { account: account.id } : undefined;
}

/** The accounts above the chosen one, it, those beside it, and those right below it. */
function around(tree: readonly Branch[], chosen: Branch | undefined): readonly Branch[] {
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

export function accountList(tree: readonly Branch[], chosen: Branch | undefined): Markup {
  const shown = tree.length > treeAtMost ? around(tree, chosen) : tree;
  const more = tree.length - shown.length;
  return html`<ul>${shown.map(
    ({ account, depth }) =>
      html`<li class="depth${Math.min(depth, 4)}"><a href="${linkTo({ accountId: account.id })}" title="${pageName(account).slice(0, 200)}"${
        account.id === chosen?.account.id && html` aria-current="true"`
      }>${clipped(pageName(account))}</a></li>`,
  )}</ul>${more > 0 && html`<p class="dim">${more} more, below these or beside them: <code>telctl accounts tree</code></p>`}`;
}

/** The way back: to the account, and to the list that a record is in. */
export const breadcrumbs = (account: ReadAccount, resource?: Resource): Markup =>
  html`<nav class="crumbs" aria-label="Where this is"><a href="${linkTo({ accountId: account.id })}">${clipped(pageName(account))}</a>${
    resource &&
    html` <span aria-hidden="true">/</span> <a href="${linkTo({ accountId: account.id, kind: resource.name })}">${inWords(resource.name)}</a>`
  }</nav>`;

export const auditView = (account: ReadAccount, audited: AuditedAccount, reach: Reach | undefined): Markup =>
  html`${breadcrumbs(account)}<h1>Audit</h1><p class="facts">${counted(audited.findings.length, 'finding')}: weak, lost or left over, each with the command that helps.</p>${commandLine(reach, ['audit'])}<div class="audit">${findingsOf(audited)}</div>`;
