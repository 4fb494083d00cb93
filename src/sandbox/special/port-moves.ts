import { isObject, type JsonObject } from '../../base/json.ts';
import { write } from '../collections/records.ts';
import { textAt } from '../fields.ts';
import { forbidden, invalid } from '../refusal.ts';
import { accountOf, type Call, principalOf } from '../requests/call.ts';
import { objectsIn } from '../rules/ports.ts';
import type { StoredRecord } from '../store/store.ts';
import { placeOf } from '../telephony/number-refusals.ts';
import {
  isAuthority,
  isForAuthority,
  moverOf,
  type PortState,
  portStates,
} from '../telephony/port-states.ts';
import { gregorianSeconds } from '../timestamps.ts';
import { settle } from './number-moves.ts';
import { callerName, publishPortState } from './port-comments.ts';

/** The state of a request. */
export const portStateOf = ({ body }: StoredRecord): PortState =>
  portStates.find((state) => state === body.port_state) ?? 'unconfirmed';

function refuseMove(call: Call, from: PortState, to: PortState): void {
  const mover = moverOf(from, to);
  const isClosed = call.services.behaviour.ports.othersMoves === 'invalid';
  const isOthers = mover === 'authority' || (mover === undefined && isForAuthority(to));
  if (isOthers && !isAuthority(call) && !isClosed) {
    throw forbidden('Only the port authority of the account may do this.');
  }
  if (mover && (!isOthers || isAuthority(call))) return;
  const target = isClosed ? undefined : portStates.filter((state) => moverOf(from, state));
  const message = `is ${from} and cannot become ${to}`;
  throw invalid([{ path: 'port_state', rule: 'enum', message, ...(target ? { target } : {}), cause: to }]);
}

const reasonOf = (call: Call): string | undefined => call.query.get('reason') ?? textAt(call.data, 'reason');

/** An entry of the timeline: who moved the request, from where to where, and why. */
function entryOf(call: Call, from: PortState, to: PortState): JsonObject {
  const { account, user } = principalOf(call);
  const reason = reasonOf(call);
  return {
    timestamp: gregorianSeconds(call.services.clock),
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

/** Puts the numbers of a completed request into service for its account. */
async function takeNumbers(call: Call, { body }: StoredRecord): Promise<void> {
  const account = accountOf(call);
  for (const id of isObject(body.numbers) ? Object.keys(body.numbers) : []) {
    const name = { kind: 'numbers', scope: '', id };
    const known = await call.services.store.get(name);
    if (known) await settle(call, known, account, 'in_service');
    else {
      await write(call, {
        name,
        resource: 'numbers',
        body: { state: 'in_service', assigned_to: account.id },
        hidden: placeOf(account),
      });
    }
  }
}

/** Moves a request to a state and notes it. Refuses what the table of states does not have, and who may not. */
export async function movePort(
  call: Call,
  before: StoredRecord,
  to: PortState,
  body: JsonObject = before.body,
): Promise<StoredRecord> {
  const from = portStateOf(before);
  refuseMove(call, from, to);
  const moves = [...objectsIn(before.hidden.moves), entryOf(call, from, to)];
  const record = await write(call, {
    name: before,
    resource: 'ports',
    body: { ...body, port_state: to },
    before: { ...before, hidden: { ...before.hidden, moves } },
  });
  if (to === 'completed') await takeNumbers(call, before);
  publishPortState(call, record, to, reasonOf(call));
  return record;
}
