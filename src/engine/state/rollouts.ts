import type { FailureKind } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../base/json.ts';
import { formatWriter } from './state.ts';

/**
 * A rollout applies one manifest to many accounts in waves. Any process that has the state and the manifest's files
 * can continue it. The record contains no value of a file, a variable or a secret.
 */
export interface RolloutStart {
  readonly version: 1;
  readonly what: 'apply' | 'undo';
  readonly undoes?: string;
  readonly atMs: number;
  /** User who started it: `alice@laptop`. */
  readonly who: string;
  /** Command line without secrets. */
  readonly command?: string;
  readonly origin: string;
  readonly ownerId: string;
  readonly set: string;
  /** Files of the manifest and the list of accounts. */
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
  /** Options that produce the same plans. */
  readonly options: JsonObject;
  /** Accounts per wave, in the order of `accounts`. */
  readonly waves: readonly number[];
  readonly pauseMs: number;
  /** Accounts of a wave that may fail before the rollout stops. */
  readonly maxFailures: { readonly count: number } | { readonly percent: number };
  /** The first wave allows no failures. With `asks`, the rollout then stops until it is resumed. */
  readonly canary?: 'goes-on' | 'asks' | undefined;
  /**
   * After each wave except the last, a command decides whether to continue. Only the starting process knows the
   * command.
   */
  readonly checked?: boolean | undefined;
  /** Reverses the changes of a wave if the rollout stops there. */
  readonly undoesFailures?: boolean | undefined;
  readonly window?: RolloutWindow | undefined;
  /** Filters of the list's rows: `region=eu`. */
  readonly where?: readonly string[] | undefined;
  /** File of the reviewed plan. An account with a different plan is not changed. */
  readonly reviewed?: string | undefined;
  /** Across all accounts. */
  readonly maxDeletesTotal: number;
  /** Charges that the user accepted across all accounts. */
  readonly charges: 'none' | 'all' | { readonly upTo: string };
}

