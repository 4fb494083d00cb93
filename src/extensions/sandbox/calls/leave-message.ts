import { Failure, nextStep } from '../../../base/failure.ts';
import { type JsonObject, textAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { isRoutable, normalisedNumber } from '../../../contract/phone-number.ts';
import type { ControlInput } from '../control-operations.ts';
import { type Event, messageNotice, notification } from '../events/event.ts';
import { newEventId, publish } from '../events/queue-events.ts';
import { displayName } from '../fields.ts';
import { gregorianSeconds, monthId, newId } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';
import type { Services } from '../services.ts';
import { newRecord, type StoreChange, type StoredRecord, scopeBelow } from '../store/store.ts';
import { type AccountRecords, accountWith, findCaller, nearestHint, notInService } from './call-account.ts';
import type { Party } from './made-call.ts';

const usualSeconds = 10;

/**
 * Leaves a message in a voicemail box without a call. Stores its record and publishes its notification. Throws
 * `Failure`.
 */
export async function leaveInBox(
  services: Services,
  own: AccountRecords,
  {
    box: named,
    from,
    from_name: fromName,
    seconds = usualSeconds,
    text,
    dry_run: isDryRun,
  }: ControlInput<'voicemail'>,
): Promise<JsonObject> {
  const box =
    (await own.findByValue('vmboxes', 'mailbox', named)) ??
    (await own.get('vmboxes', named)) ??
    (await own.find('vmboxes', (each) => each.name === named));
  if (!box) {
    const message = `${displayName(own.account)} has no voicemail box ${JSON.stringify(named)}.`;
    const near = await nearestHint(own, 'vmboxes', named, ['name', 'mailbox']);
    throw new Failure('not_found', message, { hint: near ?? nextStep`vmboxes list` });
  }
  const caller = await findCaller(own, from, fromName);
  const full = await fullNotice(services, { account: own.account, box });
  if (full) {
    if (!isDryRun) await publish(services, [full]);
    const message = `The voicemail box ${JSON.stringify(displayName(box))} is full. It has at least ${mostMessages} messages.`;
    throw new Failure('refused', message, { hint: nextStep`vmboxes messages delete --help` });
  }
  const { messageId, changes, events } = leaveMessage(services, {
    account: own.account,
    box,
    caller: { name: caller.name, number: caller.number },
    to: textAt(box.body, 'mailbox') ?? named,
    callId: newId(services.random),
    at: gregorianSeconds(services.clock),
    seconds,
    text,
  });
  if (!isDryRun) await publish(services, events, changes);
  return {
    message_id: messageId,
    vmbox_id: box.id,
    box: displayName(box),
    account_id: own.account.id,
    account_name: displayName(own.account),
    from: caller.number,
    seconds,
    events: events.map(({ id, hook, payload }) => ({ id, hook, payload })),
  };
}

/** Number of messages at which a mailbox is full for callers. The API accepts more, as compatible services do. */
const mostMessages = 100;

/**
 * Returns the notification about a full mailbox. Returns `undefined` if the mailbox accepts a message.
 */
export async function fullNotice(
  services: Services,
  { account, box }: { readonly account: StoredRecord; readonly box: StoredRecord },
): Promise<Event | undefined> {
  const count = await services.store.count('messages', scopeBelow(account.id, box.id));
  if (count < mostMessages) return undefined;
  const keys = { voicemail_box: box.id, message_count: count, max_message_count: mostMessages };
  const told = notification(services, 'voicemail_full', { accountId: account.id, keys });
  return { ...told, id: newEventId(services.random) };
}

export interface LeftMessage {
  readonly account: StoredRecord;
  readonly box: StoredRecord;
  readonly caller: Party;
  readonly to: string;
  readonly callId: string;
  /** Start of the message, in Gregorian seconds. */
  readonly at: number;
  readonly seconds: number;
  readonly text?: string | undefined;
  /** Time of the notification, in Unix milliseconds (default: now). */
  readonly toldAtMs?: number | undefined;
}

export interface Left {
  readonly messageId: string;
  readonly changes: readonly StoreChange[];
  readonly events: readonly Event[];
}

const longestName = 35;

/** Returns the record of a message in a mailbox and its notification (Conventions, Voicemail boxes). */
export function leaveMessage(services: Services, leaving: LeftMessage): Left {
  const { account, box, caller, to, callId, at, seconds, text, toldAtMs } = leaving;
  const realm = textAt(account.body, 'realm') ?? 'sandbox.example';
  const id = monthId(services.clock, services.random);
  // The record of a later message is stored now, but its notification is published later.
  const keptAt =
    toldAtMs === undefined ? gregorianSeconds(services.clock) : Math.floor(toldAtMs / 1000) + gregorianOffset;
  const transcription: JsonObject | undefined = text === undefined ? undefined : { result: 'success', text };
  const record = newRecord(
    { kind: 'messages', scope: scopeBelow(account.id, box.id), id },
    {
      folder: 'new',
      timestamp: at,
      from: `${caller.number}@${realm}`,
      to: `${to}@${realm}`,
      caller_id_name: caller.name.slice(0, longestName),
      caller_id_number: caller.number.slice(0, longestName),
      call_id: callId,
      length: seconds * 1000,
      ...(transcription ? { transcription } : {}),
    },
    keptAt,
  );
  const told = messageNotice(services, 'voicemail_new', { accountId: account.id, boxId: box.id }, record);
  return {
    messageId: id,
    changes: [buildPut(record, 'messages')],
    events: [
      { ...told, id: newEventId(services.random), ...(toldAtMs === undefined ? {} : { atMs: toldAtMs }) },
    ],
  };
}

/**
 * Simulates an SMS with one event of the hook `sms` (Events; payload by Conventions). An SMS to a number in service
 * arrives in the account of the number. Users of the account can send to any number. Throws `Failure`.
 */
export async function sendSms(
  services: Services,
  own: AccountRecords,
  { to: dialled, from, body: text, dry_run: isDryRun }: ControlInput<'sms'>,
): Promise<JsonObject> {
  const caller = await findCaller(own, from, undefined);
  const owner = await accountWith(services.store, dialled);
  if (!caller.user && !owner && isRoutable(dialled))
    throw await notInService(
      services.store,
      dialled,
      `No account of the sandbox has ${normalisedNumber(dialled)} in service.`,
    );
  const { account } = caller.user ? own : (owner ?? own);
  const id = newId(services.random);
  const payload: JsonObject = {
    hook_event: 'sms',
    id,
    account_id: account.id,
    type: 'sms',
    from: caller.number,
    to: normalisedNumber(dialled),
    body: text,
    origin: caller.user ? 'onnet' : 'offnet',
  };
  const event = { id: newEventId(services.random), hook: 'sms', accountId: account.id, payload };
  if (!isDryRun) await publish(services, [event]);
  return {
    id,
    account_id: account.id,
    account_name: displayName(account),
    from: caller.number,
    to: normalisedNumber(dialled),
    events: [{ id: event.id, hook: event.hook, payload }],
  };
}
