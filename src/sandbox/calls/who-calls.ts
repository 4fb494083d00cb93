import { Failure, nextStep } from '../../base/failure.ts';
import { type JsonObject, valueAt } from '../../base/json.ts';
import { isRoutable, normalisedNumber } from '../../contract/phone-number.ts';
import type { Caller } from '../../engine/calls/types.ts';
import { textAt } from '../fields.ts';
import { accountName } from '../identity/principal.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { type AccountRecords, calledName, nearestHint, recordsOf } from '../telephony/account-records.ts';

/** Who calls: the number that is shown, and whose phone it is where the account has it. */
export interface WhoCalls {
  readonly number: string;
  readonly name: string;
  readonly user?: StoredRecord;
  readonly caller: Caller;
}

/** The number that others in the account see of a user. */
export function extensionIn(user: JsonObject): string {
  const number = valueAt(user, 'caller_id.internal.number');
  if (typeof number === 'string' && number !== '') return number;
  return textAt(user, 'presence_id') ?? textAt(user, 'username') ?? '';
}

export function personIn(user: JsonObject): string {
  const name = [textAt(user, 'first_name'), textAt(user, 'last_name')].filter(Boolean).join(' ');
  return name === '' ? (textAt(user, 'username') ?? '') : name;
}

/** Somebody outside who shows no number. */
const anonymous = 'anonymous';

/** The user of a username, an id, an extension, or a callflow that rings one user alone. */
async function userCalled(records: AccountRecords, text: string): Promise<StoredRecord | undefined> {
  const byName =
    (await records.holding('users', 'username', text.toLowerCase())) ?? (await records.get('users', text));
  if (byName) return byName;
  const byExtension = await records.find(
    'users',
    (body) => textAt(body, 'presence_id') === text || valueAt(body, 'caller_id.internal.number') === text,
  );
  if (byExtension || isRoutable(text)) return byExtension;
  const flow = (await records.holding('callflows', 'numbers', text))?.body.flow;
  const id = valueAt(flow, 'module') === 'user' ? valueAt(flow, 'data.id') : undefined;
  return typeof id === 'string' ? records.get('users', id) : undefined;
}

/** The device of a name, an id or a SIP user name. */
async function deviceCalled(records: AccountRecords, text: string): Promise<StoredRecord | undefined> {
  return (
    (await records.get('devices', text)) ??
    (await records.holding('devices', 'sip.username', text.toLowerCase())) ??
    (await records.find('devices', (body) => textAt(body, 'name') === text))
  );
}

const userWord = /^user:/;
const deviceWord = /^device:/;

/**
 * Finds the caller at that place: a user or device of the account, `user:NAME` and `device:NAME` among them, or a
 * number of the public network. Throws `Failure` (`not_found`) where it is neither, and (`refused`) for who is disabled.
 */
export async function callerOf(
  records: AccountRecords,
  from: string,
  shownName: string | undefined,
): Promise<WhoCalls> {
  const shown = shownName === undefined ? {} : { name: shownName };
  const user = deviceWord.test(from) ? undefined : await userCalled(records, from.replace(userWord, ''));
  if (user) {
    const username = calledName(user);
    if (user.body.enabled === false) throw new Failure('refused', `The user ${username} is disabled.`);
    const name = shownName ?? personIn(user.body);
    return { number: extensionIn(user.body), name, user, caller: { user: user.id, ...shown } };
  }
  if (from === anonymous) {
    const name = shownName ?? 'Anonymous';
    return { number: anonymous, name, caller: { number: anonymous, name } };
  }
  const number = normalisedNumber(from);
  if (isRoutable(number)) {
    const name = shownName ?? number;
    return { number, name, caller: { number, name } };
  }
  const device = userWord.test(from) ? undefined : await deviceCalled(records, from.replace(deviceWord, ''));
  if (device) {
    const owner = await records.get('users', textAt(device.body, 'owner_id') ?? '');
    const name = shownName ?? (owner ? personIn(owner.body) : calledName(device));
    const shownNumber = owner ? extensionIn(owner.body) : calledName(device);
    const caller = { device: device.id, ...shown };
    return { number: shownNumber, name, caller, ...(owner ? { user: owner } : {}) };
  }
  const kind = deviceWord.test(from) ? 'devices' : 'users';
  throw new Failure(
    'not_found',
    `Nobody calls from ${JSON.stringify(from)}: it is not a public number, nor a user, extension or device of ${calledName(records.account)}.`,
    {
      hint: await nearestHint(records, kind, from.replace(/^\w+:/, ''), ['username', 'presence_id', 'name']),
    },
  );
}

/** The failure where no account has a number in service, with what puts it there. */
export async function notInService(store: Store, dialled: string, what: string): Promise<Failure> {
  const number = normalisedNumber(dialled);
  const isThere = await store.get({ kind: 'numbers', scope: '', id: number });
  const hint = isThere ? nextStep`numbers activate ${number}` : nextStep`numbers create ${number}`;
  return new Failure('not_found', what, { hint });
}

export async function accountWith(store: Store, dialled: string): Promise<AccountRecords | undefined> {
  const number = await store.get({ kind: 'numbers', scope: '', id: normalisedNumber(dialled) });
  const id = number?.body.state === 'in_service' ? textAt(number.hidden, 'account') : undefined;
  const account = id === undefined ? undefined : await store.get(accountName(id));
  return account && recordsOf(store, account);
}
