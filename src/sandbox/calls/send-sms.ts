import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { isRoutable, normalisedNumber } from '../../contract/phone-number.ts';
import { newEventId, publish } from '../events/queue-events.ts';
import { textAt } from '../fields.ts';
import { newId } from '../made-values.ts';
import type { Services } from '../services.ts';
import { type AccountRecords, calledName } from '../telephony/account-records.ts';
import { isDryRun, textIn } from './call-request.ts';
import { accountWith, callerOf, notInService } from './who-calls.ts';

const longestBody = 1600;

/**
 * Lets an SMS come or go: one event of the hook `sms`, which the specification announces as coming soon (Events;
 * payload by Conventions). To a number in service it arrives in the account that has it; somebody of the account sends
 * to anybody. Throws `Failure`.
 */
export async function sendSms(
  services: Services,
  own: AccountRecords,
  body: JsonObject,
): Promise<JsonObject> {
  const dialled = textIn(body, 'to');
  const caller = await callerOf(own, textIn(body, 'from'), undefined);
  const text = textAt(body, 'body') ?? '';
  if (text === '') throw new Failure('usage', '"body" is missing.');
  if (text.length > longestBody)
    throw new Failure('usage', `An SMS of more than ${longestBody} characters is not taken.`);
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
  if (!isDryRun(body)) await publish(services, [event]);
  return {
    id,
    account_id: account.id,
    account_name: calledName(account),
    from: caller.number,
    to: normalisedNumber(dialled),
    events: [{ id: event.id, hook: event.hook, payload }],
  };
}
