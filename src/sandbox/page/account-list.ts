import { html, type Markup } from '../../page/html/markup.ts';
import { textsAt } from '../fields.ts';
import type { Branch } from './look.ts';
import { nameOf } from './look.ts';
import { linkTo } from './place.ts';
import { clipped } from './values.ts';

/** So many accounts are shown as a whole tree; of more, those around the chosen one, and so many of each level. */
const treeAtMost = 60;
const levelAtMost = 40;

/** The accounts above the chosen one, it, those beside it, and those right below it. */
function around(tree: readonly Branch[], chosen: Branch | undefined): readonly Branch[] {
  const path = chosen ? [...textsAt(chosen.account.hidden, 'tree'), chosen.account.id] : [];
  const open = new Set(path);
  const shown = new Map<string, number>();
  return tree.filter(({ account, depth }) => {
    if (open.has(account.id)) return true;
    const parent = textsAt(account.hidden, 'tree').at(-1) ?? '';
    if (depth > 1 && !open.has(parent)) return false;
    const count = (shown.get(parent) ?? 0) + 1;
    shown.set(parent, count);
    return count <= levelAtMost;
  });
}

/** The accounts as a tree, as links. */
export function accountList(tree: readonly Branch[], chosen: Branch | undefined): Markup {
  const shown = tree.length > treeAtMost ? around(tree, chosen) : tree;
  const more = tree.length - shown.length;
  return html`<ul>${shown.map(
    ({ account, depth }) =>
      html`<li class="depth${Math.min(depth, 4)}"><a href="${linkTo({ accountId: account.id })}" title="${nameOf(account).slice(0, 200)}"${
        account.id === chosen?.account.id && html` aria-current="true"`
      }>${clipped(nameOf(account))}</a></li>`,
  )}</ul>${more > 0 && html`<p class="dim">${more} more, below these or beside them: <code>telctl accounts tree</code></p>`}`;
}
