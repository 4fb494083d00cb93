import type { JsonObject } from '../contract/json.ts';
import { textAt } from './fields.ts';
import type { StoredRecord } from './store.ts';

/** States of fax jobs (Conventions, Fax jobs). */
export type FaxState =
  | 'attaching files'
  | 'pending'
  | 'locked'
  | 'processing'
  | 'completed'
  | 'failed'
  | 'resubmitting';

/** What became of a job by a moment. */
export interface FaxProgress {
  readonly status: FaxState;
  readonly attempts: number;
  /** When it ended, in Gregorian seconds. */
  readonly endedAt?: number;
  readonly result?: JsonObject;
}

/** How long a job is in each state, in seconds. */
const lasts = { storing: 5, firstWait: 10, locked: 2, call: 30, wait: 300 } as const;

/**
 * Simulated receivers (What the service does: simulated dial-out): numbers that end in 0000 are always busy,
 * those that end in 0001 are busy at the first try, all others take the fax.
 */
const isBusy = (number: string, attempt: number): boolean =>
  number.endsWith('0000') || (number.endsWith('0001') && attempt === 1);

const resultOf = (number: string, success: boolean): JsonObject => ({
  success,
  pages_sent: success ? 1 : 0,
  fax_bad_rows: 0,
  fax_error_correction: success,
  fax_receiver_id: success ? number : '',
  fax_speed: success ? 14_400 : 0,
  error_message: success ? '' : 'The receiver was busy.',
  time_elapsed: lasts.call,
  result_code: success ? '200' : '486',
  result_cause: success ? 'NORMAL_CLEARING' : 'USER_BUSY',
  result_text: success ? 'Success' : 'Busy',
});

const whole = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/**
 * The progress of a job at a moment (Gregorian seconds): its document is stored, it waits, is taken, calls, and
 * is done, or waits again while tries are left. A job without a document waits for one.
 */
export function progressOf({ body, hidden, createdAt }: StoredRecord, now: number): FaxProgress {
  const number = textAt(body, 'to_number') ?? '';
  const tries = whole(body.retries, 1);
  const storing: FaxState = hidden.resubmitted === true ? 'resubmitting' : 'attaching files';
  let attempts = whole(body.attempts, 0);
  let moment = createdAt + lasts.storing;
  if (body.document === undefined || now < moment) return { status: storing, attempts };
  let result: JsonObject | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const so = { attempts, ...(result ? { result } : {}) };
    moment += attempt === 1 ? lasts.firstWait : lasts.wait;
    if (now < moment) return { status: 'pending', ...so };
    moment += lasts.locked;
    if (now < moment) return { status: 'locked', ...so };
    moment += lasts.call;
    if (now < moment) return { status: 'processing', ...so };
    attempts += 1;
    const success = !isBusy(number, attempt);
    result = resultOf(number, success);
    if (success) return { status: 'completed', attempts, result, endedAt: moment };
    if (tries - attempts < 1) return { status: 'failed', attempts, result, endedAt: moment };
  }
}
