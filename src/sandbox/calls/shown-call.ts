import type { JsonObject } from '../../base/json.ts';
import { normalisedNumber } from '../../contract/phone-number.ts';
import type { ResourceName } from '../../contract/types.ts';
import { codeOf } from '../../engine/calls/causes.ts';
import { findFlow, recordsOf } from '../../engine/calls/records.ts';
import { passedSettings } from '../../engine/calls/setting-table.ts';
import type { Call, CallAccount, CallEvent, CallLeg } from '../../engine/calls/types.ts';
import { calledName } from '../telephony/account-records.ts';
import { outsideFlow, ownerOfMadePhone } from './call-account.ts';
import type { Kept } from './keep-call.ts';
import { firstFlow, legsOf, type MadeCall } from './made-call.ts';
import { personIn } from './who-calls.ts';

/** The name of what rings: `alice`, `alice on device Desk`, `device Desk`, a number outside. */
function nameOfLeg({ input: { account } }: MadeCall, leg: CallLeg): string {
  if (leg.carrier !== undefined) return leg.to;
  const user = leg.user === undefined ? undefined : account.get('users', leg.user);
  const username = user && String(user.username ?? personIn(user));
  if (leg.device === undefined || ownerOfMadePhone(leg.device) !== undefined) return username ?? leg.to;
  const device = `device ${String(account.get('devices', leg.device)?.name ?? leg.device)}`;
  return username === undefined ? device : `${username} on ${device}`;
}

/** Legs that a step made: those that began after it and before the next step. */
function legsAfter({ call }: MadeCall, step: CallEvent, next: CallEvent | undefined): readonly CallLeg[] {
  const [from, until] = [call.events.indexOf(step), next ? call.events.indexOf(next) : call.events.length];
  const ids = call.events.slice(from, until).flatMap((event) => (event.kind === 'leg' ? [event.leg] : []));
  return call.legs.filter(({ id, side }) => side === 'B' && ids.includes(id));
}

/** What came of the legs that a step made, in words. */
function ringNote(made: MadeCall, rung: readonly CallLeg[], from: number): string | undefined {
  if (rung.length === 0) return undefined;
  const answered = rung.find((leg) => leg.answered !== undefined);
  if (answered)
    return `${nameOfLeg(made, answered)} answers after ${Math.floor((answered.answered ?? from) - from)} s`;
  const seconds = Math.floor(Math.max(...rung.map(({ ended }) => ended)) - from);
  if (rung.every(({ cause }) => cause === 'USER_BUSY')) return 'busy';
  return `nobody answers in ${seconds} s`;
}

/** A message that was left at a step, in words. */
function messageNote({ call }: MadeCall, from: number, until: number): string | undefined {
  const left = call.events.find(
    (event) => event.kind === 'left' && event.what === 'message' && event.at >= from && event.at < until,
  );
  return left?.kind === 'left' ? `a message of ${Math.floor(left.seconds)} s is left` : undefined;
}

/** A sentence of the engine as a note behind a step. */
const noteIn = (why: string | undefined): string | undefined => why?.replace(/\.$/, '');

/** The steps that a leg went through, each with the key by which the call came to it. */
function pathOf(made: MadeCall, legId: string): readonly JsonObject[] {
  const events = made.call.events.filter(
    (event) =>
      (event.kind === 'step' || event.kind === 'flow') && (event.leg === legId || event.leg === 'loop'),
  );
  const path: JsonObject[] = [];
  const seen = new Set<string>();
  let key: string | undefined;
  for (const [index, event] of events.entries()) {
    if (event.kind === 'flow') {
      const before = events[index - 1];
      const isNamed = before?.kind === 'step' && before.step.module === 'callflow';
      if (path.length === 0 && index === 0) continue;
      if (event.callflow === outsideFlow) continue;
      if (!isNamed) path.push(flowItem(event, key));
      key = '→';
    }
    if (event.kind !== 'step') continue;
    const { step } = event;
    const next = events.slice(index + 1).find(({ kind }) => kind === 'step');
    const rung = legsAfter(made, event, next);
    const note =
      messageNote(made, step.at, next?.at ?? Number.POSITIVE_INFINITY) ??
      ringNote(made, rung, step.at) ??
      noteIn(step.why);
    const place = `${step.at} ${step.callflow} ${step.place.join(' ')}`;
    const goesRound = seen.has(place);
    seen.add(place);
    const label =
      step.callflow === outsideFlow ? `outside ${JSON.stringify(rung[0]?.to ?? made.input.to)}` : step.label;
    path.push({
      ...(key === undefined ? {} : { key }),
      label,
      ...(step.module === '' ? {} : { module: step.module }),
      ...(step.id === undefined ? {} : { id: step.id }),
      at_seconds: Math.floor(step.at),
      ...(goesRound ? { note: 'goes round' } : note === undefined ? {} : { note }),
    });
    if (goesRound) break;
    key = step.left ?? '_';
  }
  return path;
}

const flowItem = (event: Extract<CallEvent, { kind: 'flow' }>, key: string | undefined): JsonObject => ({
  ...(key === undefined ? {} : { key }),
  label: `callflow ${JSON.stringify(event.word)}`,
  module: 'callflow',
  id: event.callflow,
  at_seconds: Math.floor(event.at),
  note: noteIn(event.why) ?? '',
});

