import { isObject, type Json, type JsonObject, textOf, valueAt } from '../../base/json.ts';
import { missingName, shortId } from '../../base/wording.ts';
import { moduleOf, referencesOf } from '../../contract/callflow-modules.ts';

/** Names by id; `null` for an id that leads nowhere. */
export type Names = ReadonlyMap<string, string | null>;

const namedAtMost = 3;
const longest = 48;

const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** Text between quotation marks, on one line. */
export const quotedText = (text: string): string => JSON.stringify(shortened(text)).replaceAll('\\\\', '\\');

/** `menu "Main menu"`: the module of a step, and what it is about. Unknown ids are shortened. */
export function stepName(step: JsonObject, names: Names): string {
  const module = typeof step.module === 'string' && step.module !== '' ? step.module : '(no module)';
  const about = aboutOf(step, names);
  return about.length === 0 ? module : `${module} ${about.join(', ')}`;
}

/** `user "alice" (20 s)`: the name of a step, and how long it rings. */
export function stepLabel(step: JsonObject, names: Names): string {
  const seconds = ringsFor(step, false);
  return `${stepName(step, names)}${seconds === undefined ? '' : ` (${seconds} s)`}`;
}

/**
 * Seconds that a step waits for an answer, as its data says; with `byDefault` also where it says nothing and the
 * module has a default. `undefined`: it does not wait, or nobody knows how long.
 */
export function ringsFor(step: JsonObject, byDefault: boolean): number | undefined {
  const timeout = valueAt(step.data, 'timeout');
  // The timeout of a menu or of dialled digits is no ringing.
  if (step.module === 'menu' || step.module === 'collect_dtmf') return undefined;
  const standard = moduleOf(step)?.ringsSeconds;
  // Where a phone would ring for no time, it rings for the usual one.
  if (timeout === 0 && standard !== undefined) return byDefault ? standard : undefined;
  if (typeof timeout === 'number') return timeout;
  return byDefault ? standard : undefined;
}

function aboutOf(step: JsonObject, names: Names): readonly string[] {
  const { data } = step;
  const text = (path: string): string | undefined => textOf(valueAt(data, path));
  const named = (id: string): string => {
    const name = names.get(id);
    return name === null ? missingName(id) : quotedText(name ?? shortId(id));
  };
  const ids = [
    ...new Set([...referencesOf(step).map(({ id }) => id), ...[text('id')].flatMap((id) => id ?? [])]),
  ];
  if (ids.length > 0) {
    const more = ids.length - namedAtMost;
    return [...ids.slice(0, namedAtMost).map(named), ...(more > 0 ? [`${more} more`] : [])];
  }
  const said =
    text('text') ?? text('regex') ?? text('variable') ?? text('action') ?? text('slot') ?? text('target');
  return said === undefined ? [] : [quotedText(said)];
}

export const hasSteps = (flow: Json | undefined): flow is JsonObject =>
  isObject(flow) && Object.keys(flow).length > 0;

/** A step of a flow, and how a call gets there. */
export interface StepAt {
  readonly step: JsonObject;
  /** The step before it, and the branch taken; `undefined` for the first step. */
  readonly from: { readonly at: StepAt; readonly key: string } | undefined;
}

/** The steps of a flow, each before what follows it. Flows may be deeper than the stack of the program. */
export function* stepsIn(flow: Json | undefined): Generator<StepAt> {
  if (!isObject(flow)) return;
  const open: StepAt[] = [{ step: flow, from: undefined }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    yield at;
    for (const [key, step] of branchesOf(at.step).toReversed()) open.push({ step, from: { at, key } });
  }
}

/** Returns the steps that follow a step, without empty ones, by key: dialled digits first, then words, `_` last. */
export function branchesOf({ children }: JsonObject): readonly (readonly [string, JsonObject])[] {
  if (!isObject(children)) return [];
  return Object.entries(children)
    .flatMap(([key, child]) => (hasSteps(child) ? [[key, child] as const] : []))
    .sort(([one], [other]) => byKey(one, other));
}

function byKey(one: string, other: string): number {
  const rank = (key: string): number => (key === '_' ? 2 : /^[\d*#+]+$/.test(key) ? 0 : 1);
  return rank(one) - rank(other) || one.localeCompare(other, 'en', { numeric: true });
}

/** Branches taken from the first step to this one. */
export function keysTo(at: StepAt): readonly string[] {
  const keys: string[] = [];
  for (let here = at.from; here !== undefined; here = here.at.from) keys.push(here.key);
  return keys.reverse();
}

/** `flow/2/_`: where a step stands, for people. */
export const shownPath = (keys: readonly string[]): string => ['flow', ...keys].join('/');

/** A key as part of a dotted path. */
export const fieldKey = (key: string): string => key.replaceAll('.', '%2E');

/** Path of a step in its record, as `Places` takes it. */
export const fieldPath = (root: string, keys: readonly string[]): string =>
  [root, ...keys.flatMap((key) => ['children', fieldKey(key)])].join('.');
