import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { publish } from '../events/queue-events.ts';
import { textAt } from '../fields.ts';
import { newId } from '../identifiers.ts';
import type { Services } from '../services.ts';
import { type AccountRecords, calledName, nearestHint } from '../telephony/account-records.ts';
import { gregorianSeconds } from '../timestamps.ts';
import { countIn, isDryRun, textIn } from './call-request.ts';
import { fullNotice, mostMessages } from './full-box.ts';
import { leaveMessage } from './leave-message.ts';
import { callerOf } from './routing.ts';

const usualSeconds = 10;
const longestSeconds = 3600;

/** Leaves a message in a box past any callflow: the record, and the notification of it. Throws `Failure`. */
export async function leaveInBox(
  services: Services,
  own: AccountRecords,
  body: JsonObject,
): Promise<JsonObject> {
  const named = textIn(body, 'box');
  const box =
    (await own.holding('vmboxes', 'mailbox', named)) ??
    (await own.get('vmboxes', named)) ??
    (await own.find('vmboxes', (each) => each.name === named));
  if (!box) {
    const message = `${calledName(own.account)} has no voicemail box ${JSON.stringify(named)}.`;
    const near = await nearestHint(own, 'vmboxes', named, ['name', 'mailbox']);
    throw new Failure('not_found', message, { hint: near ?? 'telctl vmboxes list' });
  }
  const caller = await callerOf(own, textIn(body, 'from'), textAt(body, 'from_name'));
  const full = await fullNotice(services, { account: own.account, box });
  if (full) {
    if (!isDryRun(body)) await publish(services, [full]);
    const message = `The voicemail box ${JSON.stringify(calledName(box))} is full: it holds ${mostMessages} messages or more.`;
    throw new Failure('refused', message, { hint: 'telctl vmboxes messages delete --help' });
  }
  const seconds = countIn(body, 'seconds', usualSeconds, longestSeconds);
  const { messageId, changes, events } = leaveMessage(services, {
    account: own.account,
    box,
    caller: { name: caller.name, number: caller.number },
    to: textAt(box.body, 'mailbox') ?? named,
    callId: newId(services.random),
    at: gregorianSeconds(services.clock),
    seconds,
    text: textAt(body, 'text'),
  });
  if (!isDryRun(body)) await publish(services, events, changes);
  return {
    message_id: messageId,
    vmbox_id: box.id,
    box: calledName(box),
    account_id: own.account.id,
    account_name: calledName(own.account),
    from: caller.number,
    seconds,
    events: events.map(({ id, hook, payload }) => ({ id, hook, payload })),
  };
}
