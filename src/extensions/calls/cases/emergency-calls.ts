import { isObject, type JsonObject, textOrUndefined, textsIn } from '../../../base/json.ts';
import { emergencyNumbers } from '../../../contract/emergency-numbers.ts';
import { seededNumbers } from '../engine/clock.ts';
import { makeCall } from '../engine/make-call.ts';
import { nameByKind } from '../engine/records.ts';
import type { Call, CallAccount } from '../engine/types.ts';

/** An emergency call from a phone, with its end and the number and address that the emergency service sees. */
export interface EmergencyCall {
  readonly from: string;
  readonly number: string;
  /** `carrier NAME`, `voicemail BOX` or `nobody`, as in case files. */
  readonly ends_in: string;
  readonly shows: string | null;
  readonly address: string | null;
  /** The problem as a sentence. `null` if the emergency service is reached and sees a number with an address. */
  readonly problem: string | null;
}

/**
 * Simulates calls to each emergency number from each enabled phone. `numbers` are the phone numbers of the account, if
 * they could be read.
 */
export function emergencyCalls(
  account: CallAccount,
  { at, numbers }: { readonly at: number; readonly numbers: readonly JsonObject[] | undefined },
): readonly EmergencyCall[] {
  const addresses =
    numbers &&
    new Map(numbers.map((record) => [textOrUndefined(record.id) ?? '', formatE911Address(record.e911)]));
  return account
    .of('devices')
    .filter(({ enabled }) => enabled !== false)
    .flatMap((device) =>
      (account.emergency ?? emergencyNumbers()).map((number): EmergencyCall => {
        const call = makeCall({
          account,
          at,
          to: number,
          presses: [],
          people: new Map(),
          others: { does: 'answers', after: 6 },
          acts: [],
          pivots: new Map(),
          from: { device: String(device.id) },
          random: seededNumbers(1),
        });
        const shows = call.legs.findLast(({ side, carrier }) => side === 'B' && carrier !== undefined)
          ?.callerId.number;
        const address = shows === undefined ? undefined : addresses?.get(shows);
        return {
          from: nameByKind('devices', device),
          number,
          ends_in: [call.end.in, call.end.name].filter((word) => word !== undefined).join(' '),
          shows: shows ?? null,
          address: address ?? null,
          problem: problemOf(call, { shows, address, isKnown: addresses !== undefined }) ?? null,
        };
      }),
    );
}

function problemOf(
  { end, legs }: Call,
  {
    shows,
    address,
    isKnown,
  }: { readonly shows: string | undefined; readonly address: string | undefined; readonly isKnown: boolean },
): string | undefined {
  if (end.in !== 'carrier') return `reaches no carrier. ${end.why ?? `It ends in ${end.in}`}`.trim();
  if (!legs.some(({ facts }) => facts.emergency_resource === true))
    return 'goes out as an ordinary call: the carrier does not treat it as an emergency';
  if (shows === undefined || !/\d{3}/.test(shows)) return 'shows no number for a call back';
  return isKnown && address === undefined ? `shows ${shows}, which has no emergency address` : undefined;
}

function formatE911Address(e911: JsonObject[string]): string | undefined {
  if (!isObject(e911)) return undefined;
  const parts = ['street_address', 'extended_address', 'locality', 'region', 'postal_code'].map(
    (key) => e911[key],
  );
  const text = textsIn(parts.filter((part) => part !== undefined)).join(', ');
  return text === '' ? undefined : text;
}
