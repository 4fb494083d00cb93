import { type exitCodes, Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ControlRequest, ControlRoute } from '../control-route.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import type { AccountRecords } from '../telephony/account-records.ts';
import { callRequest } from './call-request.ts';
import { chosenAccount } from './chosen-account.ts';
import { leaveInBox } from './leave-in-box.ts';
import { receiveFax } from './receive-fax.ts';
import { sendSms } from './send-sms.ts';
import { simulateCall } from './simulate-call.ts';

type Simulate = (services: Services, own: AccountRecords, body: JsonObject) => Promise<JsonObject>;

/** What a failure is answered with; the other way round of what the commands make of a status. */
const statuses: Readonly<Partial<Record<keyof typeof exitCodes, number>>> = {
  usage: 400,
  not_found: 404,
  refused: 403,
};

function refusalOf({ kind, message, hint }: Failure): Refusal {
  return new Refusal(statuses[kind] ?? 500, kind, message, hint === undefined ? {} : { hint });
}

const simulations: readonly (readonly [path: `/sandbox/${string}`, simulate: Simulate])[] = [
  ['/sandbox/call', (services, own, body) => simulateCall(services, own, callRequest(body))],
  ['/sandbox/sms', sendSms],
  ['/sandbox/fax', receiveFax],
  ['/sandbox/voicemail', leaveInBox],
];

/**
 * Routes that let calls, messages and faxes come: `POST /sandbox/call`, `sms`, `fax`, `voicemail`. One is simulated
 * after the other, so that limits count all that came before.
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
  return simulations.map(([path, simulate]) => ({
    method: 'POST',
    path,
    answer: (request) => inTurn(simulate, request),
  }));
}
