import type { JsonObject } from '../../base/json.ts';
import { textAt } from '../fields.ts';
import type { StoredRecord } from '../store/store.ts';

export type FaxState =
  | 'attaching files'
  | 'pending'
  | 'locked'
  | 'processing'
  | 'completed'
  | 'failed'
  | 'resubmitting';

export interface FaxProgress {
  readonly status: FaxState;
  readonly attempts: number;
  /** Time at which it ended, in Gregorian seconds. */
  readonly endedAt?: number;
  readonly result?: JsonObject;
}

/** Duration of each state of a job, in seconds. */
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

/** A state that a job comes to, and when, in Gregorian seconds. */
export interface FaxStep {
  readonly status: FaxState;
  readonly attempts: number;
  readonly result?: JsonObject;
  readonly at: number;
}

/** All that a job comes to, in order, from its first state to its last. A job without a document waits for one. */
export function* stepsOf({ body, hidden, createdAt }: StoredRecord): Generator<FaxStep> {
  const number = textAt(body, 'to_number') ?? '';
  const tries = whole(body.retries, 1);
  const storing: FaxState = hidden.resubmitted === true ? 'resubmitting' : 'attaching files';
  let attempts = whole(body.attempts, 0);
  let at = createdAt;
  let result: JsonObject | undefined;
  const step = (status: FaxState): FaxStep => ({ status, attempts, ...(result ? { result } : {}), at });
  yield step(storing);
  if (body.document === undefined) return;
  at += lasts.storing;
  for (let attempt = 1; ; attempt += 1) {
    yield step('pending');
    at += attempt === 1 ? lasts.firstWait : lasts.wait;
    yield step('locked');
    at += lasts.locked;
    yield step('processing');
    at += lasts.call;
    attempts += 1;
    const success = !isBusy(number, attempt);
    result = resultOf(number, success);
    if (success || tries - attempts < 1) {
      yield step(success ? 'completed' : 'failed');
      return;
    }
  }
}

/**
 * The progress of a job at a moment (Gregorian seconds): its document is stored, it waits, is taken, calls, and
 * is done, or waits again while tries are left. A job without a document waits for one.
 */
export function progressOf(job: StoredRecord, now: number): FaxProgress {
  let progress: FaxProgress = { status: 'attaching files', attempts: 0 };
  for (const { at, ...step } of stepsOf(job)) {
    const isOver = step.status === 'completed' || step.status === 'failed';
    if (at <= now || at === job.createdAt) progress = { ...step, ...(isOver ? { endedAt: at } : {}) };
  }
  return progress;
}
