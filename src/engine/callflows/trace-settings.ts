import { isObject, type JsonObject, textOf, valueAt } from '../../base/json.ts';
import {
  boxRules,
  conferenceRules,
  type Dial,
  dialledDigits,
  hearsMessages,
  joinConference,
  openBox,
  openDisa,
  type Passage,
} from '../../contract/call-doors.ts';
import { type Met, type Part, type Unheeded, unheeded } from '../../contract/call-settings.ts';
import { moduleOf, referencesOf } from '../../contract/callflow-modules.ts';
import { isRoutable } from '../../contract/phone-number.ts';
import type { ResourceName } from '../../contract/types.ts';
import type { FlowSet } from './flow-set.ts';
import type { Trace } from './trace.ts';

/** A record that a traced call can come past, by its id. */
export interface PassedRecord {
  readonly resource: ResourceName;
  readonly id: string;
}

/** The records that a call can come past, members of groups included, as far as they are known. */
export function passedRecords({ targets }: FlowSet, { steps, boxes }: Trace): readonly PassedRecord[] {
  const referred = steps.flatMap((step) => referencesOf(step).map(({ id }) => id));
  const members = referred.flatMap((id) => Object.keys(groupMembers(targets.get(id)?.record)));
  return [...new Set([...referred, ...members, ...boxes])].flatMap((id) => {
    const target = targets.get(id);
    return target ? [{ resource: target.resource, id }] : [];
  });
}

const groupMembers = (record: JsonObject | undefined): JsonObject => {
  const members = valueAt(record, 'endpoints');
  return isObject(members) ? members : {};
};

const carriers: ReadonlySet<unknown> = new Set(['resources', 'offnet', 'disa']);

/**
 * The stored settings that have a say in what was traced and that the trace does not heed. `number` is what is called:
 * an extension is dialled inside the account alone.
 */
export function unheededByTrace(set: FlowSet, traced: Trace, number: string): readonly Unheeded[] {
  const { steps, through } = traced;
  const ringing = steps.filter((step) => moduleOf(step)?.end === 'rings');
  const rung = new Set(
    passedRecords(set, { ...traced, steps: ringing, boxes: [] }).flatMap(({ resource, id }) =>
      resource === 'users' ? [id] : [],
    ),
  );
  const has = (module: string): boolean => steps.some((step) => step.module === module);
  const out: readonly Part[] = steps.some(({ module }) => carriers.has(module)) ? ['goes out'] : [];
  const talks: readonly Part[] = rung.size > 0 || out.length > 0 || has('conference') ? ['talks'] : [];
  const message: readonly Part[] = has('voicemail') ? ['message'] : [];
  const whole: readonly Part[] = [...out, ...talks, ...message];
  const calls: readonly Part[] = isRoutable(number) ? [] : ['calls'];
  const met = (resource: ResourceName, name: string, record: JsonObject, parts: readonly Part[]): Met => ({
    ...{ resource, name, record, parts: new Set<Part>(['passed', ...parts]) },
  });
  const rings: readonly Part[] = rung.size > 0 ? ['rings'] : [];
  return unheeded('trace', [
    ...(set.account ? [met('accounts', 'the account', set.account, [...whole, ...calls, ...rings])] : []),
    ...(set.metaflows ? [met('metaflows', 'the account', set.metaflows.record, whole)] : []),
    ...through.map(({ name, record }) => met('callflows', name, record, whole)),
    ...passedRecords(set, traced).flatMap(({ resource, id }) => {
      const target = set.targets.get(id);
      const parts: readonly Part[] = resource !== 'users' ? whole : rung.has(id) ? ['rings', 'talks'] : [];
      return target ? [met(resource, target.name, target.record, parts)] : [];
    }),
  ]);
}

/** The effect on a call of a step that lets callers in or not. */
export interface Door {
  readonly note: string;
  /** The call goes no further. */
  readonly end: boolean;
  /** Number of digits that the step took. */
  readonly dialled: number;
  /** The number that the caller dials to go on. */
  readonly number?: string;
  /** Id of the voicemail box whose number the caller dials. */
  readonly box?: string;
}

/**
 * Returns what conferences, voicemail boxes and `disa` ask of a caller: their rules if no digits are given, else
 * whether these digits get the caller in. `undefined` for other steps. Callers are taken for strangers, who own no
 * box.
 */
export function doorAt(
  set: FlowSet,
  step: JsonObject,
  digits: readonly string[] | undefined,
): Door | undefined {
  const data = isObject(step.data) ? step.data : {};
  const rules = (said: readonly string[]): Door | undefined =>
    said.length === 0 ? undefined : { note: said.join('; '), end: false, dialled: 0 };
  let dialled = 0;
  const dial: Dial = () => digits?.[dialled++];
  const taken = (): number => Math.min(dialled, digits?.length ?? 0);
  const said = ({ passes, words }: Passage, more?: string): Door => {
    const note = [words, passes ? more : 'turned away'].filter(Boolean).join('; ');
    return { note, end: !passes, dialled: taken() };
  };
  const target = set.targets.get(textOf(data.id) ?? '');
  if (step.module === 'conference') {
    const room = target?.record ?? {};
    if (!digits) return rules(conferenceRules(room, data));
    const joining = joinConference(room, data, dial);
    const { member: _, moderator: __, ...open } = room;
    return said(joining, conferenceRules(open, { moderator: joining.isModerator }).join('; '));
  }
  if (step.module === 'voicemail') {
    if (!digits || !hearsMessages(target?.record ?? {}, data, false))
      return rules(
        target ? boxRules(target.record, data) : data.action === 'check' ? ['asks for a box'] : [],
      );
    const [box, record] = target ? [undefined, target.record] : boxDialled(set, dialledDigits(dial()));
    return record
      ? { ...said(openBox(record, false, dial)), ...(box === undefined ? {} : { box }) }
      : { note: 'the caller dials no box; turned away', end: true, dialled: taken() };
  }
  if (step.module !== 'disa') return undefined;
  if (!digits) return rules(textOf(data.pin) === undefined ? ['asks for a number'] : ['asks for a PIN']);
  const passage = openDisa(data, dial);
  const number = passage.passes ? dialledDigits(dial()) : undefined;
  if (number !== undefined) return { ...said(passage), number, dialled: taken() };
  return { ...said(passage, 'the caller dials no number'), end: true };
}

/** The voicemail box that has a number: its id and record. */
function boxDialled(
  { targets }: FlowSet,
  mailbox: string | undefined,
): readonly [id?: string, record?: JsonObject] {
  const found = [...targets].find(
    ([, { resource, record }]) =>
      resource === 'vmboxes' && mailbox !== undefined && record.mailbox === mailbox,
  );
  return found ? [found[0], found[1].record] : [];
}
