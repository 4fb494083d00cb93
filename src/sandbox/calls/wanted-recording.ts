import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import type { Simulation } from './simulation.ts';
import type { Walk } from './walk.ts';

type Direction = 'inbound' | 'outbound';
type Network = 'onnet' | 'offnet';

/** Settings of one level for such a call, where it has any: those of its direction go before `any`. */
function settingsFor(
  settings: Json | undefined,
  direction: Direction,
  network: Network,
): JsonObject | undefined {
  if (!isObject(settings)) return undefined;
  for (const way of [direction, 'any'])
    for (const from of [network, 'any']) {
      const found = valueAt(settings, `${way}.${from}`);
      if (isObject(found) && typeof found.enabled === 'boolean') return found;
    }
  return undefined;
}

/**
 * Begins the recording that the settings of who talks ask for, unless a step of the callflow does it already: those of
 * a device go before those of its user, and those before what the account says of its endpoints; then what the account
 * says of itself (Conventions, Recordings).
 */
export async function recordAsSet(call: Simulation, { end }: Walk): Promise<void> {
  if (
    end.kind !== 'talk' ||
    end.other === undefined ||
    call.recorded.some(({ until }) => until === undefined)
  )
    return;
  const { other } = end;
  const { records, caller } = call;
  const { call_recording: ofAccount } = records.account.body;
  const goesOut = other.authorizing?.type === 'resource';
  const network: Network = caller.user && !goesOut ? 'onnet' : 'offnet';
  const deviceId = other.authorizing?.type === 'device' ? other.authorizing.id : undefined;
  const device = deviceId === undefined ? undefined : await records.get('devices', deviceId);
  const userId = other.ownerId ?? (other.authorizing?.type === 'user' ? other.authorizing.id : undefined);
  const callee = userId === undefined ? undefined : await records.get('users', userId);
  const ofEndpoints = isObject(ofAccount) ? ofAccount.endpoint : undefined;
  const ends: readonly (readonly [Direction, readonly (Json | undefined)[]])[] = [
    ...(goesOut
      ? []
      : [['inbound', [device?.body.call_recording, callee?.body.call_recording, ofEndpoints]] as const]),
    ...(caller.user ? [['outbound', [caller.user.body.call_recording, ofEndpoints]] as const] : []),
  ];
  const begin = (data: JsonObject, direction: Direction, whose: string): void => {
    const origin = `${direction} from ${network} to ${whose}`;
    call.recorded.push({ from: 0, data: { record_on_bridge: true, ...data }, origin });
  };
  for (const [direction, levels] of ends) {
    const said = levels.map((level) => settingsFor(level, direction, network)).find((each) => each);
    if (said?.enabled === true) return begin(said, direction, 'endpoint');
  }
  const direction = caller.user ? 'outbound' : 'inbound';
  const found = isObject(ofAccount) ? settingsFor(ofAccount.account, direction, network) : undefined;
  if (found?.enabled === true && network === 'offnet') begin(found, direction, 'account');
}
