import { valueAt } from '../../base/json.ts';
import { normalisedNumber } from '../../contract/phone-number.ts';
import { allowed } from './limits.ts';
import { type Party, partyOfDevice, type ShownId, storedId } from './parties.ts';
import { flagOf, idOf, type Records, said } from './records.ts';
import { beginLeg, endLeg, type Leg, type Run } from './run.ts';
import type { Caller } from './types.ts';

/** The party that calls: a device and its user, or the account alone for who calls from outside. */
export function partyOfCaller(records: Records, from: Caller): Party {
  const account = records.account.record;
  const user = from.user === undefined ? undefined : records.get('users', from.user);
  const devices = user ? records.devicesOf(idOf(user)) : [];
  const device =
    from.device === undefined
      ? (devices.find((each) => flagOf(each.enabled, true)) ?? devices[0])
      : records.get('devices', from.device);
  if (device) {
    const party = partyOfDevice(records, device);
    return user ? { ...party, user } : party;
  }
  return { account, ...(user ? { user } : {}) };
}

/** Number and name that a caller's leg has from the begin. */
function idOfCaller(party: Party, from: Caller): ShownId {
  if (!party.device && !party.user)
    return {
      ...(from.number === undefined ? {} : { number: normalisedNumber(from.number) }),
      ...(from.name === undefined ? {} : { name: from.name }),
    };
  const stored = storedId(party, 'internal');
  const username = said(valueAt(party.device, 'sip.username'));
  const shown = { ...(username === undefined ? {} : { number: username, name: username }), ...stored };
  return from.name === undefined ? shown : { ...shown, name: from.name };
}

export function beginCall(run: Run, records: Records, from: Caller, to: string, into?: string): Leg {
  const party = partyOfCaller(records, from);
  const isOffnet = !party.device && !party.user;
  const came = idOfCaller(party, from);
  const leg = beginLeg(run, {
    side: 'A',
    to: normalisedNumber(to),
    callerId: came,
    ...(party.device ? { device: idOf(party.device) } : {}),
    ...(party.user ? { user: idOf(party.user) } : {}),
    facts: isOffnet ? { inception: normalisedNumber(to) } : {},
  });
  const refusal = isOffnet ? allowed(run, leg, 'inbound', normalisedNumber(to), true) : undefined;
  if (refusal !== undefined) {
    run.reasons.set(leg, 'The limits of the account do not allow the call.');
    endLeg(run, leg, refusal);
    return leg;
  }
  const flow = into === undefined ? undefined : records.get('callflows', into);
  run.startRoute(leg, {
    records,
    dialled: to,
    party,
    isOffnet,
    came,
    isAuthorised: !isOffnet,
    ...(flow ? { flow } : {}),
  });
  return leg;
}
