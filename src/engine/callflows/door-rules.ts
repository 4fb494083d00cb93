import { isObject, type Json, type JsonObject, textOf, valueAt } from '../../base/json.ts';
import type { FlowSet } from './flow-set.ts';

const textsAt = (record: JsonObject, path: string): readonly string[] => {
  const value = valueAt(record, path);
  return Array.isArray(value) ? value.flatMap((each: Json) => (typeof each === 'string' ? each : [])) : [];
};

/** The rules of a conference, in words. */
function conferenceRules(room: JsonObject, data: JsonObject): readonly string[] {
  const members = textsAt(room, 'member.pins');
  const moderators = textsAt(room, 'moderator.pins');
  const isKnown = typeof data.moderator === 'boolean';
  const pins = isKnown ? (data.moderator === true ? moderators : members) : [...members, ...moderators];
  const { max_participants: most } = room;
  const isFree = !isKnown && members.length === 0;
  return [
    ...(pins.length === 0 ? [] : [isFree ? 'moderators dial a PIN' : 'asks for a PIN']),
    ...(typeof most === 'number' ? [`takes ${most} at most`] : []),
  ];
}

/** The rules of a voicemail box, in words; they never hold a PIN. */
function boxRules(box: JsonObject, data: JsonObject): readonly string[] {
  const hasPin = typeof box.pin === 'string' && box.pin !== '';
  const asked = hasPin ? 'asks for the PIN' : 'has no PIN and lets nobody in';
  if (data.action === 'check') return [asked];
  const hasOwner = typeof box.owner_id === 'string' && box.owner_id !== '';
  if (!hasOwner || box.check_if_owner === false) return [];
  return [`its owner hears messages${box.require_pin === true ? `, and ${asked}` : ''}`];
}

/** What conferences, voicemail boxes and `disa` ask of a caller, in words; nothing for other steps. */
export function doorRules({ targets }: FlowSet, step: JsonObject): readonly string[] {
  const data = isObject(step.data) ? step.data : {};
  const target = targets.get(textOf(data.id) ?? '');
  if (step.module === 'conference') return conferenceRules(target?.record ?? {}, data);
  if (step.module === 'disa')
    return [textOf(data.pin) === undefined ? 'asks for a number' : 'asks for a PIN'];
  if (step.module !== 'voicemail') return [];
  if (target) return boxRules(target.record, data);
  return data.action === 'check' ? ['asks for a box'] : [];
}
