import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { textsAt } from '../fields.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { calledName } from '../telephony/account-records.ts';
import { ongoingCalls } from '../telephony/ongoing-calls.ts';

/** Trunks that a call from or to the public network takes, the first free one of them. */
const trunksFor = {
  inbound: ['inbound_trunks', 'twoway_trunks', 'burst_trunks'],
  outbound: ['outbound_trunks', 'twoway_trunks', 'burst_trunks'],
} as const;

export type Direction = keyof typeof trunksFor;

/** A call that no trunk carries is paid for by the minute; in the sandbox that is free. */
const perMinute = 'per_minute';

/** The resource type of calls; limits that name it are not held against them. */
const callType = 'audio';

const limitOf = (limits: JsonObject, key: string): number | undefined => {
  const value = limits[key];
  return typeof value === 'number' ? value : undefined;
};

/** True where the calls under way matter: without, a busy account reads thousands of them for each new one. */
const isLimited = (limits: JsonObject): boolean =>
  limits.allow_prepay === false ||
  limitOf(limits, 'calls') !== undefined ||
  limitOf(limits, 'resource_consuming_calls') !== undefined ||
  Object.values(trunksFor)
    .flat()
    .some((trunk) => (limitOf(limits, trunk) ?? 0) > 0);

/** Applies the limits of an account to one more call (Limits; Limits record). */
export class CallLimits {
  readonly #limits: JsonObject;
  readonly #others: readonly StoredRecord[];
  readonly #account: StoredRecord;
  readonly #now: number;
  readonly #taken: string[] = [];

  private constructor(
    account: StoredRecord,
    limits: JsonObject,
    others: readonly StoredRecord[],
    now: number,
  ) {
    this.#account = account;
    this.#limits = limits;
    this.#others = others;
    this.#now = now;
  }

  /** Reads the limits of an account and the calls that are under way in it (`now` in Gregorian seconds). */
  static async of(store: Store, account: StoredRecord, now: number): Promise<CallLimits> {
    const limits = (await store.get({ kind: 'limits', scope: account.id, id: 'limits' }))?.body ?? {};
    const others = isLimited(limits) ? await ongoingCalls(store, account.id, now) : [];
    return new CallLimits(account, limits, others, now);
  }

  /** Trunks that the call takes, for those that come after it. */
  get taken(): readonly string[] {
    return this.#taken;
  }

  /** Returns the reason why there may be no further call at all. */
  noFurtherCall(): string | undefined {
    return this.#reached('calls', this.#others.length);
  }

  /** Takes a trunk to or from the public network, or says why none can be had. */
  take(direction: Direction): string | undefined {
    if (textsAt(this.#limits, 'authz_resource_types').includes(callType)) return undefined;
    if (this.#taken.length === 0) {
      const consuming = this.#others.filter(({ body }) => textsAt(body, 'trunks').length > 0).length;
      const reached = this.#reached('resource_consuming_calls', consuming);
      if (reached !== undefined) return reached;
    }
    const used = [...this.#others.flatMap(({ body }) => textsAt(body, 'trunks')), ...this.#taken];
    const isFree = (trunk: string): boolean =>
      used.filter((each) => each === trunk).length < (limitOf(this.#limits, trunk) ?? 0);
    const free = trunksFor[direction].find(isFree);
    if (free === undefined && this.#limits.allow_prepay === false) {
      const all = trunksFor[direction].reduce((sum, each) => sum + (limitOf(this.#limits, each) ?? 0), 0);
      const trunks = all === 0 ? `there are no ${direction} trunks` : `all ${direction} trunks are in use`;
      return `${trunks}, and allow_prepay is off`;
    }
    this.#taken.push(free ?? perMinute);
    return undefined;
  }

  /** The refusal of a call, with when to try again. */
  refusal(reason: string): Failure {
    const [first] = this.#others;
    const seconds = first && Number(first.body.ends_at) - this.#now;
    return new Failure('refused', `${calledName(this.#account)} takes no further call: ${reason}.`, {
      hint:
        seconds === undefined || this.#isClosed()
          ? 'Raise the limits: telctl limits set'
          : `The next call ends in ${seconds} s: telctl sandbox clock advance ${seconds}s`,
      details: { reason, calls_under_way: this.#others.length },
    });
  }

  /** Tells whether a limit lets no call through at all, however many end. */
  #isClosed(): boolean {
    return [this.#limits.calls, this.#limits.resource_consuming_calls].includes(0);
  }

  #reached(key: string, count: number): string | undefined {
    const limit = limitOf(this.#limits, key);
    return limit === undefined || count < limit
      ? undefined
      : `${key} allows ${limit}, and ${count} under way`;
  }
}
