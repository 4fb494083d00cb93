import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject, omitUndefined, textAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { isRoutable, normalisedNumber } from '../../../contract/phone-number.ts';
import { findFlow, recordsOf } from '../../calls/engine/records.ts';
import type { ControlInput } from '../control-operations.ts';
import { type Event, notification } from '../events/event.ts';
import { newEventId, publish } from '../events/queue-events.ts';
import { displayName } from '../fields.ts';
import { gregorianSeconds, newId } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';
import { faxSteps } from '../rules/faxes.ts';
import type { Services } from '../services.ts';
import { newRecord, type StoreChange, type StoredRecord } from '../store/store.ts';
import { type AccountRecords, accountWith, loadCallAccount, notInService } from './call-account.ts';

const secondsAPage = 12;

/** Finds the account for faxes to a number: its owner, or the chosen account if a callflow of it matches. */
async function findReceiver(services: Services, own: AccountRecords, dialled: string): Promise<StoredRecord> {
  const owner = await accountWith(services.store, dialled);
  if (owner) return owner.account;
  const calls = await loadCallAccount(services.store, own.account, services.behaviour);
  if (findFlow(recordsOf(calls), normalisedNumber(dialled), false)) return own.account;
  const what = `No account accepts faxes to ${JSON.stringify(normalisedNumber(dialled))}.`;
  throw await notInService(services.store, dialled, what);
}

/** Receives a fax from outside, and publishes its events (Conventions, Faxes). Throws `Failure`. */
export async function receiveFax(
  services: Services,
  own: AccountRecords,
  { pages = 1, from_name: name, dry_run: isDryRun, ...parties }: ControlInput<'fax'>,
): Promise<JsonObject> {
  const from = normalisedNumber(parties.from);
  const to = normalisedNumber(parties.to);
  if (!isRoutable(from)) throw new Failure('usage', `${JSON.stringify(from)} is not a valid fax number.`);
  const account = await findReceiver(services, own, to);
  const fax = { from, name, to, pages, box: undefined, at: gregorianSeconds(services.clock) };
  const { record, changes, events } = receivedFax(services, account, fax);
  if (!isDryRun) await publish(services, events, changes);
  return {
    fax_id: record.id,
    account_id: account.id,
    account_name: displayName(account),
    from,
    to,
    pages,
    events: events.map(({ id, hook, payload }) => ({ id, hook, payload })),
  };
}

/** A received fax. `at` is in Gregorian seconds. */
interface Arriving {
  readonly from: string;
  readonly name: string | undefined;
  readonly to: string;
  readonly pages: number;
  readonly box: string | undefined;
  readonly at: number;
}

export function receivedFax(
  services: Made,
  account: StoredRecord,
  { from, name, to, pages, box, at }: Arriving,
): {
  readonly record: StoredRecord;
  readonly changes: readonly StoreChange[];
  readonly events: readonly Event[];
} {
  const record = newRecord(
    { kind: 'faxes', scope: account.id, id: newId(services.random) },
    {
      from_number: from,
      ...(name === undefined ? {} : { from_name: name }),
      to_number: to,
      ...(box === undefined ? {} : { faxbox_id: box }),
      rx_result: {
        success: true,
        pages_sent: pages,
        fax_bad_rows: 0,
        fax_error_correction: true,
        fax_receiver_id: to,
        fax_speed: 14_400,
        error_message: '',
        time_elapsed: pages * secondsAPage,
        result_code: '200',
        result_cause: 'NORMAL_CLEARING',
        result_text: 'Success',
      },
    },
    at,
    { received: true },
  );
  return {
    record,
    changes: [buildPut(record, 'faxes')],
    events: receivedFaxEvents(services, account, record),
  };
}

const unixMs = (at: number): number => (at - gregorianOffset) * 1000;

type Made = Pick<Services, 'random'>;

/** Returns the numbers and result of a fax for notifications (Conventions, notification types). */
function faxFacts(
  account: StoredRecord,
  fax: StoredRecord,
  { callId, at, result }: { readonly callId: string; readonly at: number; readonly result: JsonObject },
): JsonObject {
  const from = textAt(fax.body, 'from_number') ?? '';
  const to = textAt(fax.body, 'to_number') ?? '';
  const realm = textAt(account.body, 'realm') ?? 'sandbox.example';
  return {
    call_id: callId,
    caller_id_name: textAt(fax.body, 'from_name') ?? from,
    caller_id_number: from,
    callee_id_name: textAt(fax.body, 'to_name') ?? to,
    callee_id_number: to,
    from_user: from,
    from_realm: realm,
    to_user: to,
    to_realm: realm,
    fax_id: fax.id,
    fax_info: {
      fax_transferred_pages: result.pages_sent,
      fax_bad_rows: result.fax_bad_rows,
      fax_transfer_rate: result.fax_speed,
      fax_ecm_used: result.fax_error_correction,
      fax_result_code: result.result_code,
      fax_result_text: result.result_text,
    },
    fax_notifications: isObject(fax.body.notifications) ? fax.body.notifications : {},
    fax_timestamp: at,
    faxbox_id: textAt(fax.body, 'faxbox_id'),
  };
}

/** Creates the event of the hook `fax`, with the keys of the notification and the current state. */
const faxEvent = ({ random }: Made, account: StoredRecord, type: string, facts: JsonObject): Event => ({
  id: newEventId(random),
  hook: 'fax',
  accountId: account.id,
  payload: { hook_event: 'fax', event_name: type, account_id: account.id, ...facts },
});

const notified = (services: Made, { id }: StoredRecord, type: string, keys: JsonObject): Event => ({
  ...notification(services, type, { accountId: id, keys }),
  id: newEventId(services.random),
});

export function receivedFaxEvents(
  services: Made,
  account: StoredRecord,
  fax: StoredRecord,
): readonly Event[] {
  const result = isObject(fax.body.rx_result) ? fax.body.rx_result : {};
  const facts = omitUndefined(
    faxFacts(account, fax, { callId: newId(services.random), at: fax.createdAt, result }),
  );
  return [
    faxEvent(services, account, 'inbound_fax', { ...facts, status: 'received' }),
    notified(services, account, 'inbound_fax', facts),
  ].map((event) => ({ ...event, atMs: unixMs(fax.createdAt) }));
}

/** Returns the events of a fax job, each at the time of its state. A stored job never changes. */
export function jobEvents(services: Made, account: StoredRecord, job: StoredRecord): readonly Event[] {
  const callId = newId(services.random);
  return [...faxSteps(job)].flatMap(({ status, attempts, result = {}, at }) => {
    const outcome = status === 'completed' ? 'outbound_fax' : 'outbound_fax_error';
    const isOver = status === 'completed' || status === 'failed';
    const facts = omitUndefined({
      ...faxFacts(account, job, { callId, at, result }),
      fax_jobid: job.id,
      ...(status === 'failed' ? { fax_error: textAt(result, 'error_message') } : {}),
    });
    const atMs = unixMs(at);
    const told = faxEvent(services, account, isOver ? outcome : 'outbound_fax', {
      ...facts,
      status,
      attempts,
    });
    return [told, ...(isOver ? [notified(services, account, outcome, facts)] : [])].map((event) => ({
      ...event,
      atMs,
    }));
  });
}
