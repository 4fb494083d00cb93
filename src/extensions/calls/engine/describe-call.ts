import { type JsonObject, omitUndefined } from '../../../base/json.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { findFlow, nameByKind, recordsOf } from './records.ts';
import { passedSettings } from './setting-table.ts';
import type { Call, CallAccount, CallEvent, CallLeg } from './types.ts';

/** A call that was made, and the account that it was made in. */
export interface Described {
  readonly call: Call;
  readonly account: CallAccount;
  /** What was dialled. */
  readonly to: string;
  /** Id of a callflow that stands for the public network, and is not shown as one. */
  readonly outside?: string;
}

/** The name of what rings: `alice`, `alice on device Desk`, `device Desk`, a number outside. */
function nameOfLeg({ account }: Described, leg: CallLeg): string {
  if (leg.carrier !== undefined) return leg.to;
  const { get } = recordsOf(account);
  const user = get('users', leg.user);
  const username = user && nameByKind('users', user);
  const device = get('devices', leg.device);
  const name = device && nameByKind('devices', device);
  // A phone of the name of its user says no more than that.
  if (name === undefined || name === username) return username ?? leg.to;
  return username === undefined ? `device ${name}` : `${username} on device ${name}`;
}

function legsAfter({ call }: Described, step: CallEvent, next: CallEvent | undefined): readonly CallLeg[] {
  const [from, until] = [call.events.indexOf(step), next ? call.events.indexOf(next) : call.events.length];
  const ids = call.events.slice(from, until).flatMap((event) => (event.kind === 'leg' ? [event.leg] : []));
  return call.legs.filter(({ id, side }) => side === 'B' && ids.includes(id));
}

/** Says what became of the legs that a step made. */
function ringNote(made: Described, rung: readonly CallLeg[], from: number): string | undefined {
  if (rung.length === 0) return undefined;
  const answered = rung.find((leg) => leg.answered !== undefined);
  if (answered)
    return `${nameOfLeg(made, answered)} answers after ${Math.floor((answered.answered ?? from) - from)} s`;
  const seconds = Math.floor(Math.max(...rung.map(({ ended }) => ended)) - from);
  if (rung.every(({ cause }) => cause === 'USER_BUSY')) return 'busy';
  return `nobody answers in ${seconds} s`;
}

/** A message that was left at a step, in words. */
function messageNote({ call }: Described, from: number, until: number): string | undefined {
  const left = call.events.find(
    (event) => event.kind === 'left' && event.what === 'message' && event.at >= from && event.at < until,
  );
  return left?.kind === 'left' ? `a message of ${Math.floor(left.seconds)} s is left` : undefined;
}

/** A sentence of the engine as a note behind a step. */
const noteIn = (why: string | undefined): string | undefined => why?.replace(/\.$/, '');

/** The steps that a leg went through, each with the key by which the call came to it. */
export function pathOfLeg(made: Described, legId: string): readonly JsonObject[] {
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
      if (event.callflow === made.outside) continue;
      const isSaid = before?.kind === 'step' && before.step.why === event.why;
      if (!isNamed)
        path.push(
          omitUndefined({
            key,
            label: `callflow ${JSON.stringify(event.word)}`,
            module: 'callflow',
            id: event.callflow,
            at_seconds: Math.floor(event.at),
            note: isSaid ? undefined : noteIn(event.why),
            ...branchName(made, key),
          }),
        );
      key = '→';
    }
    if (event.kind !== 'step') continue;
    const { step } = event;
    const next = events.slice(index + 1).find(({ kind }) => kind === 'step');
    const rung = legsAfter(made, event, next);
    const note =
      messageNote(made, step.at, next?.at ?? Number.POSITIVE_INFINITY) ??
      ringNote(made, rung, step.at) ??
      (step.module === 'callflow' && next !== undefined ? undefined : noteIn(step.why));
    const place = `${step.at} ${step.callflow} ${step.place.join(' ')}`;
    const goesRound = seen.has(place);
    seen.add(place);
    const label =
      step.callflow === made.outside ? `outside ${JSON.stringify(rung[0]?.to ?? made.to)}` : step.label;
    const shown = {
      key,
      label,
      module: step.module || undefined,
      id: step.id,
      at_seconds: Math.floor(step.at),
      note: goesRound ? 'goes round' : note,
    };
    path.push(omitUndefined({ ...shown, ...branchName(made, key) }));
    if (goesRound) break;
    key = step.left ?? '_';
  }
  return path;
}

function branchName({ account }: Described, key = ''): JsonObject {
  const rule = account.get('temporal_rules', key) ?? account.get('temporal_rules_sets', key);
  return rule ? { branch_name: nameByKind('temporal_rules', rule) } : {};
}

/** How the call ended: a word for scripts, and a sentence for people. */
export function outcomeOf(
  made: Described,
  legId: string,
): { readonly outcome: string; readonly words: string } {
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

const boxName = ({ account }: Described, id: string | undefined): string =>
  JSON.stringify(account.get('vmboxes', id ?? '')?.name ?? id ?? '');

/** Kinds of records whose settings have a say in a call that comes past them. */
const kindsOnTheRoute: readonly ResourceName[] = [
  ...(['callflows', 'users', 'devices', 'vmboxes', 'menus'] as const),
  ...(['conferences', 'queues', 'faxboxes', 'directories'] as const),
];

/** Ids of the records that a call came past. */
const idsOnTheRoute = ({ events, legs }: Call): ReadonlySet<unknown> =>
  new Set([
    ...events.flatMap((event) =>
      event.kind === 'step' ? (event.step.id ?? []) : event.kind === 'flow' ? event.callflow : [],
    ),
    ...legs.flatMap(({ user, device }) => [user ?? [], device ?? []].flat()),
  ]);

/** Steps and settings that have a say in the call and were passed over, in words. */
export function notSimulated({ call, account }: Described): readonly string[] {
  const gaps = call.events.flatMap((event) => (event.kind === 'gap' ? event.what.replace(/\.$/, '') : []));
  const met = idsOnTheRoute(call);
  const settings = kindsOnTheRoute.flatMap((kind) =>
    account
      .of(kind)
      .filter(({ id }) => met.has(id))
      .flatMap((record) => passedSettings(kind, record)),
  );
  return [...gaps, ...passedSettings('accounts', account.record), ...settings];
}

/** How a number led to its callflow: by it, by a pattern, or since no other takes it. */
export function matchOf(account: CallAccount, number: string): JsonObject {
  const dialled = normalisedNumber(number);
  const found = findFlow(recordsOf(account), dialled, true);
  if (!found) return {};
  if (found.pattern !== undefined) return { by: 'pattern', text: found.pattern };
  return found.isNoMatch ? { by: 'no_match', text: 'no_match' } : { by: 'number', text: dialled };
}
