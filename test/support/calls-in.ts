import { timers } from '../../src/base/host/real-host.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { storedRecords } from '../../src/extensions/sandbox/calls/call-account.ts';
import type { CallRequest } from '../../src/extensions/sandbox/calls/call-request.ts';
import { simulateStoredCall } from '../../src/extensions/sandbox/calls/simulate-call.ts';
import { accountRecordName } from '../../src/extensions/sandbox/identity/principal.ts';
import { makeServices } from '../../src/extensions/sandbox/services.ts';
import { seededRandom } from './clock.ts';
import type { World } from './world.ts';

/** Creates calls in the account of a world without the API. Default: 60 s long, live, answered after 6 s. */
export function callsIn({
  sandbox,
}: World): (
  from: string,
  to: string,
  more?: Partial<Omit<CallRequest, 'from' | 'to'>>,
) => Promise<JsonObject> {
  const { store, clock, seed } = sandbox;
  const services = makeServices({ store, clock, timers, random: seededRandom(5), version: '5.0.0' });
  return async (from, to, more = {}) => {
    const account = await store.get(accountRecordName(seed.accountId));
    if (!account) throw new Error('the seed has no account');
    return simulateStoredCall(services, storedRecords(store, account), {
      ...{ from, fromName: undefined, to, durationS: 60, others: { does: 'answers', after: 6 } },
      ...{ presses: [], realTime: true, dryRun: false, ...more },
    });
  };
}
