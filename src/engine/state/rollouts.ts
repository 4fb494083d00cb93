import type { FailureKind } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../base/json.ts';
import { formatWriter } from './state.ts';

/**
 * A rollout is a record of the state: one manifest, many accounts in waves, and their results. Any process that has the
 * state and the manifest's files can continue it. It contains no value of a file, a variable or a secret.
 */
export interface RolloutStart {
  readonly version: 1;
  readonly what: 'apply' | 'undo';
  /** For an undo: the rollout that it reverses. */
  readonly undoes?: string;
  readonly atMs: number;
  /** The user who started it: `alice@laptop`. */
  readonly who: string;
  /** Command line, without secrets. */
  readonly command?: string;
  readonly origin: string;
  /** Account that started it. */
  readonly ownerId: string;
  readonly set: string;
  /** Files that the manifest and the list of accounts were read from. */
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
  /** Options that produce the same plans again. */
  readonly options: JsonObject;
  /** Number of accounts in each wave, in the order of `accounts`. */
  readonly waves: readonly number[];
  /** Wait after each wave, in milliseconds. */
  readonly pauseMs: number;
  /** Number of accounts of a wave that may fail before the rollout stops. */
  readonly maxFailures: { readonly count: number } | { readonly percent: number };
  /** The first wave allows no failures. With `asks`, the rollout then stops until it is resumed. */
  readonly canary?: 'goes-on' | 'asks' | undefined;
  /** A command decides after each wave, except the last, whether to continue. Only the starting process knows it. */
  readonly checked?: boolean | undefined;
  /** Reverses the changes of a wave if the rollout stops at it. */
  readonly undoesFailures?: boolean | undefined;
  /** The time of day in which accounts are started. */
  readonly window?: RolloutWindow | undefined;
  /** Filters of the rows of the list: `region=eu`. */
  readonly where?: readonly string[] | undefined;
  /** The file of the reviewed plan. An account with a different plan is not changed. */
  readonly reviewed?: string | undefined;
  /** Most objects to delete in all accounts together. */
  readonly maxDeletesTotal: number;
  /** Charges that the user accepted for all accounts together: none, all, or up to an amount. */
  readonly charges: 'none' | 'all' | { readonly upTo: string };
}

/** A part of each day in a time zone, in minutes since midnight. It can include midnight. */
export interface RolloutWindow {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

/** The part of a rollout that changes. `stopped` waits for `rollout resume`. */
export interface RolloutProgress {
  readonly state: 'running' | 'stopped' | 'cancelled' | 'finished';
  readonly wave: number;
  /** Reason why it does not continue. */
  readonly why?: string | undefined;
  /** The wave with too many failed accounts, more failing webhooks, or a failed check. */
  readonly failedWave?: number | undefined;
  /** The wave that is still to be reversed, and the rollout that reverses it. */
  readonly reversing?: { readonly wave: number; readonly undo?: string } | undefined;
  /** Time before which no account of the wave starts: the end of the pause after the previous wave. */
  readonly heldUntilMs?: number | undefined;
  /** Number of objects that were deleted or are about to be. */
  readonly deletes: number;
  /** Charges that were accepted, as a decimal number. */
  readonly charged: string;
}

/** A rollout as the state keeps it. */
export interface Rollout extends RolloutStart, RolloutProgress {
  readonly id: string;
  /** Database user that started it; `undefined` if the state is not in a database. */
  readonly writer?: string | undefined;
}

/** Names the user who started a rollout, as the database knows it if there is one. */
export const startedBy = ({ writer, who }: Pick<Rollout, 'writer' | 'who'>): string =>
  writer === undefined ? who : formatWriter(writer, who);

export type AccountState = 'waiting' | 'running' | 'done' | 'unchanged' | 'failed';

export interface RolloutAccount {
  readonly position: number;
  readonly wave: number;
  readonly accountId: string;
  /** The name in the list. */
  readonly word: string;
  /** Name according to the service. */
  readonly name?: string;
  readonly state: AccountState;
  /** Number of the current attempt. */
  readonly tries: number;
  /** Counts of planned steps before the rollout started, by action. */
  readonly planned?: Readonly<Record<string, number>>;
  /** Hash of the plan that was accepted. */
  readonly agreed?: string;
  /** Counts of steps in all attempts, by outcome. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Runs of the log, oldest first. Each is added before it sends a request. */
  readonly runs: readonly string[];
  /** For an undo: the runs to reverse, oldest first. */
  readonly reverses?: readonly string[];
  /** Number of deleted objects, as counted for the whole rollout. */
  readonly deletes?: number;
  /** Objects that remain although they are not in the manifest, because telctl did not create or adopt them. */
  readonly neverAdopted?: readonly string[];
  /** Number of webhooks that failed before the account was started. */
  readonly failingHooks?: number | undefined;
  readonly error?: { readonly kind: FailureKind; readonly message: string };
  /** Process that works on it, or did so last. */
  readonly worker?: string;
  readonly tookMs?: number;
}

export interface AccountCount {
  readonly wave: number;
  readonly state: AccountState;
  readonly count: number;
}

/** Filter of accounts (default: all). */
export interface AccountFilter {
  readonly wave?: number;
  readonly states?: readonly AccountState[];
}

/** Rollouts of a state. Numbers are never reused. */
export interface Rollouts {
  /** Stores a new rollout and returns its number. Removes rollouts that are older than the log is kept. */
  begin(
    start: RolloutStart & Pick<RolloutProgress, 'state'>,
    accounts: readonly RolloutAccount[],
  ): Promise<string>;
  /** Rollouts in one state and of one service, newest first. */
  newest(filter?: Partial<Pick<Rollout, 'state' | 'origin'>>): AsyncIterable<Rollout>;
  read(id: string): Promise<Rollout | undefined>;
  /**
   * Changes the current progress, accepted charges, or check of a rollout, one process at a time. `change` returns
   * `undefined` to change nothing.
   */
  change(
    id: string,
    change: (
      now: Rollout,
    ) => Partial<RolloutProgress & Pick<RolloutStart, 'charges' | 'checked'>> | undefined,
  ): Promise<Rollout | undefined>;
  counts(id: string): Promise<readonly AccountCount[]>;
  /** Accounts in order, read page by page. */
  accounts(id: string, filter?: AccountFilter): AsyncIterable<RolloutAccount>;
  account(id: string, position: number): Promise<RolloutAccount | undefined>;
  /** Stores an account if `mayKeep` allows it. Returns true if it was stored. */
  put(id: string, account: RolloutAccount): Promise<boolean>;
  /** Closes open files. */
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
 * Decides whether a report about an account replaces the stored one. A new attempt starts once, and only while the
 * rollout runs and the account is not finished. Reports of older attempts are ignored. A run is only added while the
 * rollout runs, so that a cancelled one starts nothing more. Only the last worker of a finished account can make it
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

/** States of unfinished accounts. */
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

/** Parses an account of a rollout. Returns `undefined` if its process was killed while writing it. */
export function parseAccount(text: string): RolloutAccount | undefined {
  const value = parseJson(text);
  return isAccount(value) ? value : undefined;
}

/** Parses a rollout without its number. Returns `undefined` for a damaged one. */
export function parseRollout(text: string): Omit<Rollout, 'id' | 'writer'> | undefined {
  const value = parseJson(text);
  return isRollout(value) ? value : undefined;
}
