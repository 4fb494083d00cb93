import { type exitCodes, Failure, nextStep } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, textAt, textsIn } from '../../../base/json.ts';
import { nearest } from '../../../base/nearest.ts';
import { actIn, behaviourIn, type Parsed } from '../../calls/cases/read-words.ts';
import type { Act, Behaviour } from '../../calls/engine/types.ts';
import { calledName } from '../fields.ts';
import { storedAccount } from '../identity/principal.ts';
import { lettersAndDigits } from '../placement.ts';
import { Refusal } from '../refusal.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { type AccountRecords, storedRecords } from './call-account.ts';

export interface CallRequest {
  /** Number, extension or username of the caller; `user:NAME`, `device:NAME`. */
  readonly from: string;
  /** Name that the caller shows. */
  readonly fromName: string | undefined;
  /** The dialled number. */
  readonly to: string;
  /** Total duration of the call, in seconds. */
  readonly durationS: number;
  /** What people do who are named, by user or device, and what all others do. */
  readonly people?: readonly (readonly [person: string, behaviour: Behaviour])[];
  readonly others: Behaviour;
  /** One answer for each time that keys are asked for. */
  readonly presses: readonly string[];
  /** What is done in the course of the call. */
  readonly acts?: readonly Act[];
  /** Seconds after which the caller gives up. */
  readonly hangsUpAfter?: number;
  /** Events go out when they happen, rather than all at once. */
  readonly realTime: boolean;
  /** The call is over when it was simulated: its begin is put back by its length. */
  readonly isOver?: boolean;
  /** Shows what would happen: nothing is kept, and nobody is told. */
  readonly dryRun: boolean;
}

/** Keys that a caller presses when asked, `timeout` for none; the other words of a menu's branches, too. */
const pressed = /^(?:[0-9*#+]*|timeout|max_retries|_)$/;

const usualDurationS = 30;
const longestS = 86_400;

/** What all do, by the word of a request. */
const answerings: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ['answer', { does: 'answers', after: 6 }],
  ['no-answer', { does: 'does not answer' }],
  ['busy', { does: 'busy' }],
]);

/** Tells whether a request only shows what would happen: then nothing is kept, and nobody is told. */
export const isDryRun = (body: JsonObject): boolean => body.dry_run === true;

/** A text that must be there. Throws `Failure` (`usage`). */
export function textIn(body: JsonObject, key: string): string {
  const text = textAt(body, key)?.trim() ?? '';
  if (text === '') throw new Failure('usage', `"${key}" is missing.`);
  if (text.length > 256) throw new Failure('usage', `"${key}" is too long.`);
  return text;
}

/** A whole number within bounds. Throws `Failure` (`usage`). */
export function countIn(body: JsonObject, key: string, usual: number, most: number): number {
  const value = body[key];
  if (value === undefined) return usual;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Failure('usage', `"${key}" must be a whole number from 1 to ${most}.`);
}

/** What a text says by the words of case files. Throws `Failure` (`usage`). */
function read<T>(parsed: Parsed<T>): T {
  if ('value' in parsed) return parsed.value;
  throw new Failure('usage', parsed.wrong);
}

/** Reads what `POST /sandbox/call` takes; people and what they do by the words of case files. Throws `Failure` (`usage`). */
export function callRequest(body: JsonObject): CallRequest {
  const others = answerings.get(textAt(body, 'answering') ?? 'answer');
  if (others === undefined)
    throw new Failure('usage', `"answering" must be one of ${[...answerings.keys()].join(', ')}.`);
  const digits: readonly Json[] = Array.isArray(body.digits) ? body.digits : [];
  const presses = digits.map((each) => {
    if (typeof each === 'string' && pressed.test(each)) return /^[a-z_]/.test(each) ? '' : each;
    throw new Failure('usage', `A caller cannot dial ${JSON.stringify(each)}.`, {
      hint: 'Digits, * and #, or timeout for nothing: --digits 2,timeout,2001',
    });
  });
  const people = isObject(body.people) ? Object.entries(body.people) : [];
  return {
    from: textIn(body, 'from'),
    fromName: textAt(body, 'from_name'),
    to: textIn(body, 'to'),
    durationS: countIn(body, 'duration', usualDurationS, longestS),
    others,
    people: people.map(([person, does]) => [person, read(behaviourIn(String(does)))]),
    presses,
    acts: textsIn(body.acts).map((act) => read(actIn(act))),
    ...(typeof body.hangs_up_after === 'number' ? { hangsUpAfter: body.hangs_up_after } : {}),
    realTime: body.real_time === true,
    isOver: body.real_time !== true,
    dryRun: isDryRun(body),
  };
}

/** The account that the sandbox was made with: the first one below the platform. */
async function seeded(store: Store): Promise<StoredRecord | undefined> {
  const below = (await store.everyOf('accounts')).filter(({ hidden }) => hidden.master !== true);
  return below.toSorted((one, other) => one.createdAt - other.createdAt)[0];
}

/** The account of an id, a name or a realm. Throws `Refusal` (404) that names the nearest one. */
export async function needAccount(store: Store, named: string): Promise<StoredRecord> {
  const byId = await store.get(storedAccount(named));
  if (byId) return byId;
  for (const [field, value] of [
    ['name', lettersAndDigits(named)],
    ['realm', named.toLowerCase()],
  ] as const) {
    const holder = await store.holder({ kind: 'accounts', scope: '', field, value });
    const account = holder && (await store.get(holder));
    if (account) return account;
  }
  const names = (await store.everyOf('accounts')).map(calledName);
  const near = nearest(named, names);
  throw new Refusal(404, 'not_found', `The sandbox has no account ${JSON.stringify(named)}.`, {
    hint: near === undefined ? nextStep`accounts tree`.line : `Did you mean ${near}?`,
  });
}

/** The account that `account` names by id, name or realm; the seeded one where left out. Throws `Refusal` (404). */
export async function calledAccount(store: Store, body: JsonObject): Promise<AccountRecords> {
  const named = textAt(body, 'account');
  const account = named === undefined ? await seeded(store) : await needAccount(store, named);
  if (!account)
    throw new Refusal(404, 'not_found', 'The sandbox has no account below the platform any more.', {
      hint: nextStep`sandbox reset`.line,
    });
  return storedRecords(store, account);
}

/** HTTP status for each kind of failure; the reverse of the mapping from status to failure in the commands. */
const statuses: Readonly<Partial<Record<keyof typeof exitCodes, number>>> = {
  usage: 400,
  not_found: 404,
  refused: 403,
};

/** A failure of a simulation, as a reply of the sandbox. */
export function refusalOf({ kind, message, hint }: Failure): Refusal {
  return new Refusal(statuses[kind] ?? 500, kind, message, hint === undefined ? {} : { hint });
}
