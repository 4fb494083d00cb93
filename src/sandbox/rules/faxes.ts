import { isObject, type JsonObject } from '../../base/json.ts';
import { isRoutable, normalisedNumber } from '../../contract/phone-number.ts';
import { textAt } from '../fields.ts';
import { gregorianSeconds } from '../made-values.ts';
import { invalid, type Problem } from '../refusal.ts';
import { accountOf, type Call } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { progressOf } from '../telephony/fax-jobs.ts';
import type { Draft, ResourceRules } from './resource-rules.ts';

export const isReceived = ({ hidden }: Pick<StoredRecord, 'hidden'>): boolean => hidden.received === true;

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

const isDocument = ({ services }: Call): boolean => services.behaviour.faxes.created === 'document';

/** Checks the demands of services that store a fax as it is: a document, and a number that can be dialled outside. */
function refine(draft: Draft, before: StoredRecord | undefined, call: Call): Draft {
  if (before || isReceived(draft) || !isDocument(call)) return draft;
  const needed = (path: string): readonly Problem[] => [{ path, rule: 'required', message: 'is required' }];
  const problems = [
    ...(isObject(draft.body.document) ? [] : needed('document.url')),
    ...(isRoutable(textAt(draft.body, 'to_number') ?? '') ? [] : needed('document.to_number')),
  ];
  if (problems.length > 0) throw invalid(problems);
  const timezone = textAt(accountOf(call).body, 'timezone');
  return { ...draft, body: { ...(timezone === undefined ? {} : { fax_timezone: timezone }), ...draft.body } };
}

const derive = async (record: StoredRecord, call: Call): Promise<JsonObject> => ({
  ...nowOf(record, call),
  created: record.createdAt,
  ...(isDocument(call) && !isReceived(record) ? {} : partiesOf(record)),
});

const partiesOf = (record: StoredRecord): JsonObject => ({
  to: textAt(record.body, 'to_number') ?? '',
  from: textAt(record.body, 'from_number') ?? '',
});

/** Faxes: numbers in one form; progress is worked out when they are read (Conventions, Fax jobs). */
export const faxRules: ResourceRules = {
  normalise: (data) => {
    const number = textAt(data, 'to_number');
    return number === undefined ? data : { ...data, to_number: normalisedNumber(number) };
  },
  refine,
  derive,
  summary: async (record, call) => ({ ...(await derive(record, call)), ...partiesOf(record) }),
};

/** Carriers that are let in by their address alone are forbidden as long as the system allows none (Conventions). */
export const carrierRules: ResourceRules = {
  refine: (draft) => {
    if (draft.body.peer !== true) return draft;
    throw invalid([{ path: 'peer', rule: 'forbidden', message: 'must not be set here', value: true }]);
  },
};
