import { isObject, type Json, type JsonObject, textOrUndefined, valueAt } from '../../../base/json.ts';
import { type CallPattern, compilePattern, noMatch } from '../../../contract/call-patterns.ts';
import { toStoredNumber } from '../../../contract/phone-number.ts';
import type { ResourceName } from '../../../contract/types.ts';
import type { CallAccount } from './types.ts';

interface FlowPattern {
  readonly text: string;
  readonly pattern: CallPattern;
  readonly flow: JsonObject;
}

export interface FlowIndex {
  readonly flowsByNumber: ReadonlyMap<string, JsonObject>;
  readonly patterns: readonly FlowPattern[];
}

export interface CallRecords extends FlowIndex {
  readonly account: CallAccount;
  /**
   * Returns the devices of a user: owned devices on which no other user is signed in, and devices on which the user is
   * signed in.
   */
  readonly devicesOf: (user: string) => readonly JsonObject[];
  readonly get: (kind: ResourceName, id: string | undefined) => JsonObject | undefined;
}

const known = new WeakMap<CallAccount, CallRecords>();

export function recordsOf(account: CallAccount): CallRecords {
  const made = known.get(account) ?? makeRecords(account);
  known.set(account, made);
  return made;
}

/** Indexes callflows by the stored form of their numbers. If two callflows have the same number, the first is used. */
export function indexOfFlows(flows: readonly JsonObject[]): FlowIndex {
  const flowsByNumber = new Map<string, JsonObject>();
  const patterns: FlowPattern[] = [];
  for (const flow of flows) {
    for (const number of filledTexts(flow.numbers).map(toStoredNumber))
      if (!flowsByNumber.has(number)) flowsByNumber.set(number, flow);
    for (const text of filledTexts(flow.patterns)) {
      const pattern = compilePattern(text);
      if (pattern) patterns.push({ text, pattern, flow });
    }
  }
  return { flowsByNumber, patterns };
}

function makeRecords(account: CallAccount): CallRecords {
  const byUser = new Map<string, JsonObject[]>();
  for (const device of account.of('devices'))
    for (const user of ownersOf(device)) byUser.set(user, [...(byUser.get(user) ?? []), device]);
  return {
    account,
    ...indexOfFlows(account.of('callflows')),
    devicesOf: (user) => byUser.get(user) ?? [],
    get: (kind, id) => (id === undefined ? undefined : account.get(kind, id)),
  };
}

/** Returns the ids of the users who are signed in on a device, or the id of its owner if there are none. */
export function ownersOf(device: JsonObject): readonly string[] {
  const names = Object.keys(mapAt(device, 'hotdesk.users'));
  return names.length > 0 ? names : filledTexts([device.owner_id ?? null]);
}

export const filledTexts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each: Json) => typeof each === 'string' && each !== '') : [];

export const objects = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((each: Json) => isObject(each)) : [];

export function mapAt(value: Json | undefined, path: string): JsonObject {
  const found = valueAt(value, path);
  return isObject(found) ? found : {};
}

/** Returns the longest captured text, or an empty text. */
export const longestOf = (groups: readonly string[]): string =>
  groups.reduce((longest, group) => (group.length > longest.length ? group : longest), '');

export const nonEmptyText = (value: Json | undefined): string | undefined => {
  const text = typeof value === 'number' ? String(value) : textOrUndefined(value);
  return text === '' ? undefined : text;
};

/** Returns a number. Accepts strings of digits, because old records contain them. */
export function numberOr(value: Json | undefined, otherwise: number): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : otherwise;
}

export const booleanOr = (value: Json | undefined, otherwise: boolean): boolean =>
  typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : otherwise;

export const recordId = (record: JsonObject): string => textOrUndefined(record.id) ?? '';

