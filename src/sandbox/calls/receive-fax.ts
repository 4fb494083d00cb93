import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { isRoutable, normalisedNumber } from '../../contract/phone-number.ts';
import { publish } from '../events/queue-events.ts';
import { textAt } from '../fields.ts';
import { newId } from '../identifiers.ts';
import { putOf } from '../placement.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';
import { type AccountRecords, calledName } from '../telephony/account-records.ts';
import { gregorianSeconds } from '../timestamps.ts';
import { countIn, isDryRun, textIn } from './call-request.ts';
import { receivedFaxEvents } from './fax-events.ts';
import { accountWith, matchNumber } from './routing.ts';

const mostPages = 500;
const secondsAPage = 12;

/** Whoever gets faxes to a number: the account that has it in service, else the chosen one where a callflow takes it. */
async function receiverOf(services: Services, own: AccountRecords, dialled: string): Promise<StoredRecord> {
  const owner = await accountWith(services.store, dialled);
  if (owner) return owner.account;
  const match = await matchNumber(own, dialled);
  if (match && match.by !== 'no_match') return own.account;
  throw new Failure('not_found', `Nothing takes a fax at ${JSON.stringify(normalisedNumber(dialled))}.`, {
    hint: `telctl numbers create ${normalisedNumber(dialled)}`,
  });
}

/**
 * Lets a fax from outside arrive: a record in the inbox of the account that has the number, and its events
 * (Conventions, Faxes). Throws `Failure`.
 */
export async function receiveFax(
  services: Services,
  own: AccountRecords,
  body: JsonObject,
): Promise<JsonObject> {
  const from = normalisedNumber(textIn(body, 'from'));
  const to = normalisedNumber(textIn(body, 'to'));
  if (!isRoutable(from)) throw new Failure('usage', `${JSON.stringify(from)} is no number that sends faxes.`);
  const pages = countIn(body, 'pages', 1, mostPages);
  const account = await receiverOf(services, own, to);
  const now = gregorianSeconds(services.clock);
  const name = textAt(body, 'from_name');
  const record: StoredRecord = {
    kind: 'faxes',
    scope: account.id,
    id: newId(services.random),
    body: {
      from_number: from,
      ...(name === undefined ? {} : { from_name: name }),
      to_number: to,
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
    hidden: { received: true },
    createdAt: now,
    modifiedAt: now,
    revision: 0,
  };
  const events = receivedFaxEvents(services, account, record);
  if (!isDryRun(body)) await publish(services, events, [putOf(record, 'faxes')]);
  return {
    fax_id: record.id,
    account_id: account.id,
    account_name: calledName(account),
    ...{ from, to, pages },
    events: events.map(({ id, hook, payload }) => ({ id, hook, payload })),
  };
}
