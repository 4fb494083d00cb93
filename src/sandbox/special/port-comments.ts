import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { notification } from '../events/event.ts';
import { textAt } from '../fields.ts';
import { invalid, Refusal } from '../refusal.ts';
import { type Call, principalOf } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import type { PortState } from '../telephony/port-states.ts';
import { isAuthority } from '../telephony/port-states.ts';
import { gregorianSeconds } from '../timestamps.ts';

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

/** The caller's name, as timelines and comments give it. */
export function callerName(call: Call): string {
  const { account, user } = principalOf(call);
  const { body } = user ?? account;
  const person = [textAt(body, 'first_name'), textAt(body, 'last_name')].filter(Boolean).join(' ');
  return person || textAt(body, 'username') || textAt(body, 'name') || '';
}

function refuseComment(call: Call, comment: JsonObject): void {
  const marks = [comment.is_private, comment.action_required].filter((mark) => mark === true);
  if (marks.length === 2) {
    const message = 'A comment cannot be private and ask for action.';
    throw invalid([{ path: 'comments', rule: 'rejected', message }]);
  }
  if (marks.length > 0 && !isAuthority(call)) {
    const message = 'Only the port authority writes private comments or asks for action.';
    throw new Refusal(403, 'forbidden', message, { comments: { forbidden: { message } } });
  }
}

/**
 * New comments as they are kept: with author, account and time, whatever was sent for these. Refuses (403) marks
 * that the caller may not set. What is no comment stays as it is, for the schema to refuse.
 */
export function signedComments(call: Call, sent: readonly Json[]): readonly Json[] {
  const { account, user } = principalOf(call);
  return sent.map((comment) => {
    if (!isObject(comment)) return comment;
    refuseComment(call, comment);
    return {
      is_private: false,
      action_required: false,
      ...comment,
      author: callerName(call),
      account_id: account.id,
      ...(user ? { user_id: user.id } : {}),
      timestamp: gregorianSeconds(call.services.clock),
    };
  });
}

/** Comments of a request, whoever may read them. */
export const commentsOf = ({ comments }: JsonObject): readonly Json[] =>
  Array.isArray(comments) ? comments : [];
