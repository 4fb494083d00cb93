import type { FailureKind } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../base/json.ts';
import { byDatabase } from './state.ts';

/**
 * A rollout is a record of the state: one manifest, many accounts in waves, and what became of each. Any process that
 * has the state and the manifest's files goes on with it. It holds no value of a file, a variable or a secret.
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
  /** Account that it was begun as. */
  readonly ownerId: string;
  readonly set: string;
  /** Files that the manifest and the list of accounts were read from. */
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
  /** Options that make the same plans again. */
  readonly options: JsonObject;
  /** Number of accounts in each wave, in the order of `accounts`. */
  readonly waves: readonly number[];
  /** Wait after each wave, in milliseconds. */
  readonly pauseMs: number;
  /** Number of accounts of a wave that may fail before the rollout stops. */
  readonly maxFailures: { readonly count: number } | { readonly percent: number };
  /** The first wave bears no failure, and, for `asks`, the rollout stops after it until somebody says to go on. */
  readonly canary?: 'goes-on' | 'asks' | undefined;
  /** A command says after each wave but the last whether the next one follows. It is known to who gave it alone. */
  readonly checked?: boolean | undefined;
  /** Reverses the changes of a wave if the rollout stops at it. */
  readonly undoesFailures?: boolean | undefined;
  /** The time of day in which accounts are started. */
  readonly window?: RolloutWindow | undefined;
  /** What the rows of the list were chosen by: `region=eu`. */
  readonly where?: readonly string[] | undefined;
  /** The file of the reviewed plan. An account with a different plan is not changed. */
  readonly reviewed?: string | undefined;
  /** Objects that may be deleted in all accounts together. */
  readonly maxDeletesTotal: number;
  /** Charges that the user accepted for all accounts together: none, all, or up to an amount. */
  readonly charges: 'none' | 'all' | { readonly upTo: string };
}

