import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { commandWordsOf } from '../../../contract/resource.ts';
import type { Resource } from '../../../contract/types.ts';
import { flowPicture } from '../flow-picture.ts';
import {
  type Address,
  type Content,
  callForm,
  commandLine,
  gregorianMoment,
  html,
  isolated,
  type Markup,
  type Reach,
} from '../html/markup.ts';
import type { FollowedCall, ReadAccount, Reader, ReadRecord } from '../reader.ts';
import type { FlowStep } from './flow-layout.ts';
import { readFlow } from './flow-steps.ts';
import { table } from './list-view.ts';
import {
  breadcrumbs,
  fieldsOf,
  type NamedIds,
  pageName,
  readNamedIds,
  shownBody,
  textAt,
} from './records.ts';
import { readWebhook, type WebhookData, webhookView } from './webhook-view.ts';

const messagesAtMost = 50;

/** Facts that belong to a record and are not in it: its picture, its deliveries, its messages. */
interface Beside {
  readonly flow?: FlowStep | undefined;
  readonly followed?: FollowedCall | undefined;
  readonly webhook?: WebhookData;
  readonly messages?: readonly ReadRecord[];
}

export interface RecordData extends Beside {
  readonly resource: Resource;
  readonly account: ReadAccount;
  readonly reach: Reach | undefined;
  readonly record: ReadRecord;
  readonly known: NamedIds;
  readonly address: Address;
}

async function readBeside(
  reader: Reader,
  { name }: Resource,
  record: ReadRecord,
  { accountId, at, presses }: Address & { readonly accountId: string },
): Promise<Beside> {
  if (name === 'callflows') {
    const followed = await reader.follow?.(accountId, record.id, { at, presses });
    const marks = new Map<JsonObject, string>();
    for (const place of followed?.reached ?? []) {
      const step = valueAt(record.body, place);
      if (isObject(step)) marks.set(step, 'reached');
    }
    return { flow: await readFlow(reader, record, accountId, marks), followed };
  }
  if (name === 'webhooks') return { webhook: await readWebhook(reader, record, accountId) };
  return name === 'vmboxes' ? { messages: await reader.messages(accountId, record.id, messagesAtMost) } : {};
}

/** Reads what belongs to a record, and the names of what its ids mean. */
export async function readAroundRecord(
  reader: Reader,
  resource: Resource,
  record: ReadRecord,
  {
    address,
    account: { id: accountId },
    accounts,
  }: {
    readonly address: Address;
    readonly account: ReadAccount;
    readonly accounts: readonly ReadAccount[];
  },
): Promise<Beside & Pick<RecordData, 'known'>> {
  const shown = { id: record.id, body: shownBody(resource, record) };
  const [beside, known] = await Promise.all([
    readBeside(reader, resource, record, { ...address, accountId }),
    readNamedIds(reader, shown, accountId, accounts),
  ]);
  return { ...beside, known };
}

export const pictureOf = (callflow: ReadRecord, flow: FlowStep): Markup => {
  const name = pageName(callflow).slice(0, 200);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${name}">${flowPicture(name, flow)}</div>`;
};

const besideView = ({ record, reach, flow, followed, webhook, messages, address }: RecordData): Content => [
  followed && callForm(address, followed.at),
  followed?.sentence !== undefined && html`<p>${isolated(followed.sentence)}</p>`,
  flow && pictureOf(record, flow),
  webhook && webhookView(record.id, webhook, reach),
  messages &&
    messages.length > 0 &&
    html`<section><h2>Messages</h2>${table({ resource: resourceByName('messages'), records: messages })}</section>`,
];

export function recordView(data: RecordData): Markup {
  const { resource, account, reach, record, known } = data;
  const { id, body, createdAt, modifiedAt, revision } = record;
  const name = textAt(body, 'name') || pageName(record, resource);
  const ids = resource.kind === 'singleton' ? [] : [id];
  return html`${breadcrumbs(account, resource)}<h1>${isolated(name)}</h1><p class="facts"><span>${resource.singular}</span>${
    createdAt !== undefined && html`<span>made ${gregorianMoment(createdAt)}</span>`
  }${
    modifiedAt !== undefined &&
    modifiedAt !== createdAt &&
    html`<span>changed ${gregorianMoment(modifiedAt)}</span>`
  }${revision !== undefined && html`<span>revision ${revision}</span>`}<code>${id}</code></p>${commandLine(reach, [...commandWordsOf(resource), 'get', ...ids])}${besideView(data)}<section class="record"><h2>Fields</h2>${fieldsOf(resource, record, known, account.id)}</section>`;
}
