import { valueAt } from '../../../base/json.ts';
import { normalisedNumber, normaliseTyped, toStoredNumber } from '../../../contract/phone-number.ts';
import { authorizeLeg } from './limits.ts';
import type { CallRoute } from './outcome.ts';
import { type LegOwner, partyOfDevice, type ShownId, shownId, storedId } from './parties.ts';
import { booleanOr, type CallRecords, nonEmptyText, recordId } from './records.ts';
import { beginLeg, type CallRun, endLeg, type Leg } from './run.ts';
import type { Caller } from './types.ts';

/** Returns the calling party: a device and its user, or only the account for callers from outside. */
export function partyOfCaller(records: CallRecords, from: Caller): LegOwner {
  const account = records.account.record;
  const user = records.get('users', from.user);
  const devices = user ? records.devicesOf(recordId(user)) : [];
  const device =
    from.device === undefined
      ? (devices.find((each) => booleanOr(each.enabled, true)) ?? devices[0])
      : records.get('devices', from.device);
  if (device) {
    const party = partyOfDevice(records, device);
    return user ? { ...party, user } : party;
  }
  return { account, user };
}

function idOfCaller(party: LegOwner, from: Caller, outside: (number: string) => string): ShownId {
  if (!party.device && !party.user)
    return shownId(from.number === undefined ? undefined : outside(from.number), from.name);
  const stored = storedId(party, 'internal');
  const username = nonEmptyText(valueAt(party.device, 'sip.username'));
  return { ...shownId(username, username), ...stored, ...shownId(undefined, from.name) };
}

export function beginCall(run: CallRun, records: CallRecords, from: Caller, to: string, into?: string): Leg {
  const party = partyOfCaller(records, from);
  const isOffnet = !party.device && !party.user;
  // Formats an outside number for its country. Phones of the account dial digits unchanged.
  const formatOutsideNumber = (number: string): string =>
    toStoredNumber(normaliseTyped(number, records.account.country));
  const dialled = isOffnet ? formatOutsideNumber(to) : normalisedNumber(to);
  const came = idOfCaller(party, from, formatOutsideNumber);
  const leg = beginLeg(run, {
    side: 'A',
    to: dialled,
    callerId: came,
    device: party.device && recordId(party.device),
    user: party.user && recordId(party.user),
    facts: isOffnet ? { inception: dialled } : {},
  });
  const refusal = isOffnet ? authorizeLeg(run, leg, 'inbound', dialled, true) : undefined;
  if (refusal !== undefined) {
    run.reasons.set(leg, 'The limits of the account do not allow this call.');
    endLeg(run, leg, refusal);
    return leg;
  }
  const flow = records.get('callflows', into);
  run.startRoute(run, leg, {
    records,
    dialled,
    party,
    isOffnet,
    came,
    isAuthorised: !isOffnet,
    flow,
  });
  return leg;
}

const anonymous: ShownId = { number: 'anonymous', name: 'Anonymous' };

/** Returns the number and name that a leg shows to a device of the account or to a carrier. */
export function callerIdFor(
  route: CallRoute,
  to: 'device' | 'carrier',
  kind: Kind = to === 'carrier' || route.isOffnet ? 'external' : 'internal',
): ShownId {
  const { user, device, account } = route.party;
  const own = [user, device, account]
    .map((each) => nonEmptyText(valueAt(each, 'caller_id_options.outbound_privacy')))
    .find((each) => each !== undefined);
  const isOverwritten = route.hides !== undefined && !route.mergesPrivacy;
  const hidden = new Set([route.hides, to === 'carrier' && !isOverwritten ? own : undefined]);
  const bare = configuredId(route, kind);
  if (hidden.has('full') || hidden.has('yes') || (hidden.has('name') && hidden.has('number')))
    return anonymous;
  const prefixed = route.prefixes.reduceRight<ShownId>(
    (id, prefix) => ({
      ...withPrefix('number', prefix.number, id.number),
      ...withPrefix('name', prefix.name, id.name),
    }),
    bare,
  );
  const shown = { ...prefixed, ...route.rewriteId };
  if (hidden.has('name')) return { ...shown, name: 'Anonymous' };
  return hidden.has('number') ? { ...shown, number: 'anonymous' } : shown;
}

const withPrefix = (
  part: 'number' | 'name',
  prefix: string | undefined,
  value: string | undefined,
): ShownId => {
  const text = `${prefix ?? ''}${value ?? ''}`;
  return text === '' ? {} : { [part]: text };
};

type Kind = 'internal' | 'external' | 'emergency';

function configuredId(route: CallRoute, kind: Kind): ShownId {
  if ((route.isOffnet && !route.isForwarded) || route.retainsId) return { ...route.came, ...route.dynamicId };
  return { ...route.came, ...storedId(route.party, kind), ...route.dynamicId };
}

export function emergencyCallerId(route: CallRoute): ShownId {
  const stored = storedId(route.party, 'emergency');
  return { ...configuredId(route, 'external'), ...stored };
}
