import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { counted } from '../../base/wording.ts';
import { referencesOf } from '../../contract/callflow-modules.ts';
import { childrenOf } from './plan/merge-flow.ts';
import type { Change } from './plan.ts';

/** Text that reads as text without quotes. */
const bareText = /^(?![-+\d'"({[])(?!(?:true|false|null|none)$)[^\s](?:.*[^\s])?$/u;

/** A value in one line: text as typed where that is clear, everything else as JSON. */
export function valueText(value: Json | undefined): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'string') return bareText.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value);
}

const isStep = (value: Json | undefined): value is JsonObject =>
  isObject(value) && typeof value.module === 'string';

/** `user carol`, `menu "Main menu" and 3 more steps`: a branch of a flow in a few words. */
function stepText(step: JsonObject): string {
  const module = String(step.module);
  const more = countOf(step) - 1;
  const rest = more === 0 ? '' : ` and ${counted(more, 'more step')}`;
  const about = aboutOf(step).map((text) => targetText(module, text));
  const others = about.length - namedAtMost;
  const names = [...about.slice(0, namedAtMost), ...(others > 0 ? [`${others} more`] : [])].join(', ');
  return `${module}${names === '' ? '' : ` ${names}`}${rest}`;
}

/** Targets of a step that are named, such as the members of a ring group. */
const namedAtMost = 3;

/** Returns what a step is about: all that it leads to, or what it says or does. */
function aboutOf(step: JsonObject): readonly string[] {
  const [said] = [valueAt(step, 'data.id'), valueAt(step, 'data.text'), valueAt(step, 'data.action')].filter(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof said === 'string' ? [said] : [...new Set(referencesOf(step).map(({ id }) => id))];
}

const countOf = (step: JsonObject): number =>
  [...childrenOf(step).values()].reduce((count, child) => count + countOf(child), 1);

/** What a step leads to: a local name, or the label without the word that the module says already. */
function targetText(module: string, about: string): string {
  const [, local] = /^\$\{\w+\.(.*)\}$/.exec(about) ?? [];
  if (local !== undefined) return valueText(local);
  return about.startsWith(`${module} `) ? about.slice(module.length + 1) : valueText(about);
}

/** Says where a change is: `caller_id.external.name`, `flow/2 timeout`. */
export function pathText(path: string): string {
  const [, step, field] = /^(flow(?:\.?$|\/.*?|(?=\.)))(?:\.(.*))?$/.exec(path) ?? [];
  return step !== undefined && field !== undefined ? `${step} ${field}` : path;
}

/**
 * Says in words what changes: `Alice → Alicia`, `set (changed) from ${env.PIN}`, `(new branch) user carol`, `+
 * "+15551230009"`.
 */
export const changeText = (change: Change): string => `${valueChangeText(change)}${fromText(change)}`;

/** Says where a new value was filled in from: ` from ${env.PIN}`; nothing where it stands in the manifest. */
export function fromText({ sources = [] }: Change): string {
  return sources.length === 0 ? '' : ` from ${sources.map((source) => `\${${source}}`).join(' and ')}`;
}

function valueChangeText(change: Change): string {
  const { how, before, after, secret, from } = change;
  if (secret)
    return { set: 'set', added: 'set', changed: 'set (changed)', removed: 'removed', moved: 'moved' }[how];
  if (isStep(after) || isStep(before)) return branchText(change);
  if (how === 'moved') return `(moved from ${from ?? 'elsewhere'})`;
  if (how === 'removed') return before === undefined ? '(removed)' : `(removed) ${valueText(before)}`;
  if (how === 'added') return `(added) ${valueText(after)}`;
  if (after === undefined && before !== undefined) return `gives up ${valueText(before)}`;
  const file = fileText(before, after);
  if (file !== undefined) return file;
  const items = itemsText(before, after);
  if (items !== undefined) return items;
  if (how === 'set') return `set to ${valueText(after)}`;
  return `${valueText(before)} → ${valueText(after)}`;
}

/** `audio changes (12 kB → 14 kB)`, for a file that belongs to an object. */
function fileText(before: Json | undefined, after: Json | undefined): string | undefined {
  if (!isObject(after) || typeof after.bytes !== 'number' || typeof after.type !== 'string') return undefined;
  const [what = ''] = after.type.split('/');
  const old = isObject(before) && typeof before.bytes === 'number' ? before.bytes : undefined;
  return old === undefined
    ? `${what}, ${sizeText(after.bytes)}`
    : `${what} changes (${sizeText(old)} → ${sizeText(after.bytes)})`;
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Length in characters from which two texts stand one above the other. */
export const longText = 60;

function branchText({ how, before, after, from, path }: Change): string {
  const was = isStep(before) ? stepText(before) : valueText(before);
  const is = isStep(after) ? stepText(after) : valueText(after);
  switch (how) {
    case 'added':
      return `(new branch) ${is}`;
    case 'removed':
      return `(removed) ${was}`;
    case 'moved':
      return `(moved from ${from ?? 'elsewhere'}) ${is}`;
    case 'set':
      return `${path === 'flow' ? '(new flow)' : '(new)'} ${is}`;
    case 'changed':
      return `${was} → ${is}`;
  }
}

const scalars = (value: Json | undefined): readonly Json[] | undefined =>
  Array.isArray(value) && value.every((item: Json) => item === null || typeof item !== 'object')
    ? value
    : undefined;

/** `+ "a"  - "b"` for lists of plain values of which some stay. */
function itemsText(before: Json | undefined, after: Json | undefined): string | undefined {
  const old = scalars(before);
  const now = scalars(after);
  if (old === undefined || now === undefined || !now.some((item) => old.includes(item))) return undefined;
  const added = now.filter((item) => !old.includes(item)).map((item) => `+ ${JSON.stringify(item)}`);
  const gone = old.filter((item) => !now.includes(item)).map((item) => `- ${JSON.stringify(item)}`);
  return added.length + gone.length === 0 ? undefined : [...added, ...gone].join('  ');
}
