import { resourceByName } from '../../contract/catalogue.ts';
import type { Resource } from '../../contract/types.ts';
import { type Content, html, type Markup } from '../../page/html/markup.ts';
import { textAt } from '../fields.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { messagesScope } from '../telephony/message-place.ts';
import { pictureOf } from './account-view.ts';
import { attemptsView } from './attempts-view.ts';
import { commandLine } from './command-line.ts';
import { crumbs } from './crumbs.ts';
import { table } from './list-view.ts';
import { nameOf, type Viewing } from './look.ts';
import { fieldsOf, gregorianMoment, own } from './values.ts';

const messagesAtMost = 50;

async function messagesOf(accountId: string, id: string, store: Store): Promise<Content> {
  const resource = resourceByName('messages');
  const scope = messagesScope(accountId, id);
  const records = await store.stretch({ kind: 'messages', scope, ascending: false, limit: messagesAtMost });
  return records.length > 0 && html`<section><h2>Messages</h2>${table({ resource, records })}</section>`;
}

/** What belongs to a record and is not in it: its picture, its deliveries, its messages. */
async function beside({ name }: Resource, record: StoredRecord, viewing: Viewing): Promise<Content> {
  const { account, store } = viewing;
  if (name === 'callflows') return pictureOf(record, account.id, store);
  if (name === 'webhooks') return attemptsView(record, viewing);
  return name === 'vmboxes' ? messagesOf(account.id, record.id, store) : undefined;
}

/** One record. */
export async function recordView(
  resource: Resource,
  record: StoredRecord,
  viewing: Viewing,
): Promise<Markup> {
  const { account, reach } = viewing;
  const { id, createdAt, modifiedAt, revision } = record;
  const name = textAt(record.body, 'name') || nameOf(record, resource);
  const ids = resource.kind === 'singleton' ? [] : [id];
  return html`${crumbs(account, resource)}<h1>${own(name)}</h1><p class="facts"><span>${resource.singular}</span><span>made ${gregorianMoment(
    createdAt,
  )}</span>${modifiedAt !== createdAt && html`<span>changed ${gregorianMoment(modifiedAt)}</span>`}<span>revision ${revision}</span><code>${id}</code></p>${commandLine(reach, [resource.name, 'get', ...ids])}${await beside(
    resource,
    record,
    viewing,
  )}<section class="record"><h2>Fields</h2>${await fieldsOf(resource, record, viewing)}</section>`;
}
