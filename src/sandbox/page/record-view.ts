import { resourceByName } from '../../contract/catalogue.ts';
import type { Resource } from '../../contract/types.ts';
import { messagesScope } from '../message-place.ts';
import type { Store, StoredRecord } from '../store.ts';
import { pictureOf } from './account-view.ts';
import { attemptsView } from './attempts-view.ts';
import { crumbs } from './crumbs.ts';
import { table } from './list-view.ts';
import { nameOf } from './look.ts';
import { type Content, html, type Markup } from './markup.ts';
import { shownBody } from './shown-body.ts';
import { fieldsOf, gregorianMoment, own } from './values.ts';

const messagesAtMost = 50;

async function messagesOf(accountId: string, id: string, store: Store): Promise<Content> {
  const messages = resourceByName('messages');
  const scope = messagesScope(accountId, id);
  const found = await store.stretch({ kind: 'messages', scope, ascending: false, limit: messagesAtMost });
  return found.length > 0 && html`<section><h2>Messages</h2>${table(messages, found)}</section>`;
}

/** What belongs to a record and is not in it: its picture, its deliveries, its messages. */
async function beside(
  { name }: Resource,
  record: StoredRecord,
  accountId: string,
  store: Store,
): Promise<Content> {
  if (name === 'callflows') return pictureOf(record, accountId, store);
  if (name === 'webhooks') return attemptsView(accountId, record.id, store);
  return name === 'vmboxes' ? messagesOf(accountId, record.id, store) : undefined;
}

/** One record. */
export async function recordView(
  resource: Resource,
  record: StoredRecord,
  account: StoredRecord,
  store: Store,
): Promise<Markup> {
  const { id, createdAt, modifiedAt, revision } = record;
  const name =
    typeof record.body.name === 'string' && record.body.name !== ''
      ? record.body.name
      : nameOf(record, resource);
  return html`${crumbs(account, resource)}<h1>${own(name)}</h1><p class="facts"><span>${resource.singular}</span><span>made ${gregorianMoment(
    createdAt,
  )}</span>${modifiedAt !== createdAt && html`<span>changed ${gregorianMoment(modifiedAt)}</span>`}<span>revision ${revision}</span><code>${id}</code></p>${await beside(
    resource,
    record,
    account.id,
    store,
  )}<section class="record"><h2>Fields</h2>${fieldsOf(resource, shownBody(resource, record), account.id)}</section>`;
}
