import { namedRecord, removal } from '../collections/collection.ts';
import { answerList, type Listing } from '../collections/lists.ts';
import { shown } from '../collections/records.ts';
import { textAt } from '../fields.ts';
import { gregorianSeconds } from '../made-values.ts';
import { unknownId, unknownName } from '../refusal.ts';
import { accountOf, type Call, type Handler, parameter } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { silence } from '../telephony/silence.ts';
import { endedRange, ofUser } from './cdrs.ts';

const listOf =
  (more: (call: Call) => Promise<Partial<Listing>>): Handler =>
  async (call) =>
    answerList(call, {
      resource: 'recordings',
      scope: accountOf(call).id,
      made: endedRange(call),
      item: (record) => shown(call, 'recordings', record),
      ...(await more(call)),
    });

/** The recording in the path, once it was finished. */
async function named(call: Call): Promise<StoredRecord> {
  const id = parameter(call, 'recording_id');
  if (!/^\d{6}-./.test(id)) throw unknownName(id, call.services.behaviour);
  const record = await namedRecord(call, 'recordings');
  if (record.createdAt > gregorianSeconds(call.services.clock)) throw unknownId(id);
  return record;
}

/** The record, or its sound where that is asked for: as long a silence as was recorded. */
const get: Handler = async (call) => {
  const record = await named(call);
  const data = await shown(call, 'recordings', record);
  const type = textAt(record.body, 'content_type') ?? '';
  const isWanted = call.accept.split(',').some((each) => each.trim().split(';')[0] === type);
  if (!isWanted) return { data, record };
  const fileName = textAt(record.body, 'name') ?? record.id;
  return { data, record, text: { type, body: silence(type, Number(record.body.duration)), fileName } };
};

/** Recordings of calls (Conventions, recordings). */
export const recordingHandlers = new Map<string, Handler>([
  ['recordings.list', listOf(async () => ({}))],
  ['recordings.of-user', listOf(ofUser)],
  ['recordings.get', get],
  ['recordings.delete', async (call) => removal(call, 'recordings', await named(call))],
]);
