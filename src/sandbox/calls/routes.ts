import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { isRoutable, normalisedNumber } from '../../contract/phone-number.ts';
import type { ControlRequest, ControlRoute } from '../control-route.ts';
import { newEventId, publish } from '../events/queue-events.ts';
import { textAt } from '../fields.ts';
import { newId } from '../made-values.ts';
import type { Services } from '../services.ts';
import { type AccountRecords, calledName } from '../telephony/account-records.ts';
import { callRequest, chosenAccount, isDryRun, refusalOf, textIn } from './call-request.ts';
import { leaveInBox } from './leave-message.ts';
import { receiveFax } from './receive-fax.ts';
import { listPhones, registerPhone, unregisterPhone } from './register-phone.ts';
import { accountWith, callerOf } from './routing.ts';
import { simulateCall } from './simulate-call.ts';

const longestBody = 1600;

/**
 * Lets an SMS come or go: one event of the hook `sms`, which the specification announces as coming soon (Events;
 * payload by Conventions). To a number in service it arrives in the account that has it; somebody of the account sends
 * to anybody. Throws `Failure`.
 */
async function sendSms(services: Services, own: AccountRecords, body: JsonObject): Promise<JsonObject> {
  const dialled = textIn(body, 'to');
  const caller = await callerOf(own, textIn(body, 'from'), undefined);
  const text = textAt(body, 'body') ?? '';
  if (text === '') throw new Failure('usage', '"body" is missing.');
  if (text.length > longestBody)
    throw new Failure('usage', `An SMS of more than ${longestBody} characters is not taken.`);
  const owner = await accountWith(services.store, dialled);
  if (!caller.user && !owner && isRoutable(dialled))
    throw new Failure('not_found', `No account of the sandbox has ${normalisedNumber(dialled)} in service.`, {
      hint: `telctl numbers create ${normalisedNumber(dialled)}`,
    });
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

type Simulate = (services: Services, own: AccountRecords, body: JsonObject) => Promise<JsonObject>;

const simulations: readonly (readonly [path: `/sandbox/${string}`, simulate: Simulate])[] = [
  ['/sandbox/call', (services, own, body) => simulateCall(services, own, callRequest(body))],
  ['/sandbox/sms', sendSms],
  ['/sandbox/fax', receiveFax],
  ['/sandbox/voicemail', leaveInBox],
  ['/sandbox/phones/register', registerPhone],
  ['/sandbox/phones/unregister', unregisterPhone],
];

/**
 * Routes that let calls, messages and faxes come, and phones register: `POST /sandbox/call`, `sms`, `fax`,
 * `voicemail`, `phones/register` and `phones/unregister`. One is simulated after the other, so that limits count all
 * that came before. `GET /sandbox/phones?account=…` lists the phones.
 */
export function callRoutes(services: Services): readonly ControlRoute[] {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (simulate: Simulate, { body }: ControlRequest): Promise<JsonObject> => {
    const mine = last.then(async () => simulate(services, await chosenAccount(services.store, body), body));
    last = mine.catch(() => undefined);
    return mine.catch((error: unknown) => {
      throw error instanceof Failure ? refusalOf(error) : error;
    });
  };
  return [
    ...simulations.map(
      ([path, simulate]): ControlRoute => ({
        method: 'POST',
        path,
        answer: (request) => inTurn(simulate, request),
      }),
    ),
    {
      method: 'GET',
      path: '/sandbox/phones',
      answer: async ({ query }) => {
        const account = query.get('account');
        const own = await chosenAccount(services.store, account === null ? {} : { account });
        return listPhones(services, own);
      },
    },
  ];
}
