import { isObject } from '../../base/json.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { Resource } from '../../contract/types.ts';
import { flowPicture } from '../../page/flow-picture.ts';
import { type Content, html, type Markup } from '../../page/html/markup.ts';
import { textAt, textsAt } from '../fields.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { attentionView, type Trouble } from './attention-view.ts';
import { commandLine } from './command-line.ts';
import { flowTree } from './flow-tree.ts';
import { kindNamed, kindsOfAccounts, nameOf, recordsOf, whereIs } from './look.ts';
import { linkTo } from './place.ts';
import { clipped, fieldsOf, own } from './values.ts';

/** Pictures on the page of an account. */
const picturesAtMost = 6;

const countOf = (store: Store, { name }: Resource, accountId: string): Promise<number> => {
  const { scope, key } = whereIs(name, accountId);
  return store.count(name, scope, key);
};

/** A callflow as a picture; `undefined` where it has no flow. */
export async function pictureOf(
  { body, id }: Pick<StoredRecord, 'body' | 'id'>,
  accountId: string,
  store: Store,
): Promise<Markup | undefined> {
  if (!isObject(body.flow)) return undefined;
  const [number = 'no number', ...others] = [...textsAt(body, 'numbers'), ...textsAt(body, 'patterns')];
  const step = await flowTree(body.flow, { id, accountId }, store);
  const start = { name: number, about: others.join(', '), branches: [{ key: '_', step }] };
  const name = nameOf({ id, body }).slice(0, 200);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${name}">${flowPicture(name, start)}</div>`;
}

async function pictures(accountId: string, store: Store, total: number): Promise<Content> {
  const callflows = resourceByName('callflows');
  const records = await recordsOf(store, callflows, accountId, picturesAtMost);
  const drawn = await Promise.all(
    records.map(async (record) => {
      const name = textAt(record.body, 'name') ?? nameOf(record, callflows);
      const link = linkTo({ accountId, kind: 'callflows', id: record.id });
      return html`<figure><figcaption><a href="${link}">${clipped(name)}</a></figcaption>${await pictureOf(record, accountId, store)}</figure>`;
    }),
  );
  const all = linkTo({ accountId, kind: 'callflows' });
  return (
    drawn.length > 0 &&
    html`<section><h2>Where calls go</h2>${drawn}${total > drawn.length && html`<p class="more"><a href="${all}">All ${total} callflows</a></p>`}</section>`
  );
}

/** An account: what failed there lately, what it has, and where its calls go. */
export async function accountView(trouble: Trouble): Promise<Markup> {
  const { account, store, reach } = trouble;
  const { id, body } = account;
  const counted = await Promise.all(
    kindsOfAccounts.map(async (kind) => ({ kind, count: await countOf(store, kind, id) })),
  );
  const facts = ['realm', 'timezone', 'language'].flatMap((key) => textAt(body, key) ?? []);
  const accounts = resourceByName('accounts');
  const callflows = counted.find(({ kind }) => kind === kindNamed('callflows'))?.count ?? 0;
  return html`<h1>${own(nameOf(account, accounts))}</h1><p class="facts">${facts.map(
    (fact) => html`<span>${own(fact)}</span>`,
  )}<code>${id}</code></p>${commandLine(reach, ['accounts', 'get', id])}${await attentionView(trouble)}<h2>What it has</h2><ul class="tiles">${counted.map(
    ({ kind, count }) =>
      html`<li><a href="${linkTo({ accountId: id, kind: kind.name })}"${count === 0 && html` class="empty"`}><b>${kind.kind === 'singleton' ? (count > 0 ? 'set' : '–') : count}</b><span>${kind.name}</span></a></li>`,
  )}</ul>${await pictures(id, store, callflows)}<section class="record"><h2>Fields of the account</h2>${await fieldsOf(accounts, account, trouble)}</section>`;
}
