import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { textAt } from '../fields.ts';
import { invalid, Refusal } from '../refusal.ts';
import { type Call, principalOf } from '../requests/call.ts';
import { isAuthority } from '../telephony/port-authority.ts';
import { gregorianSeconds } from '../timestamps.ts';

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
