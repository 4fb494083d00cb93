import { isObject, type Json, type JsonObject, omitUndefined, valueAt } from '../../../base/json.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { classOfNumber } from '../../../contract/number-classes.ts';
import { toStoredNumber } from '../../../contract/phone-number.ts';
import { booleanOr, type CallRecords, nonEmptyText, ownersOf, recordId } from './records.ts';
import type { CallAccount } from './types.ts';

/** The owner of a leg: a device, its user, and their account. */
export interface LegOwner {
  readonly account: JsonObject;
  readonly user?: JsonObject | undefined;
  readonly device?: JsonObject | undefined;
}

export function partyOfDevice(records: CallRecords, device: JsonObject): LegOwner {
  const [owner] = ownersOf(device);
  return { account: records.account.record, device, user: records.get('users', owner) };
}

export interface ShownId {
  readonly number?: string;
  readonly name?: string;
}

export const shownId = (number: string | undefined, name: string | undefined): ShownId =>
  omitUndefined({ number, name });

/**
 * Returns the stored number and name of a kind. User settings take precedence over device and account settings,
 * unless the account prefers device settings. The emergency number of a device always takes precedence. The external
 * number is the fallback.
 */
export function storedId(party: LegOwner, kind: 'internal' | 'external' | 'emergency'): ShownId {
  const { account, user, device } = party;
  const order = booleanOr(account.prefer_device_caller_id, false)
    ? [device, user, account]
    : [user, device, account];
  const firstStored = (which: string, part: string): string | undefined =>
    (which === 'emergency' ? [device, user, account] : order)
      .map((record) => nonEmptyText(valueAt(record, `caller_id.${which}.${part}`)))
      .find((value) => value !== undefined);
  if (kind === 'emergency')
    return shownId(
      firstStored('emergency', 'number') ?? firstStored('external', 'number'),
      firstStored('emergency', 'name') ?? firstStored('external', 'name'),
    );
  const name = firstStored(kind, 'name') ?? (kind === 'internal' ? fullName(user) : undefined);
  return shownId(firstStored(kind, 'number') ?? (kind === 'internal' ? presenceOf(party) : undefined), name);
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

export const isDoNotDisturb = (party: LegOwner): boolean =>
  [party.account, party.user, party.device].some((record) =>
    booleanOr(valueAt(record, 'do_not_disturb.enabled'), false),
  );

export const isOff = ({ account, user, device }: LegOwner): boolean =>
  [account, user, device].some((record) => record !== undefined && !booleanOr(record.enabled, true));

/** Returns true if a party must not call a class of numbers. */
export function isDenied({ account, user, device }: LegOwner, kind: string): boolean {
  const restrictionOf = (record: JsonObject | undefined): Json | undefined =>
    valueAt(valueAt(record, 'call_restriction'), `${kind}.action`);
  if (restrictionOf(account) === 'deny' || restrictionOf(user) === 'deny') return true;
  if (restrictionOf(user) === 'allow') return false;
  return restrictionOf(device) === 'deny';
}

/** Returns the class of a number. Restrictions and carriers depend on it. */
export const classOf = ({ classes }: Pick<CallAccount, 'classes'>, number: string): string =>
  classOfNumber(number, classes)?.name ?? 'unknown';

/** Applies the dial plan of a party to a number. The result is in E.164 if possible. */
export function applyDialPlan(party: LegOwner, dialled: string): string {
  const plans = [party.user, party.device, party.account].flatMap((record) => {
    const plan = record?.dial_plan;
    return isObject(plan) ? Object.entries(plan) : [];
  });
  for (const [pattern, rule] of plans) {
    const groups = pattern === 'system' ? undefined : compilePattern(pattern)?.groups(dialled);
    if (groups === undefined || !isObject(rule)) continue;
    return toStoredNumber(
      `${nonEmptyText(rule.prefix) ?? ''}${groups[0] ?? dialled}${nonEmptyText(rule.suffix) ?? ''}`,
    );
  }
  return toStoredNumber(dialled);
}

export function groupsOf(records: CallRecords, ids: readonly string[]): ReadonlySet<string> {
  return new Set(
    records.account
      .of('groups')
      .filter(({ endpoints }) => isObject(endpoints) && ids.some((id) => Object.hasOwn(endpoints, id)))
      .map(recordId),
  );
}
