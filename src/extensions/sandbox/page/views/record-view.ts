import { isObject, type JsonObject, textAt, valueAt } from '../../../../base/json.ts';
import { resourceByName } from '../../../../contract/catalogue.ts';
import { commandWordsOf } from '../../../../contract/resource.ts';
import type { Resource } from '../../../../contract/types.ts';
import type { DrawnStep } from '../../../../engine/html/flow-layout.ts';
import { flowPicture } from '../../../../engine/html/flow-picture.ts';
import {
  type AccountReach,
  type Address,
  type Content,
  callForm,
  commandLine,
  formatGregorianMoment,
  html,
  isolateText,
  type Markup,
} from '../../../../engine/html/markup.ts';
import type { ReadAccount, Reader, ReadRecord } from '../../reader.ts';
import { readFlow } from './flow-steps.ts';
import { showTable } from './list-view.ts';
import { breadcrumbs, fieldsOf, pageName, readNamedIds, shownBody } from './records.ts';
import { webhookView } from './webhook-view.ts';

const messagesAtMost = 50;

export const showPicture = (callflow: ReadRecord, flow: DrawnStep): Markup => {
  const name = pageName(callflow).slice(0, 200);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${name}">${flowPicture(name, flow)}</div>`;
};

/** Shows related data of a record: its picture, deliveries and messages. */
async function showRelated(
  reader: Reader,
  { name }: Resource,
  record: ReadRecord,
  address: Address & { readonly accountId: string },
  reach: AccountReach | undefined,
): Promise<Content> {
  const { accountId, at, presses } = address;
  if (name === 'callflows') {
    const followed = await reader.follow?.(accountId, record.id, { at, presses });
    const marks = new Map<JsonObject, string>();
    for (const place of followed?.reached ?? []) {
      const step = valueAt(record.body, place);
      if (isObject(step)) marks.set(step, 'reached');
    }
    const flow = await readFlow(reader, record, accountId, marks);
    return [
      followed && callForm(address, followed.at),
      followed?.sentence !== undefined && html`<p>${isolateText(followed.sentence)}</p>`,
      flow && showPicture(record, flow),
    ];
  }
  if (name === 'webhooks') return webhookView(reader, record, accountId, reach);
  const messages = name === 'vmboxes' ? await reader.messages(accountId, record.id, messagesAtMost) : [];
  return (
    messages.length > 0 &&
    html`<section><h2>Messages</h2>${showTable({ resource: resourceByName('messages'), records: messages })}</section>`
  );
}

interface Around {
  readonly account: ReadAccount;
  readonly reach: AccountReach | undefined;
  readonly address: Address;
  readonly accounts: readonly ReadAccount[];
}

export async function recordView(
  reader: Reader,
  resource: Resource,
  record: ReadRecord,
  { address, account, accounts, reach }: Around,
): Promise<Markup> {
  const { id: accountId } = account;
  const shown = { id: record.id, body: shownBody(resource, record) };
  const [beside, known] = await Promise.all([
    showRelated(reader, resource, record, { ...address, accountId }, reach),
    readNamedIds(reader, shown, accountId, accounts),
  ]);
  const { id, body, createdAt, modifiedAt, revision } = record;
  const name = textAt(body, 'name') || pageName(record, resource);
  const ids = resource.kind === 'singleton' ? [] : [id];
  return html`${breadcrumbs(account, resource)}<h1>${isolateText(name)}</h1><p class="facts"><span>${resource.singular}</span>${
    createdAt !== undefined && html`<span>made ${formatGregorianMoment(createdAt)}</span>`
  }${
    modifiedAt !== undefined &&
    modifiedAt !== createdAt &&
    html`<span>changed ${formatGregorianMoment(modifiedAt)}</span>`
  }${revision !== undefined && html`<span>revision ${revision}</span>`}<code>${id}</code></p>${commandLine(reach, [...commandWordsOf(resource), 'get', ...ids])}${beside}<section class="record"><h2>Fields</h2>${fieldsOf(resource, record, known, accountId)}</section>`;
}
