import { Failure } from '../../base/failure.ts';
import { isRoutable, normalisedNumber } from '../../contract/phone-number.ts';
import { newId } from '../identifiers.ts';
import type { Services } from '../services.ts';
import { type AccountRecords, calledName } from '../telephony/account-records.ts';
import type { CallRequest } from './call-request.ts';
import type { Leg } from './leg.ts';
import { accountWith, type Caller, callerOf, type Match, matchNumber } from './routing.ts';

/** Where a call leads: an account, and its callflow or the public network. */
export interface Route {
  readonly records: AccountRecords;
  readonly caller: Caller;
  /** Left out: no callflow takes the number, and it leads to the public network. */
  readonly match: Match | undefined;
  /** The dialled number, in E.164 where it is one of the public network. */
  readonly to: string;
}

/**
 * Finds who calls and where the number leads: calls from outside to whoever has it in service, calls from inside
 * first to their own account. Throws `Failure` (`not_found`) where nothing answers it.
 */
export async function routeOf(
  services: Services,
  own: AccountRecords,
  { from, fromName, to: dialled }: CallRequest,
): Promise<Route> {
  const caller = await callerOf(own, from, fromName);
  const owner = caller.user ? undefined : await accountWith(services.store, dialled);
  const records = owner ?? own;
  const match = await matchNumber(records, dialled);
  const isPublic = isRoutable(dialled);
  const to = isPublic ? normalisedNumber(dialled) : dialled;
  if (match || (caller.user && isPublic)) return { records, caller, match, to };
  const name = calledName(records.account);
  throw new Failure(
    'not_found',
    `Nothing answers ${JSON.stringify(to)}: no callflow of ${name} has the number or a pattern for it, and none takes what no other does.`,
    { hint: 'See what the callflows take: telctl callflows list' },
  );
}

/** The caller's leg. */
export function callerLeg(services: Services, { caller, match, to }: Route): Leg {
  const { number, name, user } = caller;
  return {
    callId: newId(services.random),
    direction: 'inbound',
    caller: { name, number },
    callee: { name: match ? calledName(match.callflow) : to, number: to },
    destination: to,
    ownerId: user?.id,
    authorizing: user ? { id: user.id, type: 'user' } : { id: 'sandbox-carrier', type: 'resource' },
  };
}
