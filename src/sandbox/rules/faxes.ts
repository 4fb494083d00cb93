import type { JsonObject } from '../../contract/json.ts';
import { normalisedNumber } from '../../contract/phone-number.ts';
import { textAt } from '../fields.ts';
import { gregorianSeconds } from '../moments.ts';
import type { Call } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { progressOf } from '../telephony/fax-jobs.ts';
import type { ResourceRules } from './resource-rules.ts';

/** Whether a fax was received, rather than being a job. */
export const isReceived = ({ hidden }: StoredRecord): boolean => hidden.received === true;

/** A job by now: state, tries, result. A received fax stays as it came. */
function nowOf(record: StoredRecord, { services }: Call): JsonObject {
  if (isReceived(record)) return { status: 'received', folder: 'inbox' };
  const { status, attempts, result, endedAt } = progressOf(record, gregorianSeconds(services.clock));
  return {
    status,
    attempts,
    ...(result ? { tx_result: result } : {}),
    ...(endedAt === undefined ? {} : { folder: 'outbox', delivered: endedAt }),
  };
}

const derive = async (record: StoredRecord, call: Call): Promise<JsonObject> => ({
  ...nowOf(record, call),
  created: record.createdAt,
  to: textAt(record.body, 'to_number') ?? '',
  from: textAt(record.body, 'from_number') ?? '',
});

/** Faxes: numbers in one form; progress is worked out when they are read (Conventions, Fax jobs). */
export const faxRules: ResourceRules = {
  normalise: (data) => {
    const number = textAt(data, 'to_number');
    return number === undefined ? data : { ...data, to_number: normalisedNumber(number) };
  },
  derive,
  summary: derive,
};
