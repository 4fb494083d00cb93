import { Failure } from '../../../base/failure.ts';
import { zoneOfStep } from '../../../contract/temporal-route.ts';
import { dateAndTime, tryCall } from '../../../engine/call-tests/tried-calls.ts';
import { outcomeOf } from '../../../engine/calls/describe-call.ts';
import { texts } from '../../../engine/calls/records.ts';
import type { CallAccount } from '../../../engine/calls/types.ts';
import type { Reader } from '../../../engine/page/reader.ts';
import type { Context } from '../../command/context.ts';
import { readAccount } from '../make-calls.ts';
import { timeOfCall } from '../temporal-rules/commands.ts';

/** Time for which an account is read once: somebody tries one time after another. */
const freshMs = 15_000;

/** Follows calls to callflows as `telctl test` makes them: everybody answers, and only reads reach the service. */
export function followIn(context: Context): NonNullable<Reader['follow']> {
  const { clock } = context.host;
  const known = new Map<string, { readonly atMs: number; readonly account: Promise<CallAccount> }>();
  const accountOf = (id: string): Promise<CallAccount> => {
    const found = known.get(id);
    if (found && clock.now() - found.atMs < freshMs) return found.account;
    const account = readAccount(context, id);
    known.set(id, { atMs: clock.now(), account });
    account.catch(() => known.delete(id));
    return account;
  };
  return async (accountId, callflowId, { at, presses = '' }) => {
    const account = await accountOf(accountId);
    const zone = zoneOfStep({}, account.record.timezone);
    const localTime = (ms: number): string => dateAndTime(zone, ms).replace(' ', 'T');
    const none = { at: localTime(clock.now()), reached: new Set<string>() };
    if (at === undefined) return none;
    const [to] = texts(account.get('callflows', callflowId)?.numbers);
    if (to === undefined) return { ...none, sentence: 'No number leads to this callflow.' };
    const time = timeIn(at, zone, clock.now());
    if (typeof time === 'string') return { ...none, sentence: time };
    const call = tryCall(account, {
      to,
      at: time,
      presses: presses === '' ? [] : presses.split(',').map((each) => each.trim()),
      people: new Map(),
      others: { does: 'answers', after: 6 },
    });
    const reached = call.events.flatMap((event) =>
      event.kind === 'step' && event.step.callflow === callflowId ? [event.step.place.join('.')] : [],
    );
    const { words } = outcomeOf({ call, account, to }, 'a1');
    return {
      at: localTime(time),
      sentence: `A call to ${to} at that time, where everybody answers: ${words}.`,
      reached: new Set(reached),
    };
  };
}

/** A time in Unix milliseconds, or what is wrong with it. */
function timeIn(at: string, zone: string, nowMs: number): number | string {
  try {
    return timeOfCall(at, zone, nowMs) * 1000;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
