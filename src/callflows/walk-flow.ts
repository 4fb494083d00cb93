import { isObject, type Json, type JsonObject } from '../base/json.ts';

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

/** Returns the steps that follow a step, by key: dialled digits first, then words, `_` last. */
export function branchesOf({ children }: JsonObject): readonly (readonly [string, JsonObject])[] {
  if (!isObject(children)) return [];
  return Object.entries(children)
    .flatMap(([key, child]) => (isObject(child) ? [[key, child] as const] : []))
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
