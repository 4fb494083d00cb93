import type { JsonObject } from '../../base/json.ts';
import { codeOf } from '../../engine/calls/causes.ts';
import { matchOf, notSimulated, outcomeOf, pathOf } from '../../engine/calls/describe-call.ts';
import { calledName } from '../telephony/account-records.ts';
import { outsideFlow } from './call-account.ts';
import type { Kept } from './keep-call.ts';
import { firstFlow, legsOf, type MadeCall } from './made-call.ts';

/** A call that was simulated, as scripts read it. */
export function shownCall(
  made: MadeCall,
  { events, facts }: Pick<Kept, 'events' | 'facts'>,
  legId = 'a1',
): JsonObject {
  const { call, input, account, ids, interaction } = made;
  const legs = legsOf(made);
  const own = call.legs.find(({ id }) => id === legId);
  const shown = legs.get(legId);
  const flow = firstFlow(made);
  const duration = own ? Math.floor(own.ended) - Math.floor(own.began) : 0;
  const answered = own?.answered;
  const asked = call.notPressed;
  const described = { call, account: input.account, to: input.to, outside: outsideFlow };
  return {
    call_id: ids.get(legId) ?? '',
    interaction_id: interaction,
    account_id: account.id,
    account_name: calledName(account),
    from: shown?.caller.number ?? '',
    to: own?.to ?? input.to,
    ...(flow?.record && flow.id !== outsideFlow
      ? { callflow: { id: flow.id, name: flow.name }, matched: matchOf(input.account, input.to) }
      : {}),
    path: pathOf(described, legId),
    ...outcomeOf(described, legId),
    ...(call.end.in === 'nobody' || call.end.in === 'hangup'
      ? { hangup_cause: call.end.cause, hangup_code: codeOf(call.end.cause) }
      : {}),
    ...facts,
    not_simulated: notSimulated(described).map((words) => ({ words })),
    ...(asked.length > 0 ? { digits_left: asked } : {}),
    duration_seconds: duration,
    ringing_seconds: Math.floor(answered ?? own?.ended ?? 0) - Math.floor(own?.began ?? 0),
    billing_seconds: answered === undefined ? 0 : Math.floor(own?.ended ?? 0) - Math.floor(answered),
    legs: call.legs.map((leg) => ({
      ...{ call_id: ids.get(leg.id) ?? '', direction: leg.side === 'A' ? 'inbound' : 'outbound' },
      destination: legs.get(leg.id)?.destination ?? leg.to,
      ...(leg.user === undefined ? {} : { owner_id: leg.user }),
      ...(leg.facts.account_billing === undefined ? {} : { billing: leg.facts.account_billing }),
      hangup_cause: leg.cause,
    })),
    ends_at: new Date(input.at + Math.floor(call.seconds) * 1000).toISOString(),
    events: events.map(({ id, hook, payload }) => ({ id, hook, payload })),
  };
}
