import { isObject, type Json, type JsonObject, objectsIn, textAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { firstTimeAt, isTimeZone, toLocalTime } from '../../../base/zoned-time.ts';
import { write } from '../collections/records.ts';
import { notification } from '../events/event.ts';
import { personName, pick } from '../fields.ts';
import { forbidden, invalid, Refusal } from '../refusal.ts';
import { accountOf, nowOf, principalOf, type ServiceRequest } from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';
import { ownerFields } from '../telephony/numbers.ts';
import {
  isAuthority,
  isPortOpen,
  moverOf,
  needsAuthority,
  type PortState,
  portStates,
} from '../telephony/port-states.ts';
import { assignNumber } from './number-moves.ts';

export const portStateOf = ({ body }: StoredRecord): PortState =>
  portStates.find((state) => state === body.port_state) ?? 'unconfirmed';

function refuseMove(call: ServiceRequest, from: PortState, to: PortState): void {
  const isUnruled = call.services.behaviour.ports.scheduled === 'from-open' && to === 'scheduled';
  if (isUnruled && isPortOpen(from)) return;
  const mover = moverOf(from, to);
  const isClosed = call.services.behaviour.ports.othersMoves === 'invalid';
  const isOthers = mover === 'authority' || (mover === undefined && needsAuthority(to));
  if (isOthers && !isAuthority(call) && !isClosed) {
    throw forbidden('Only the port authority of the account may do this.');
  }
  if (mover && (!isOthers || isAuthority(call))) return;
  const target = isClosed ? undefined : portStates.filter((state) => moverOf(from, state));
  const message = `is ${from} and cannot become ${to}`;
  throw invalid([{ path: 'port_state', rule: 'enum', message, ...(target ? { target } : {}), cause: to }]);
}

const transitionReason = (call: ServiceRequest): string | undefined =>
  call.query.get('reason') ?? textAt(call.data, 'reason');

function timelineEntry(call: ServiceRequest, from: PortState, to: PortState): JsonObject {
  const { account, user } = principalOf(call);
  const reason = transitionReason(call);
  return {
    timestamp: nowOf(call),
    type: 'transition',
    transition: { previous: from, new: to },
    authorization: {
      account: { id: account.id, name: textAt(account.body, 'name') ?? '' },
      ...(user
        ? {
            user: {
              id: user.id,
              first_name: textAt(user.body, 'first_name') ?? '',
              last_name: textAt(user.body, 'last_name') ?? '',
              full_name: callerName(call),
            },
          }
        : {}),
    },
    ...(reason === undefined ? {} : { reason }),
  };
}

async function activateNumbers(call: ServiceRequest, { body }: StoredRecord): Promise<void> {
  const account = accountOf(call);
  for (const id of isObject(body.numbers) ? Object.keys(body.numbers) : []) {
    const name = { kind: 'numbers', scope: '', id };
    const known = await call.services.store.get(name);
    if (known) await assignNumber(call, known, account, 'in_service');
    else {
      await write(
        call,
        'numbers',
        name,
        { state: 'in_service', assigned_to: account.id },
        ownerFields(account),
      );
    }
  }
}

/**
 * Moves a port request to a state and records the transition. Refuses invalid transitions and callers without
 * permission.
 */
export async function movePort(
  call: ServiceRequest,
  before: StoredRecord,
  to: PortState,
  body: JsonObject = before.body,
): Promise<StoredRecord> {
  const from = portStateOf(before);
  refuseMove(call, from, to);
  const moves = [...objectsIn(before.hidden.moves), timelineEntry(call, from, to)];
  const record = await write(
    call,
    'ports',
    { ...before, hidden: { ...before.hidden, moves } },
    { ...body, port_state: to },
  );
  if (to === 'completed') await activateNumbers(call, before);
  publishPortState(call, record, to, transitionReason(call));
  return record;
}

/** Notification types by state (Conventions, notification types). */
const stateNotifications: Readonly<Record<PortState, string>> = {
  unconfirmed: 'port_unconfirmed',
  submitted: 'port_request',
  pending: 'port_pending',
  scheduled: 'port_scheduled',
  completed: 'ported',
  rejected: 'port_rejected',
  canceled: 'port_cancel',
};

function publishNotification(
  call: ServiceRequest,
  type: string,
  { id, scope, body }: StoredRecord,
  more: JsonObject,
): void {
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

export function publishPortState(
  call: ServiceRequest,
  record: StoredRecord,
  state: PortState,
  reason: string | undefined,
): void {
  publishNotification(call, stateNotifications[state], record, reason === undefined ? {} : { reason });
}

/** Publishes a notification about the last comment, unless it is private. */
export function publishComment(call: ServiceRequest, record: StoredRecord): void {
  const { comments } = record.body;
  const last = Array.isArray(comments) ? comments.at(-1) : undefined;
  if (isObject(last) && last.is_private !== true)
    publishNotification(call, 'port_comment', record, { comment: last });
}

function callerName(call: ServiceRequest): string {
  const { account, user } = principalOf(call);
  const { body } = user ?? account;
  return personName(body) || textAt(body, 'username') || textAt(body, 'name') || '';
}

function refuseComment(call: ServiceRequest, comment: JsonObject): void {
  const marks = [comment.is_private, comment.action_required].filter((mark) => mark === true);
  if (marks.length === 2) {
    const message = 'A comment cannot be private and ask for action.';
    throw invalid([{ path: 'comments', rule: 'rejected', message }]);
  }
  if (marks.length > 0 && !isAuthority(call)) {
    const message = 'Only the port authority can write private comments or ask for action.';
    throw new Refusal(403, 'forbidden', message, { comments: { forbidden: { message } } });
  }
}

/** Returns new comments with author, account and time. Refuses (403) flags that the caller cannot set. */
export function signedComments(call: ServiceRequest, sent: readonly Json[]): readonly Json[] {
  const { account, user } = principalOf(call);
  const whose = { account_id: account.id, ...(user ? { user_id: user.id } : {}) };
  return sent.map((comment) => {
    if (!isObject(comment)) return comment;
    if (call.services.behaviour.ports.comments === 'as-sent') return { ...comment, ...whose };
    refuseComment(call, comment);
    return {
      is_private: false,
      action_required: false,
      ...comment,
      author: callerName(call),
      ...whose,
      timestamp: nowOf(call),
    };
  });
}

export const commentsOf = ({ comments }: JsonObject): readonly Json[] =>
  Array.isArray(comments) ? comments : [];

/** Fields in the error about a missing date. */
const shownFields = ['comments', 'name', 'numbers'];

/** Returns the scheduled date of a port, and the local time that was sent. */
export function scheduledDate({ data, services }: ServiceRequest, { id, body }: StoredRecord): JsonObject {
  const { schedule_on: local, scheduled_date: date } = data;
  const isKept = services.behaviour.ports.schedule === 'with-date';
  if (!isObject(local) && date === undefined && isKept) {
    const message = 'schedule_on or scheduled_date is required';
    throw invalid([
      { path: '', rule: 'any_schemas_not_valid', message, value: { id, ...pick(body, shownFields) } },
    ]);
  }
  if (!isObject(local)) return date === undefined ? {} : { scheduled_date: date };
  const moment = zonedTime(textAt(local, 'timezone') ?? '', textAt(local, 'date_time') ?? '');
  if (moment !== undefined) return { ...(isKept ? { schedule_on: local } : {}), scheduled_date: moment };
  const message = 'must have a time zone, and a date and time such as 2030-01-31 09:00';
  throw invalid([{ path: 'schedule_on', rule: 'invalid', message }]);
}

/** Converts a local date and time to Gregorian seconds. Returns `undefined` for an invalid zone or date. */
function zonedTime(zone: string, dateTime: string): number | undefined {
  const shown = Date.parse(`${dateTime.replace(' ', 'T')}:00Z`) / 1000;
  if (Number.isNaN(shown) || !isTimeZone(zone)) return undefined;
  return firstTimeAt(zone, toLocalTime(shown)) + gregorianOffset;
}