/** Minutes since midnight in a time zone. The window can include midnight. */
export interface RolloutWindow {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

/** The part of a rollout that changes. `stopped` waits for `rollout resume`. */
export interface RolloutProgress {
  readonly state: 'running' | 'stopped' | 'cancelled' | 'finished';
  readonly wave: number;
  readonly why?: string | undefined;
  /** The wave with too many failed accounts, more failing webhooks, or a failed check. */
  readonly failedWave?: number | undefined;
  /** The wave to reverse, and the rollout that reverses it. */
  readonly reversing?: { readonly wave: number; readonly undo?: string } | undefined;
  /** End of the pause after the previous wave. No account starts earlier. */
  readonly heldUntilMs?: number | undefined;
  /** Objects that were deleted or are about to be. */
  readonly deletes: number;
  /** Accepted charges as a decimal number. */
  readonly charged: string;
}

export interface Rollout extends RolloutStart, RolloutProgress {
  readonly id: string;
  /** Database user that started it. `undefined` if the state is not in a database. */
  readonly writer?: string | undefined;
}

/** Includes the database user, if there is one. */
export const formatStarter = ({ writer, who }: Pick<Rollout, 'writer' | 'who'>): string =>
  writer === undefined ? who : formatWriter(writer, who);

export type AccountState = 'waiting' | 'running' | 'done' | 'unchanged' | 'failed';

export interface RolloutAccount {
  readonly position: number;
  readonly wave: number;
  readonly accountId: string;
  /** Name in the list. */
  readonly word: string;
  /** Name according to the service. */
  readonly name?: string;
  readonly state: AccountState;
  /** Current attempt, from 1. */
  readonly tries: number;
  /** Steps by action, counted before the rollout. */
  readonly planned?: Readonly<Record<string, number>>;
  /** Hash of the accepted plan. */
  readonly agreed?: string;
  /** Steps of all attempts by outcome. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Runs of the log, oldest first. Each is added before it sends a request. */
  readonly runs: readonly string[];
  /** Runs that an undo reverses, oldest first. */
  readonly reverses?: readonly string[];
  /** Deleted objects, counted for the whole rollout. */
  readonly deletes?: number;
  /** Objects that are not in the manifest and remain, because telctl did not create or adopt them. */
  readonly neverAdopted?: readonly string[];
  /** Webhooks that failed before the account started. */
  readonly failingHooks?: number | undefined;
  readonly error?: { readonly kind: FailureKind; readonly message: string };
  /** Current or last process. */
  readonly worker?: string;
  readonly tookMs?: number;
}

export interface AccountCount {
  readonly wave: number;
  readonly state: AccountState;
  readonly count: number;
}

export interface AccountFilter {
  readonly wave?: number;
  readonly states?: readonly AccountState[];
}

/** Numbers are never reused. */
export interface Rollouts {
  /** Returns the number of a new rollout. Removes rollouts older than the retention time of the log. */
  begin(
    start: RolloutStart & Pick<RolloutProgress, 'state'>,
    accounts: readonly RolloutAccount[],
  ): Promise<string>;
  newest(filter?: Partial<Pick<Rollout, 'state' | 'origin'>>): AsyncIterable<Rollout>;
  read(id: string): Promise<Rollout | undefined>;
  /**
   * Changes the progress, accepted charges, or check of a rollout, one process at a time. `change` returns
   * `undefined` to change nothing.
   */
  change(
    id: string,
    change: (
      now: Rollout,
    ) => Partial<RolloutProgress & Pick<RolloutStart, 'charges' | 'checked'>> | undefined,
  ): Promise<Rollout | undefined>;
  counts(id: string): Promise<readonly AccountCount[]>;
  /** Reads accounts in order, page by page. */
  accounts(id: string, filter?: AccountFilter): AsyncIterable<RolloutAccount>;
  account(id: string, position: number): Promise<RolloutAccount | undefined>;
  /** Stores an account if `canReplaceAccount` allows it. Returns true if it was stored. */
  put(id: string, account: RolloutAccount): Promise<boolean>;
  close(): Promise<void>;
}

export const firstProgress = (state: RolloutProgress['state']): RolloutProgress => ({
  state,
  wave: 1,
  deletes: 0,
  charged: '0',
});

export const matchesAccountFilter = ({ wave, state }: RolloutAccount, filter: AccountFilter): boolean =>
  (filter.wave === undefined || filter.wave === wave) &&
  (filter.states === undefined || filter.states.includes(state));

/**
 * Returns true if a report about an account replaces the stored one. A new attempt starts once, and only while the
 * rollout runs and the account is not finished. Reports of older attempts are ignored. A run is only added while the
 * rollout runs, so that a cancelled rollout starts no work. Only the last worker of a finished account can make it
 * wait again, or remove its runs.
 */
export function canReplaceAccount(
  said: RolloutAccount,
  known: RolloutAccount,
  state: RolloutProgress['state'] | undefined,
): boolean {
  // The same report was stored before a connection broke.
  if (JSON.stringify(said) === JSON.stringify(known)) return true;
  if (said.tries !== known.tries)
    return said.tries === known.tries + 1 && state === 'running' && isAccountOpen(known);
  if (known.state === 'failed' || known.state === 'done')
    return (
      said.worker === known.worker &&
      (said.state === 'waiting' || (said.state === known.state && said.runs.length === 0))
    );
  if (said.runs.length > known.runs.length && said.state === 'running' && state !== 'running') return false;
  return known.state === 'running' && said.worker === known.worker;
}

export const openStates: readonly AccountState[] = ['waiting', 'running'];

export const isAccountOpen = ({ state }: Pick<RolloutAccount, 'state'>): boolean =>
  openStates.includes(state);

export function countAccounts(accounts: Iterable<RolloutAccount>): readonly AccountCount[] {
  const counts = new Map<string, AccountCount>();
  for (const { wave, state } of accounts) {
    const key = `${wave} ${state}`;
    counts.set(key, { wave, state, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

const isAccount = (value: Json | undefined): value is JsonObject & RolloutAccount =>
  isObject(value) &&
  [value.position, value.wave, value.tries].every((each) => typeof each === 'number') &&
  [value.state, value.accountId, value.word].every((each) => typeof each === 'string') &&
  Array.isArray(value.runs);

const isRollout = (value: Json | undefined): value is JsonObject & Omit<Rollout, 'id' | 'writer'> =>
  isObject(value) &&
  value.version === 1 &&
  [value.state, value.what, value.origin, value.charged].every((each) => typeof each === 'string') &&
  [value.wave, value.deletes].every((each) => typeof each === 'number') &&
  [value.waves, value.inputs].every((each) => Array.isArray(each)) &&
  isObject(value.options);

/** Returns `undefined` for an incomplete line, which a killed process left. */
export function parseAccount(text: string): RolloutAccount | undefined {
  const value = parseJson(text);
  return isAccount(value) ? value : undefined;
}

export function parseRollout(text: string): Omit<Rollout, 'id' | 'writer'> | undefined {
  const value = parseJson(text);
  return isRollout(value) ? value : undefined;
}