/** How the call ended: a word for scripts, and a sentence for people. */
function outcomeOf(made: MadeCall, legId: string): { readonly outcome: string; readonly words: string } {
  const { call } = made;
  const { in: place, name = '', why, cause } = call.end;
  const leg = call.legs.find(({ id }) => id === legId);
  const other = call.legs.find(({ id }) => id === leg?.other);
  const message = call.events.find((event) => event.kind === 'left' && event.what === 'message');
  const named = JSON.stringify(name);
  if (legId !== 'a1' || (other && (place === 'person' || place === 'carrier')))
    return { outcome: 'answered', words: `Answered by ${other ? nameOfLeg(made, other) : name}` };
  switch (place) {
    case 'voicemail':
      if (call.events.some((event) => event.kind === 'hook' && event.hook === 'voicemail_full'))
        return { outcome: 'voicemail full', words: `Voicemail box ${named} is full` };
      return message?.kind === 'left'
        ? {
            outcome: 'message',
            words: `Message of ${Math.floor(message.seconds)} s in voicemail box ${boxName(made, message.box)}`,
          }
        : { outcome: 'heard', words: `In voicemail box ${named}; no message was left` };
    case 'conference':
      return {
        outcome: 'conference',
        words: `In conference ${named} for ${Math.floor(leg?.ended ?? 0) - Math.floor(leg?.answered ?? 0)} s`,
      };
    case 'queue':
      return { outcome: 'hung up', words: `The caller gave up in queue ${named}` };
    case 'parked':
      return { outcome: 'parked', words: `The call is parked in slot ${name}` };
    case 'fax':
      return { outcome: 'fax', words: 'A fax machine answers' };
    default: {
      const heard = leg?.answered !== undefined && cause === 'NORMAL_CLEARING';
      return {
        outcome: 'hung up',
        words: why === undefined ? (heard ? 'Hung up' : `Hung up: ${cause}`) : why.replace(/\.$/, ''),
      };
    }
  }
}

const boxName = ({ input: { account } }: MadeCall, id: string | undefined): string =>
  JSON.stringify(account.get('vmboxes', id ?? '')?.name ?? id ?? '');

const stepKinds = ['vmboxes', 'menus', 'conferences', 'queues', 'faxboxes', 'directories'] as const;

const namedBySteps = (call: Call, account: CallAccount, kind: ResourceName): readonly JsonObject[] => {
  const ids = new Set(call.events.flatMap((event) => (event.kind === 'step' ? (event.step.id ?? []) : [])));
  return account.of(kind).filter(({ id }) => typeof id === 'string' && ids.has(id));
};

/** Steps and settings that have a say in the call and were passed over, in words. */
function notSimulated({ call, input: { account } }: MadeCall): readonly JsonObject[] {
  const gaps = call.events.flatMap((event) =>
    event.kind === 'gap' ? [{ words: event.what.replace(/\.$/, '') }] : [],
  );
  const met: (readonly [kind: ResourceName, records: readonly JsonObject[]])[] = [
    ['accounts', [account.record]],
    [
      'callflows',
      account
        .of('callflows')
        .filter(({ id }) => call.events.some((event) => event.kind === 'flow' && event.callflow === id)),
    ],
    ...stepKinds.map((kind) => [kind, namedBySteps(call, account, kind)] as const),
  ];
  for (const kind of ['users', 'devices'] as const) {
    const ids = new Set(call.legs.map((leg) => (kind === 'users' ? leg.user : leg.device) ?? ''));
    met.push([
      kind,
      [...ids].flatMap((id): readonly JsonObject[] => {
        const found = account.get(kind, id);
        return found ? [found] : [];
      }),
    ]);
  }
  const settings = met.flatMap(([kind, records]) =>
    records.flatMap((record) => passedSettings(kind, record)),
  );
  return [...gaps, ...settings.map((words) => ({ words }))];
}

/** How the number led to its callflow. */
function matchOf({ input }: MadeCall): JsonObject {
  const found = findFlow(recordsOf(input.account), normalisedNumber(input.to), true);
  if (!found) return {};
  if (found.pattern !== undefined) return { matched: { by: 'pattern', text: found.pattern } };
  const by = found.isNoMatch ? 'no_match' : 'number';
  return { matched: { by, text: found.isNoMatch ? by : normalisedNumber(input.to) } };
}

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
  return {
    call_id: ids.get(legId) ?? '',
    interaction_id: interaction,
    account_id: account.id,
    account_name: calledName(account),
    from: shown?.caller.number ?? '',
    to: own?.to ?? input.to,
    ...(flow?.record && flow.id !== outsideFlow
      ? { callflow: { id: flow.id, name: flow.name }, ...matchOf(made) }
      : {}),
    path: pathOf(made, legId),
    ...outcomeOf(made, legId),
    ...(call.end.in === 'nobody' || call.end.in === 'hangup'
      ? { hangup_cause: call.end.cause, hangup_code: codeOf(call.end.cause) }
      : {}),
    ...facts,
    not_simulated: notSimulated(made),
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
