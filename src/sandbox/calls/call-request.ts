import { Failure } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { textAt } from '../fields.ts';

/** How those who are called behave. */
export type Answering = 'answer' | 'no-answer' | 'busy';

/** A call that is to be simulated. */
export interface CallRequest {
  /** Number, extension or username of the caller. */
  readonly from: string;
  /** Name that the caller shows. */
  readonly fromName: string | undefined;
  /** What is dialled. */
  readonly to: string;
  /** How long the call lasts in all, in seconds. */
  readonly durationS: number;
  readonly answering: Answering;
  /** What the caller dials, menu by menu. */
  readonly digits: readonly string[];
  /** Events go out when they happen, rather than all at once. */
  readonly realTime: boolean;
  /** Shows what would happen: nothing is kept, and nobody is told. */
  readonly dryRun: boolean;
}

/** What a caller can dial at a menu, or `timeout` for nothing; the other words of a menu's branches, too. */
const dialled = /^(?:[0-9*#+]+|timeout|max_retries|_)$/;

const usualDurationS = 30;
const longestS = 86_400;
const answerings: readonly Answering[] = ['answer', 'no-answer', 'busy'];

/** Whether a request is to show what would happen: then nothing is kept, and nobody is told. */
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

/** Reads what `POST /sandbox/call` takes. Throws `Failure` (`usage`). */
export function callRequest(body: JsonObject): CallRequest {
  const answering = answerings.find((each) => each === (body.answering ?? 'answer'));
  if (answering === undefined)
    throw new Failure('usage', `"answering" must be one of ${answerings.join(', ')}.`);
  const digits: readonly Json[] = Array.isArray(body.digits) ? body.digits : [];
  return {
    from: textIn(body, 'from'),
    fromName: textAt(body, 'from_name'),
    to: textIn(body, 'to'),
    durationS: countIn(body, 'duration', usualDurationS, longestS),
    answering,
    digits: digits.map((each) => {
      if (typeof each === 'string' && dialled.test(each)) return each;
      throw new Failure('usage', `A caller cannot dial ${JSON.stringify(each)}.`, {
        hint: 'Digits, * and #, or timeout for nothing: --digits 2,timeout,2001',
      });
    }),
    realTime: body.real_time === true,
    dryRun: isDryRun(body),
  };
}
