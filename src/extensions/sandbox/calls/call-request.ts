import { type exitCodes, Failure, nextStep } from '../../../base/failure.ts';
import { findNearest } from '../../../base/nearest.ts';
import { type Parsed, parseAct, parseBehaviour } from '../../calls/cases/read-words.ts';
import type { Act, PhoneBehaviour } from '../../calls/engine/types.ts';
import type { ControlInput } from '../control-operations.ts';
import { displayName } from '../fields.ts';
import { accountRecordName } from '../identity/principal.ts';
import { lettersAndDigits } from '../placement.ts';
import { Refusal } from '../refusal.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { type AccountRecords, storedRecords } from './call-account.ts';

export interface CallRequest {
  /** Number, extension or username of the caller, or `user:NAME` or `device:NAME`. */
  readonly from: string;
  readonly fromName: string | undefined;
  readonly to: string;
  /** Total duration of the call, in seconds. */
  readonly durationS: number;
  readonly people?: readonly (readonly [person: string, behaviour: PhoneBehaviour])[];
  readonly others: PhoneBehaviour;
  readonly presses: readonly string[];
  readonly acts?: readonly Act[];
  /** Seconds after which the caller hangs up. */
  readonly hangsUpAfter?: number;
  /** True if events are sent when they happen, instead of all at once. */
  readonly realTime: boolean;
  /** True if the call has already ended. Its start is then moved back by its length. */
  readonly isOver?: boolean;
  /** True if no records are stored and no events are sent. */
  readonly dryRun: boolean;
}

/** Keys that a caller can press. `timeout` and other branches of a menu press no key. */
const pressed = /^(?:[0-9*#+]*|timeout|max_retries|_)$/;

const usualDurationS = 30;

const answerings: Readonly<Record<NonNullable<ControlInput<'call'>['answering']>, PhoneBehaviour>> = {
  answer: { does: 'answers', after: 6 },
  'no-answer': { does: 'does not answer' },
  busy: { does: 'busy' },
};

/** Returns a parsed value. Throws `Failure` (`usage`) if parsing failed. */
function read<T>(parsed: Parsed<T>): T {
  if ('value' in parsed) return parsed.value;
  throw new Failure('usage', parsed.wrong);
}

/**
 * Reads the request for a simulated call. Behaviors have the same names as in case files. Throws `Failure` (`usage`).
 */
export function callRequest(input: ControlInput<'call'>): CallRequest {
  const { from, to, from_name: fromName, answering = 'answer', duration = usualDurationS } = input;
  const { digits = [], people = {}, acts = [], hangs_up_after: hangsUpAfter } = input;
  const isLive = input.real_time ?? false;
  const presses = digits.map((each) => {
    if (pressed.test(each)) return /^[a-z_]/.test(each) ? '' : each;
    throw new Failure('usage', `Invalid digits ${JSON.stringify(each)}.`, {
      hint: 'Use digits, * and #, or timeout: --digits 2,timeout,2001',
    });
  });
  return {
    from,
    fromName,
    to,
    durationS: duration,
    others: answerings[answering],
    people: Object.entries(people).map(([person, does]) => [person, read(parseBehaviour(does))]),
    presses,
    acts: acts.map((act) => read(parseAct(act))),
    ...(hangsUpAfter === undefined ? {} : { hangsUpAfter }),
    realTime: isLive,
    isOver: !isLive,
    dryRun: input.dry_run ?? false,
  };
}

/** Returns the seeded account: the oldest account below the platform. */
async function seededAccount(store: Store): Promise<StoredRecord | undefined> {
  const below = (await store.allOfKind('accounts')).filter(({ hidden }) => hidden.master !== true);
  return below.toSorted((one, other) => one.createdAt - other.createdAt)[0];
}

/** Finds an account by id, name or realm. Throws `Refusal` (404) with a suggestion. */
export async function requireAccount(store: Store, named: string): Promise<StoredRecord> {
  const byId = await store.get(accountRecordName(named));
  if (byId) return byId;
  for (const [field, value] of [
    ['name', lettersAndDigits(named)],
    ['realm', named.toLowerCase()],
  ] as const) {
    const holder = await store.findHolder({ kind: 'accounts', scope: '', field, value });
    const account = holder && (await store.get(holder));
    if (account) return account;
  }
  const names = (await store.allOfKind('accounts')).map(displayName);
  const near = findNearest(named, names);
  throw new Refusal(404, 'not_found', `Account ${JSON.stringify(named)} not found in the sandbox.`, {
    hint: near === undefined ? nextStep`accounts tree`.line : `Did you mean ${near}?`,
  });
}

/** Finds the account of the input (default: the seeded account). Throws `Refusal` (404). */
export async function calledAccount(
  store: Store,
  { account: named }: { readonly account?: string },
): Promise<AccountRecords> {
  const account = named === undefined ? await seededAccount(store) : await requireAccount(store, named);
  if (!account)
    throw new Refusal(404, 'not_found', 'The sandbox no longer has an account below the platform.', {
      hint: nextStep`sandbox reset`.line,
    });
  return storedRecords(store, account);
}

/** HTTP status for each kind of failure. Commands convert it back to the kind. */
const statuses: Readonly<Partial<Record<keyof typeof exitCodes, number>>> = {
  usage: 400,
  not_found: 404,
  refused: 403,
};

/** Converts a failure of a simulation to a response of the sandbox. */
export function refusalOfFailure({ kind, message, hint }: Failure): Refusal {
  return new Refusal(statuses[kind] ?? 500, kind, message, hint === undefined ? {} : { hint });
}