export function nameByKind(kind: ResourceName, record: JsonObject): string {
  const name = nonEmptyText(record.name);
  if (kind === 'users')
    return (
      nonEmptyText(record.username) ??
      ([nonEmptyText(record.first_name), nonEmptyText(record.last_name)]
        .flatMap((each) => each ?? [])
        .join(' ') ||
        recordId(record))
    );
  if (kind === 'vmboxes') return nonEmptyText(record.mailbox) ?? name ?? recordId(record);
  if (kind === 'callflows')
    return name ?? filledTexts(record.numbers)[0] ?? filledTexts(record.patterns)[0] ?? recordId(record);
  return name ?? recordId(record);
}

export interface FoundFlow {
  readonly flow: JsonObject;
  readonly capture?: string | undefined;
  readonly named: Readonly<Record<string, string>>;
  readonly isNoMatch: boolean;
  readonly isExact: boolean;
  readonly pattern?: string;
  readonly why: string;
}

/**
 * Finds the callflow of a dialed number: by number, then by the pattern with the longest match, then no_match if the
 * caller may use it.
 */
export function findFlow(records: FlowIndex, dialled: string, mayUseNoMatch: boolean): FoundFlow | undefined {
  const exact = records.flowsByNumber.get(dialled);
  if (exact && dialled !== noMatch)
    return { ...wholeNumber, flow: exact, why: `${dialled} is one of its numbers.` };
  const byPattern = longestMatch(records, dialled);
  if (byPattern) return byPattern;
  const other = records.flowsByNumber.get(noMatch);
  if (!mayUseNoMatch || !other || !/^\+?\d+$/.test(dialled)) return undefined;
  const why = `No other callflow matches ${dialled}, so it goes to "no_match".`;
  return { flow: other, named: {}, isNoMatch: true, isExact: false, why };
}

/** The match of a complete number, or of a callflow that the call was sent to directly. */
export const wholeNumber = { capture: undefined, named: {}, isNoMatch: false, isExact: true };

function longestMatch(records: FlowIndex, dialled: string): FoundFlow | undefined {
  let best: { readonly taken: FlowPattern; readonly value: string } | undefined;
  for (const taken of records.patterns) {
    const groups = taken.pattern.groups(dialled);
    if (groups === undefined) continue;
    const hasGroups = /\((?!\?[:=!])/.test(taken.text.replaceAll(/\\./g, ''));
    // For a pattern without groups, the service captures the complete match. An anchored pattern captures the dialed
    // number.
    const value = hasGroups ? longestOf(groups) : dialled;
    const isLonger = best === undefined || value.length > best.value.length;
    const isTie = best !== undefined && value.length === best.value.length && taken.text > best.taken.text;
    if (isLonger || isTie) best = { taken, value };
  }
  if (!best) return undefined;
  const { text: pattern, flow } = best.taken;
  return {
    flow,
    capture: best.value || undefined,
    named: namedGroups(pattern, dialled),
    isNoMatch: false,
    isExact: false,
    pattern,
    why: `Its pattern ${pattern} matches ${dialled}.`,
  };
}

/** Returns the named groups of a pattern, `(?<number>…)` or `(?P<number>…)`, in order. */
function namedGroups(pattern: string, dialled: string): Readonly<Record<string, string>> {
  if (!/\(\?P?</.test(pattern)) return {};
  const names = [...pattern.replaceAll(/\\./g, '').matchAll(/\((?!\?)|\(\?P?<([^>=!]+)>/g)].map(
    ([, name]) => name,
  );
  const groups = compilePattern(pattern)?.groups(dialled) ?? [];
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const value = groups[index];
      return name === undefined || value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

/** Replaces `$1` and names of groups in a target with the captured text. */
export const fillCaptures = (
  target: string,
  named: Readonly<Record<string, string>>,
  capture: string | undefined,
  names: readonly string[],
): string =>
  [...names.filter((name) => named[name] !== undefined), ...Object.keys(named)]
    .reduce((text, name) => text.replaceAll(`{${name}}`, named[name] ?? ''), target)
    .replaceAll('$1', capture ?? '');
