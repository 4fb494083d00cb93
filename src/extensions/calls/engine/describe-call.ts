import { type JsonObject, omitUndefined } from '../../../base/json.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { findFlow, nameByKind, recordsOf } from './records.ts';
import { unsimulatedSettings } from './setting-table.ts';
import type { Call, CallAccount, CallEvent, CallLeg } from './types.ts';

export interface DescribedCall {
  readonly call: Call;
  readonly account: CallAccount;
  readonly to: string;
  /** Id of the callflow that represents the public network. It is not shown. */
  readonly outside?: string;
}

/** Formats the name of a ringing leg: `alice`, `alice on device Desk`, `device Desk`, or an outside number. */
function nameOfLeg({ account }: DescribedCall, leg: CallLeg): string {
  if (leg.carrier !== undefined) return leg.to;
  const { get } = recordsOf(account);
  const user = get('users', leg.user);
  const username = user && nameByKind('users', user);
  const device = get('devices', leg.device);
  const name = device && nameByKind('devices', device);
  // A phone with the same name as its user is not mentioned.
  if (name === undefined || name === username) return username ?? leg.to;
  return username === undefined ? `device ${name}` : `${username} on device ${name}`;
}

function legsAfter(
  { call }: DescribedCall,
  step: CallEvent,
  next: CallEvent | undefined,
): readonly CallLeg[] {
  const [from, until] = [call.events.indexOf(step), next ? call.events.indexOf(next) : call.events.length];
  const ids = call.events.slice(from, until).flatMap((event) => (event.kind === 'leg' ? [event.leg] : []));
  return call.legs.filter(({ id, side }) => side === 'B' && ids.includes(id));
}

function ringNote(made: DescribedCall, rung: readonly CallLeg[], from: number): string | undefined {
  if (rung.length === 0) return undefined;
  const answered = rung.find((leg) => leg.answered !== undefined);
  if (answered)
    return `${nameOfLeg(made, answered)} answers after ${Math.floor((answered.answered ?? from) - from)} s`;
  const seconds = Math.floor(Math.max(...rung.map(({ ended }) => ended)) - from);
  if (rung.every(({ cause }) => cause === 'USER_BUSY')) return 'busy';
  return `not answered in ${seconds} s`;
}

function messageNote({ call }: DescribedCall, from: number, until: number): string | undefined {
  const left = call.events.find(
    (event) => event.kind === 'left' && event.what === 'message' && event.at >= from && event.at < until,
  );
  return left?.kind === 'left' ? `a message of ${Math.floor(left.seconds)} s is left` : undefined;
}

const sentenceToNote = (why: string | undefined): string | undefined => why?.replace(/\.$/, '');

/** Returns the steps of a leg, each with the key of the branch that led to it. */
export function describePath(made: DescribedCall, legId: string): readonly JsonObject[] {
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
            note: isSaid ? undefined : sentenceToNote(event.why),
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
      (step.module === 'callflow' && next !== undefined ? undefined : sentenceToNote(step.why));
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

function branchName({ account }: DescribedCall, key = ''): JsonObject {
  const rule = account.get('temporal_rules', key) ?? account.get('temporal_rules_sets', key);
  return rule ? { branch_name: nameByKind('temporal_rules', rule) } : {};
}

/** Returns the end of a call as a keyword for scripts and a sentence for people. */
export function describeOutcome(
  made: DescribedCall,
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
        : { outcome: 'heard', words: `In voicemail box ${named} without a message` };
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

const boxName = ({ account }: DescribedCall, id: string | undefined): string =>
  JSON.stringify(account.get('vmboxes', id ?? '')?.name ?? id ?? '');

const kindsOnTheRoute: readonly ResourceName[] = [
  ...(['callflows', 'users', 'devices', 'vmboxes', 'menus'] as const),
  ...(['conferences', 'queues', 'faxboxes', 'directories'] as const),
];

const idsOnTheRoute = ({ events, legs }: Call): ReadonlySet<unknown> =>
  new Set([
    ...events.flatMap((event) =>
      event.kind === 'step' ? (event.step.id ?? []) : event.kind === 'flow' ? event.callflow : [],
    ),
    ...legs.flatMap(({ user, device }) => [user ?? [], device ?? []].flat()),
  ]);

/** Describes steps and settings of the call that telctl does not simulate. */
export function describeGaps({ call, account }: DescribedCall): readonly string[] {
  const gaps = call.events.flatMap((event) => (event.kind === 'gap' ? event.what.replace(/\.$/, '') : []));
  const met = idsOnTheRoute(call);
  const settings = kindsOnTheRoute.flatMap((kind) =>
    account
      .of(kind)
      .filter(({ id }) => met.has(id))
      .flatMap((record) => unsimulatedSettings(kind, record)),
  );
  return [...gaps, ...unsimulatedSettings('accounts', account.record), ...settings];
}

/** Returns how a number matched its callflow: by number, by pattern, or as no_match. */
export function describeMatch(account: CallAccount, number: string): JsonObject {
  const dialled = normalisedNumber(number);
  const found = findFlow(recordsOf(account), dialled, true);
  if (!found) return {};
  if (found.pattern !== undefined) return { by: 'pattern', text: found.pattern };
  return found.isNoMatch ? { by: 'no_match', text: 'no_match' } : { by: 'number', text: dialled };
}
