import { isObject, type Json, type JsonObject, omitUndefined, valueAt } from '../../../base/json.ts';
import { compiled } from '../../../contract/call-patterns.ts';
import { classOfNumber } from '../../../contract/number-classes.ts';
import { keptNumber } from '../../../contract/phone-number.ts';
import { booleanOr, type CallRecords, nonEmptyText, ownersOf, recordId } from './records.ts';
import type { CallAccount } from './types.ts';

/** Who stands behind a leg: a device, its user, and their account. */
export interface LegOwner {
  readonly account: JsonObject;
  readonly user?: JsonObject | undefined;
  readonly device?: JsonObject | undefined;
}

export function partyOfDevice(records: CallRecords, device: JsonObject): LegOwner {
  const [owner] = ownersOf(device);
  return { account: records.account.record, device, user: records.get('users', owner) };
}

/** Number and name that a party shows. */
export interface ShownId {
  readonly number?: string;
  readonly name?: string;
}

export const shownId = (number: string | undefined, name: string | undefined): ShownId =>
  omitUndefined({ number, name });

/**
 * Number and name of a kind, as stored: the user's come before the device's and the account's, unless the account
 * prefers those of devices. The emergency number of a device comes first in any case, and the external one stands in.
 */
export function storedId(party: LegOwner, kind: 'internal' | 'external' | 'emergency'): ShownId {
  const { account, user, device } = party;
  const order = booleanOr(account.prefer_device_caller_id, false)
    ? [device, user, account]
    : [user, device, account];
  const first = (which: string, part: string): string | undefined =>
    (which === 'emergency' ? [device, user, account] : order)
      .map((record) => nonEmptyText(valueAt(record, `caller_id.${which}.${part}`)))
      .find((value) => value !== undefined);
  if (kind === 'emergency')
    return shownId(
      first('emergency', 'number') ?? first('external', 'number'),
      first('emergency', 'name') ?? first('external', 'name'),
    );
  const name = first(kind, 'name') ?? (kind === 'internal' ? fullName(user) : undefined);
  return shownId(first(kind, 'number') ?? (kind === 'internal' ? presenceOf(party) : undefined), name);
}

const fullName = (user: JsonObject | undefined): string | undefined => {
  const name = [nonEmptyText(user?.first_name), nonEmptyText(user?.last_name)]
    .flatMap((part) => part ?? [])
    .join(' ');
  return name === '' ? undefined : name;
};

const presenceOf = ({ user, device }: LegOwner): string | undefined =>
  [user, device]
    .map((record) => nonEmptyText(record?.presence_id)?.split('@')[0])
    .find((id) => id !== undefined);

/** True where account, user or device wants no calls. */
export const isUndisturbed = (party: LegOwner): boolean =>
  [party.account, party.user, party.device].some((record) =>
    booleanOr(valueAt(record, 'do_not_disturb.enabled'), false),
  );

export const isOff = ({ account, user, device }: LegOwner): boolean =>
  [account, user, device].some((record) => record !== undefined && !booleanOr(record.enabled, true));

/** Tells whether a party may not call a class of numbers. */
export function isDenied({ account, user, device }: LegOwner, kind: string): boolean {
  const action = (record: JsonObject | undefined): Json | undefined =>
    valueAt(valueAt(record, 'call_restriction'), `${kind}.action`);
  if (action(account) === 'deny' || action(user) === 'deny') return true;
  if (action(user) === 'allow') return false;
  return action(device) === 'deny';
}

/** The class of a number, by which calls are restricted and carriers chosen. */
export const classOf = ({ classes }: Pick<CallAccount, 'classes'>, number: string): string =>
  classOfNumber(number, classes)?.name ?? 'unknown';

/** A number as a party's dialling plan makes it, in E.164 where it can be. */
export function planned(party: LegOwner, dialled: string): string {
  const plans = [party.user, party.device, party.account].flatMap((record) => {
    const plan = record?.dial_plan;
    return isObject(plan) ? Object.entries(plan) : [];
  });
  for (const [pattern, rule] of plans) {
    const groups = pattern === 'system' ? undefined : compiled(pattern)?.groups(dialled);
    if (groups === undefined || !isObject(rule)) continue;
    return keptNumber(
      `${nonEmptyText(rule.prefix) ?? ''}${groups[0] ?? dialled}${nonEmptyText(rule.suffix) ?? ''}`,
    );
  }
  return keptNumber(dialled);
}

/** Ids of groups to which a user or a device belongs. */
export function groupsOf(records: CallRecords, ids: readonly string[]): ReadonlySet<string> {
  return new Set(
    records.account
      .of('groups')
      .filter(({ endpoints }) => isObject(endpoints) && ids.some((id) => Object.hasOwn(endpoints, id)))
      .map(recordId),
  );
}
