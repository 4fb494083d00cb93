import { isObject, type JsonObject, textAt } from '../../../base/json.ts';
import { isRoutable, normalisedNumber } from '../../../contract/phone-number.ts';
import { gregorianSeconds } from '../ids-and-secrets.ts';
import { invalid, missingField } from '../refusal.ts';
import {
  accountOf,
  type RecordDraft,
  type ResourceRules,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';

export const isReceived = ({ hidden }: Pick<StoredRecord, 'hidden'>): boolean => hidden.received === true;

/** Returns the fields that depend on the progress of a job. A received fax does not change. */
function jobFields(record: StoredRecord, { services }: ServiceRequest): JsonObject {
  if (isReceived(record)) return { status: 'received', folder: 'inbox' };
  const { status, attempts, result, endedAt } = faxProgress(record, gregorianSeconds(services.clock));
  return {
    status,
    attempts,
    ...(result ? { tx_result: result } : {}),
    ...(endedAt === undefined ? {} : { folder: 'outbox', delivered: endedAt }),
  };
}

const storesDocuments = ({ services }: ServiceRequest): boolean =>
  services.behaviour.faxes.created === 'document';

/** Checks the requirements of services that store fax documents: a document, and a routable number. */
function refine(draft: RecordDraft, before: StoredRecord | undefined, call: ServiceRequest): RecordDraft {
  if (before || isReceived(draft) || !storesDocuments(call)) return draft;
  const problems = [
    ...(isObject(draft.body.document) ? [] : [missingField('document.url')]),
    ...(isRoutable(textAt(draft.body, 'to_number') ?? '') ? [] : [missingField('document.to_number')]),
  ];
  if (problems.length > 0) throw invalid(problems);
  const timezone = textAt(accountOf(call).body, 'timezone');
  return { ...draft, body: { ...(timezone === undefined ? {} : { fax_timezone: timezone }), ...draft.body } };
}

const derive = async (record: StoredRecord, call: ServiceRequest): Promise<JsonObject> => ({
  ...jobFields(record, call),
  created: record.createdAt,
  ...(storesDocuments(call) && !isReceived(record) ? {} : partiesOf(record)),
});

const partiesOf = (record: StoredRecord): JsonObject => ({
  to: textAt(record.body, 'to_number') ?? '',
  from: textAt(record.body, 'from_number') ?? '',
});

/** Rules of faxes: numbers are normalized, and the progress is computed at each read (Conventions, Fax jobs). */
export const faxRules: ResourceRules = {
  normalize: (data) => {
    const number = textAt(data, 'to_number');
    return number === undefined ? data : { ...data, to_number: normalisedNumber(number) };
  },
  refine,
  derive,
  summary: async (record, call) => ({ ...(await derive(record, call)), ...partiesOf(record) }),
};

/** Rules of carriers: IP authentication is forbidden unless the system allows it (Conventions). */
export const carrierRules: ResourceRules = {
  refine: (draft) => {
    if (draft.body.peer !== true) return draft;
    throw invalid([{ path: 'peer', rule: 'forbidden', message: 'must not be set here', value: true }]);
  },
};

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
  /** Gregorian seconds. */
  readonly endedAt?: number;
  readonly result?: JsonObject;
}

const stateSeconds = { storing: 5, firstWait: 10, locked: 2, call: 30, wait: 300 } as const;

/** Returns true if a simulated receiver is busy: 0000 always, and 0001 only at the first attempt. */
const isBusy = (number: string, attempt: number): boolean =>
  number.endsWith('0000') || (number.endsWith('0001') && attempt === 1);

const faxResult = (number: string, success: boolean): JsonObject => ({
  success,
  pages_sent: success ? 1 : 0,
  fax_bad_rows: 0,
  fax_error_correction: success,
  fax_receiver_id: success ? number : '',
  fax_speed: success ? 14_400 : 0,
  error_message: success ? '' : 'The receiver was busy.',
  time_elapsed: stateSeconds.call,
  result_code: success ? '200' : '486',
  result_cause: success ? 'NORMAL_CLEARING' : 'USER_BUSY',
  result_text: success ? 'Success' : 'Busy',
});

const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

/** A state of a job. `at` is in Gregorian seconds. */
export interface FaxStep {
  readonly status: FaxState;
  readonly attempts: number;
  readonly result?: JsonObject;
  readonly at: number;
}

/** Yields all states of a job in order. A job without a document waits for one. */
export function* faxSteps({ body, hidden, createdAt }: StoredRecord): Generator<FaxStep> {
  const number = textAt(body, 'to_number') ?? '';
  const tries = numberOr(body.retries, 1);
  const storing: FaxState = hidden.resubmitted === true ? 'resubmitting' : 'attaching files';
  let attempts = numberOr(body.attempts, 0);
  let at = createdAt;
  let result: JsonObject | undefined;
  const step = (status: FaxState): FaxStep => ({ status, attempts, ...(result ? { result } : {}), at });
  yield step(storing);
  if (body.document === undefined) return;
  at += stateSeconds.storing;
  for (let attempt = 1; ; attempt += 1) {
    yield step('pending');
    at += attempt === 1 ? stateSeconds.firstWait : stateSeconds.wait;
    yield step('locked');
    at += stateSeconds.locked;
    yield step('processing');
    at += stateSeconds.call;
    attempts += 1;
    const success = !isBusy(number, attempt);
    result = faxResult(number, success);
    if (success || tries - attempts < 1) {
      yield step(success ? 'completed' : 'failed');
      return;
    }
  }
}

/** Returns the state of a job at a time in Gregorian seconds. */
export function faxProgress(job: StoredRecord, now: number): FaxProgress {
  let progress: FaxProgress = { status: 'attaching files', attempts: 0 };
  for (const { at, ...step } of faxSteps(job)) {
    const isOver = step.status === 'completed' || step.status === 'failed';
    if (at <= now || at === job.createdAt) progress = { ...step, ...(isOver ? { endedAt: at } : {}) };
  }
  return progress;
}
