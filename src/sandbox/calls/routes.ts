import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ControlRequest, ControlRoute } from '../control-route.ts';
import type { Services } from '../services.ts';
import type { AccountRecords } from '../telephony/account-records.ts';
import { callRequest, chosenAccount, refusalOf } from './call-request.ts';
import type { Turned } from './traffic.ts';

type Simulate = (services: Services, own: AccountRecords, body: JsonObject) => Promise<JsonObject>;

/** Each is loaded when it is first asked for: a sandbox answers sooner. */
const simulations: readonly (readonly [path: `/sandbox/${string}`, load: () => Promise<Simulate>])[] = [
  [
    '/sandbox/call',
    async () => {
      const { simulateCall } = await import('./simulate-call.ts');
      return (services, own, body) => simulateCall(services, own, callRequest(body));
    },
  ],
  ['/sandbox/sms', async () => (await import('./send-sms.ts')).sendSms],
  ['/sandbox/fax', async () => (await import('./receive-fax.ts')).receiveFax],
  ['/sandbox/voicemail', async () => (await import('./leave-message.ts')).leaveInBox],
  ['/sandbox/phones/register', async () => (await import('./register-phone.ts')).registerPhone],
  ['/sandbox/phones/unregister', async () => (await import('./register-phone.ts')).unregisterPhone],
];

/**
 * Routes that let calls, messages and faxes come, and phones register: `POST /sandbox/call`, `sms`, `fax`,
 * `voicemail`, `phones/register` and `phones/unregister`. One is simulated after the other, so that limits count all
 * that came before. `GET /sandbox/phones?account=…` lists the phones.
 */
export function callRoutes(services: Services): readonly ControlRoute[] {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (load: () => Promise<Simulate>, { body }: ControlRequest): Promise<JsonObject> => {
    const mine = last.then(async () => {
      const own = await chosenAccount(services.store, body);
      return (await load())(services, own, body);
    });
    last = mine.catch(() => undefined);
    return mine.catch((error: unknown) => {
      throw error instanceof Failure ? refusalOf(error) : error;
    });
  };
  return [
    ...simulations.map(
      ([path, load]): ControlRoute => ({
        method: 'POST',
        path,
        answer: (request) => inTurn(load, request),
      }),
    ),
    {
      method: 'GET',
      path: '/sandbox/phones',
      answer: async ({ query }) => {
        const account = query.get('account');
        const own = await chosenAccount(services.store, account === null ? {} : { account });
        const { listPhones } = await import('./register-phone.ts');
        return listPhones(services, own);
      },
    },
  ];
}

/** `POST /sandbox/traffic`: calls and faxes of a while, as of a busy account. */
export const trafficRoute = (services: Services, clock: Turned): ControlRoute => ({
  method: 'POST',
  path: '/sandbox/traffic',
  answer: async ({ body }) => (await import('./traffic.ts')).simulateTraffic(services, clock, body),
});
