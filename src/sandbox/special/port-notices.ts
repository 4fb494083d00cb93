import { isObject, type JsonObject } from '../../base/json.ts';
import { notification } from '../events/event.ts';
import { textAt } from '../fields.ts';
import type { Call } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import type { PortState } from '../telephony/port-states.ts';
import { callerName } from './port-comments.ts';

/** The notification that each state of a port request is published as (Conventions, notification types). */
const noticeOf: Readonly<Record<PortState, string>> = {
  unconfirmed: 'port_unconfirmed',
  submitted: 'port_request',
  pending: 'port_pending',
  scheduled: 'port_scheduled',
  completed: 'ported',
  rejected: 'port_rejected',
  canceled: 'port_cancel',
};

function publishNotice(call: Call, type: string, { id, scope, body }: StoredRecord, more: JsonObject): void {
  const [number = ''] = isObject(body.numbers) ? Object.keys(body.numbers) : [];
  const state = textAt(body, 'port_state') ?? '';
  const keys: JsonObject = {
    port_request_id: id,
    port: { name: textAt(body, 'name') ?? '', port_state: state, numbers: body.numbers ?? {} },
    number,
    number_state: 'port_in',
    local_number: false,
    authorized_by: callerName(call),
    version: '5.0.0',
    ...more,
  };
  call.events.push(notification(call.services, type, { accountId: scope, keys }));
}

/** Publishes the state that a port request has come to, and why. */
export function publishPortState(
  call: Call,
  record: StoredRecord,
  state: PortState,
  reason: string | undefined,
): void {
  publishNotice(call, noticeOf[state], record, reason === undefined ? {} : { reason });
}

/** Publishes the last comment of a port request, unless it is private. */
export function publishComment(call: Call, record: StoredRecord): void {
  const { comments } = record.body;
  const last = Array.isArray(comments) ? comments.at(-1) : undefined;
  if (isObject(last) && last.is_private !== true)
    publishNotice(call, 'port_comment', record, { comment: last });
}