/** A part of each day, by the clocks of a zone, in minutes since midnight; it may go over midnight. */
export interface RolloutWindow {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

/** The part of a rollout that changes. `stopped` waits for `rollout resume`. */
export interface RolloutProgress {
  readonly state: 'running' | 'stopped' | 'cancelled' | 'finished';
  readonly wave: number;
  /** Reason why it does not go on. */
  readonly why?: string | undefined;
  /** The wave that was not well: too many of its accounts failed, more of its webhooks, or its check. */
  readonly failedWave?: number | undefined;
  /** The wave whose work is still to be reversed, and the rollout that does so, once it is begun. */
  readonly reversing?: { readonly wave: number; readonly undo?: string } | undefined;
  /** Time before which no account of the wave starts: the end of the pause after the previous wave. */
  readonly heldUntilMs?: number | undefined;
  /** Objects that were deleted, or are about to be. */
  readonly deletes: number;
  /** Charges that were accepted, as a decimal number. */
  readonly charged: string;
}

/** A rollout as the state keeps it. */
export interface Rollout extends RolloutStart, RolloutProgress {
  /** Its number. */
  readonly id: string;
  /** Database user that started it; `undefined` if the state is not in a database. */
  readonly writer?: string | undefined;
}

/** Names the user who started a rollout, as the database knows it if there is one. */
export const begunBy = ({ writer, who }: Pick<Rollout, 'writer' | 'who'>): string =>
  writer === undefined ? who : byDatabase(writer, who);

export type AccountState = 'waiting' | 'running' | 'done' | 'unchanged' | 'failed';

export interface RolloutAccount {
  readonly position: number;
  readonly wave: number;
  readonly accountId: string;
  /** Its name in the list. */
  readonly word: string;
  /** As the service calls it, once it was asked. */
  readonly name?: string;
  readonly state: AccountState;
  /** Number of times that it was begun: the number of the attempt that may say what became of it. */
  readonly tries: number;
  /** Counts of planned steps before the rollout started, by action. */
  readonly planned?: Readonly<Record<string, number>>;
  /** Hash of the plan that was accepted. */
  readonly agreed?: string;
  /** Counts of steps in all attempts, by outcome. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Runs of the log, oldest first; each is noted here before it sends anything. */
  readonly runs: readonly string[];
  /** For an undo: the runs that are reversed, oldest first. */
  readonly reverses?: readonly string[];
  /** Objects whose deletion was counted for the whole rollout. */
  readonly deletes?: number;
  /** Objects that stay although the manifest no longer names them, since telctl found them and did not adopt them. */
  readonly neverAdopted?: readonly string[];
  /** Webhooks that failed before it was begun. */
  readonly failingHooks?: number | undefined;
  readonly error?: { readonly kind: FailureKind; readonly message: string };
  /** Process that works on it, or did last. */
  readonly worker?: string;
  readonly tookMs?: number;
}

export interface AccountCount {
  readonly wave: number;
  readonly state: AccountState;
  readonly count: number;
}

/** Accounts that are meant; all where left out. */
export interface AccountFilter {
  readonly wave?: number;
  readonly states?: readonly AccountState[];
}

/** Rollouts of a state. Numbers are never used again. */
export interface Rollouts {
  /** Keeps a new rollout and gives its number; removes those that are older than the log is kept. */
  begin(
    start: RolloutStart & Pick<RolloutProgress, 'state'>,
    accounts: readonly RolloutAccount[],
  ): Promise<string>;
  /** Rollouts, newest first; of one state, and of one service. */
  newest(filter?: Partial<Pick<Rollout, 'state' | 'origin'>>): AsyncIterable<Rollout>;
  read(id: string): Promise<Rollout | undefined>;
  /**
   * Changes the progress as it is now, the charges that are accepted, or that it is checked, one process at a time. `change` gives
   * `undefined` to leave it.
   */
  change(
    id: string,
    change: (
      now: Rollout,
    ) => Partial<RolloutProgress & Pick<RolloutStart, 'charges' | 'checked'>> | undefined,
  ): Promise<Rollout | undefined>;
  counts(id: string): Promise<readonly AccountCount[]>;
  /** Accounts in their order, a page at a time. */
  accounts(id: string, filter?: AccountFilter): AsyncIterable<RolloutAccount>;
  account(id: string, position: number): Promise<RolloutAccount | undefined>;
  /** Keeps what is said of an account, as far as `mayKeep` allows; tells whether it was kept for good. */
  put(id: string, account: RolloutAccount): Promise<boolean>;
  /** Ends what it has open. */
  close(): Promise<void>;
}

export const firstProgress = (state: RolloutProgress['state']): RolloutProgress => ({
  state,
  wave: 1,
  deletes: 0,
  charged: '0',
});

export const isMeant = ({ wave, state }: RolloutAccount, filter: AccountFilter): boolean =>
  (filter.wave === undefined || filter.wave === wave) &&
  (filter.states === undefined || filter.states.includes(state));

/**
 * The rule by which what a process says of an account takes the place of what is known. A new attempt is begun once,
 * and only while the rollout runs and the account is not over; nothing that an older attempt says is kept. A run is
 * noted only while the rollout runs, so that one that was cancelled begins nothing more. What is over waits again, or
 * loses its runs, only by word of who knows its last attempt.
 */
export function mayKeep(
  said: RolloutAccount,
  known: RolloutAccount,
  state: RolloutProgress['state'] | undefined,
): boolean {
  // It was kept before a connection broke.
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

/** States of accounts that have still to be worked on. */
export const openStates: readonly AccountState[] = ['waiting', 'running'];

/** True for an account that has still to be worked on. */
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

/** A validated account of a rollout; `undefined` if its process was killed while writing it. */
export function parseAccount(text: string): RolloutAccount | undefined {
  const value = parseJson(text);
  return isAccount(value) ? value : undefined;
}

/** Returns a rollout without its number, checked; `undefined` for a damaged one. */
export function parseRollout(text: string): Omit<Rollout, 'id' | 'writer'> | undefined {
  const value = parseJson(text);
  return isRollout(value) ? value : undefined;
}
