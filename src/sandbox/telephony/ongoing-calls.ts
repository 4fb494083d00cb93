import type { JsonObject } from '../../base/json.ts';
import type { Change, Store, StoredRecord } from '../store/store.ts';

/** Kind of the records of calls that are under way; they are told to nobody and forgotten once they are over. */
const kind = 'calls';

/** Number of calls of an account that are looked at. */
const mostCalls = 10_000;
/** Number of ended calls that are forgotten at once. */
const forgottenAtOnce = 100;

/** A call that is remembered, until it ends. */
export interface OngoingCall {
  readonly callId: string;
  /** Gregorian seconds. */
  readonly startedAt: number;
  /** Gregorian seconds. */
  readonly endsAt: number;
  /** From and to, trunks, conference. */
  readonly body: JsonObject;
}

// Gregorian seconds have eleven digits for the next thousand years: as texts they stand in order.
const orderOf = (endsAt: number): string => String(endsAt).padStart(11, '0');

/** The write of a call that is under way. `revision` is the one that was read: 0 for a new call. */
export function callPut(accountId: string, call: OngoingCall, revision = 0): Change {
  const { callId, startedAt, endsAt, body } = call;
  const { conference_id: conference } = body;
  return {
    change: 'put',
    record: {
      ...{ kind, scope: accountId, id: callId, body: { ...body, ends_at: endsAt }, hidden: {} },
      ...{ createdAt: startedAt, modifiedAt: startedAt, revision },
    },
    order: orderOf(endsAt),
    keys: typeof conference === 'string' ? [{ field: 'conference', value: conference }] : [],
    claims: [],
  };
}

/** Calls of an account that are under way at a moment (Gregorian seconds), the one that ends first before the others. */
export const ongoingCalls = (
  store: Store,
  accountId: string,
  now: number,
  conferenceId?: string,
): Promise<readonly StoredRecord[]> =>
  store.stretch({
    kind,
    scope: accountId,
    key: conferenceId === undefined ? undefined : { field: 'conference', value: conferenceId },
    ascending: true,
    from: { order: orderOf(now + 1) },
    limit: mostCalls,
  });

/** Forgets calls that are over. */
export async function forgetOver(store: Store, accountId: string, now: number): Promise<readonly Change[]> {
  const oldest = await store.stretch({ kind, scope: accountId, ascending: true, limit: forgottenAtOnce });
  return oldest
    .filter(({ body }) => Number(body.ends_at) <= now)
    .map(({ scope, id }) => ({ change: 'remove', record: { kind, scope, id }, erase: true }));
}
