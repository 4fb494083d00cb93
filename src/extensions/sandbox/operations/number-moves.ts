import { type JsonObject, textAt } from '../../../base/json.ts';
import { write } from '../collections/records.ts';
import { textsAt, withoutKeys } from '../fields.ts';
import { reachableAccount } from '../identity/principal.ts';
import { accountOf, principalOf, type ServiceRequest } from '../requests/service-request.ts';
import { isLocalNumber } from '../rules/numbers.ts';
import type { StoredRecord } from '../store/store.ts';
import { belongsTo, invalidMove, numberRefusal, ownerFields } from '../telephony/numbers.ts';

/** States from which a number can reach another state (Conventions, states of phone numbers). */
const allowedOrigins = {
  in_service: ['discovery', 'available', 'aging', 'reserved', 'port_in', 'in_service'],
  reserved: ['discovery', 'available', 'in_service', 'reserved'],
  port_in: ['port_in'],
  released: ['released', 'reserved', 'port_in', 'in_service'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type TargetState = keyof typeof allowedOrigins;

export const numberState = ({ body }: StoredRecord): string => textAt(body, 'state') ?? 'available';

function refuseMove(call: ServiceRequest, number: StoredRecord, to: TargetState): void {
  const from = numberState(number);
  const isGone = to === 'released' && isLocalNumber(number, call);
  const allowed: readonly string[] = allowedOrigins[to];
  if (!isGone && !allowed.includes(from)) throw invalidMove(from, to);
}

/** Refuses (403) numbers of accounts that the caller cannot reach. Numbers without an account are allowed. */
async function refuseOthersNumbers(call: ServiceRequest, number: StoredRecord): Promise<void> {
  const account = textAt(number.hidden, 'account');
  if (account !== undefined) await reachableAccount(account, principalOf(call), call.services.store);
}

/** Assigns a number to an account and records its former account. */
export function assignNumber(
  call: ServiceRequest,
  number: StoredRecord,
  account: StoredRecord,
  state: string,
  body: JsonObject = number.body,
): Promise<StoredRecord> {
  const former = textAt(number.hidden, 'account');
  const history = textsAt(number.hidden, 'history');
  return write(
    call,
    'numbers',
    {
      ...number,
      hidden: {
        ...number.hidden,
        ...ownerFields(account),
        history: former === undefined || former === account.id ? history : [...history, former],
      },
    },
    { ...body, state, assigned_to: account.id },
  );
}

/** Moves a number to a state in the account of the path. Refuses invalid transitions. */
export async function moveNumber(
  call: ServiceRequest,
  number: StoredRecord,
  to: Exclude<TargetState, 'released'>,
  body: JsonObject,
): Promise<StoredRecord> {
  await refuseOthersNumbers(call, number);
  refuseMove(call, number, to);
  const account = accountOf(call);
  const isChecked = call.services.behaviour.phoneNumbers.moves === 'checked';
  if (isChecked && numberState(number) === to && belongsTo(number, account)) {
    throw numberRefusal(400, 'no_change_required', `The number is ${to} in this account.`, number.id);
  }
  return assignNumber(call, number, account, to, body);
}

/** Releases a number. Refuses numbers in other states than those that allow it. */
export async function releaseNumber(call: ServiceRequest, number: StoredRecord): Promise<StoredRecord> {
  refuseMove(call, number, 'released');
  return returnNumber(call, number);
}

/** Returns a number in any state to its former account, or makes it available. Local numbers are deleted. */
export async function returnNumber(call: ServiceRequest, number: StoredRecord): Promise<StoredRecord> {
  if (isLocalNumber(number, call)) {
    call.changes.push({ change: 'remove', record: number, erase: true });
    return { ...number, body: { ...number.body, state: 'deleted' } };
  }
  const history = textsAt(number.hidden, 'history');
  const former = history.at(-1);
  const account =
    former === undefined
      ? undefined
      : await call.services.store.get({ kind: 'accounts', scope: '', id: former });
  const hidden = account ? { ...ownerFields(account), history: history.slice(0, -1) } : {};
  const kept = withoutKeys(number.body, (key) => key === 'assigned_to');
  return write(
    call,
    'numbers',
    { ...number, hidden },
    account ? { ...kept, state: 'reserved', assigned_to: account.id } : { ...kept, state: 'available' },
  );
}
