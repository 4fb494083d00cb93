import { type CallOutcome, callOutcome } from '../../../contract/call-outcomes.ts';
import type { Call } from './types.ts';

/** Returns the outcome of a simulated call, from the same facts as its call records. */
export function outcomeOfCall({ legs, events }: Call): CallOutcome {
  const bridged = new Set(
    events.flatMap((event) => (event.kind === 'bridge' ? [event.leg, event.other] : [])),
  );
  const ended = legs.map(({ id, answered, ended: end, other = '' }) => ({
    id,
    isFirst: id === 'a1',
    billed: answered === undefined ? 0 : Math.floor(end) - Math.floor(answered),
    other: bridged.has(id) ? other : '',
  }));
  return callOutcome(
    ended,
    events.some((event) => event.kind === 'left' && event.what === 'message'),
  );
}
