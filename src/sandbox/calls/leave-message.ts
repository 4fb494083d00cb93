import type { JsonObject } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import type { Event } from '../events/event.ts';
import { newEventId } from '../events/queue-events.ts';
import { textAt } from '../fields.ts';
import { putOf } from '../placement.ts';
import type { Services } from '../services.ts';
import type { Change, StoredRecord } from '../store/store.ts';
import { messageNotice } from '../telephony/message-notice.ts';
import { messagesScope, newMessageId } from '../telephony/message-place.ts';
import { gregorianSeconds } from '../timestamps.ts';
import type { Party } from './leg.ts';

/** A message that somebody leaves. */
export interface Leaving {
  readonly account: StoredRecord;
  readonly box: StoredRecord;
  readonly caller: Party;
  /** What was dialled. */
  readonly to: string;
  readonly callId: string;
  /** When it begins, in Gregorian seconds. */
  readonly at: number;
  readonly seconds: number;
  /** What is said in it. */
  readonly text?: string | undefined;
  /** When it is told of, in Unix milliseconds; at once where left out. */
  readonly toldAtMs?: number | undefined;
}

/** A message as it is kept, and what is told of it. */
export interface Left {
  readonly messageId: string;
  readonly changes: readonly Change[];
  readonly events: readonly Event[];
}

const longestName = 35;

/** Leaves a message in a voicemail box: the record, and the notification of it (Conventions, Voicemail boxes). */
export function leaveMessage(services: Services, leaving: Leaving): Left {
  const { account, box, caller, to, callId, at, seconds, text, toldAtMs } = leaving;
  const realm = textAt(account.body, 'realm') ?? 'sandbox.example';
  const id = newMessageId(services);
  // A record that is made later is told of later.
  const keptAt =
    toldAtMs === undefined ? gregorianSeconds(services.clock) : Math.floor(toldAtMs / 1000) + gregorianOffset;
  const transcription: JsonObject | undefined = text === undefined ? undefined : { result: 'success', text };
  const record: StoredRecord = {
    kind: 'messages',
    scope: messagesScope(account.id, box.id),
    id,
    body: {
      folder: 'new',
      timestamp: at,
      from: `${caller.number}@${realm}`,
      to: `${to}@${realm}`,
      caller_id_name: caller.name.slice(0, longestName),
      caller_id_number: caller.number.slice(0, longestName),
      call_id: callId,
      length: seconds * 1000,
      ...(transcription ? { transcription } : {}),
    },
    hidden: {},
    createdAt: keptAt,
    modifiedAt: keptAt,
    revision: 0,
  };
  const told = messageNotice(services, 'voicemail_new', { accountId: account.id, boxId: box.id }, record);
  return {
    messageId: id,
    changes: [putOf(record, 'messages')],
    events: [
      { ...told, id: newEventId(services.random), ...(toldAtMs === undefined ? {} : { atMs: toldAtMs }) },
    ],
  };
}
