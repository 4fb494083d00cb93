import { diffArrays, diffWordsWithSpace } from 'diff';
import {
  isEqualJson,
  isObject,
  type Json,
  type JsonObject,
  omitUndefined,
  ownValue,
  valueAt,
} from '../../base/json.ts';
import { formatCount } from '../../base/wording.ts';
import { listReferences } from '../../contract/callflow-modules.ts';
import { childrenOf } from './plan/merge-flow.ts';
import type { Change } from './plan.ts';

interface ChangeLine {
  readonly sign: '-' | '+' | '~';
  readonly text: string;
}

/** `text` is for the line of the path, `below` for the lines under it. New values are never truncated. */
export function changeLines(change: Change): {
  readonly text: string;
  readonly below: readonly ChangeLine[];
} {
  const { how, before, after, secret } = change;
  const below = secret || how === 'moved' ? [] : (textLines(before, after) ?? itemLines(before, after));
  return below.length === 0
    ? { text: changeText(change), below }
    : { text: formatSources(change).trim(), below };
}

const isLong = (value: Json | undefined): boolean =>
  typeof value === 'string' && (value.length >= longText || value.includes('\n'));

/** Returns lines if one of the texts is long, or for a new text of several lines. */
function textLines(before: Json | undefined, after: Json | undefined): readonly ChangeLine[] | undefined {
  if (typeof after !== 'string') return undefined;
  if (before === undefined || before === null)
    return after.includes('\n') ? signedLines('+', after) : undefined;
  if (typeof before !== 'string' || !(isLong(before) || isLong(after))) return undefined;
  const [was, is] = bracketDifferences(before, after);
  return [...signedLines('-', was), ...signedLines('+', is)];
}

const signedLines = (sign: ChangeLine['sign'], text: string): readonly ChangeLine[] =>
  text.split('\n').map((line) => ({ sign, text: line }));

function itemLines(before: Json | undefined, after: Json | undefined): readonly ChangeLine[] {
  const old = before === undefined || before === null ? [] : before;
  if (!Array.isArray(old) || !Array.isArray(after) || ![...old, ...after].some(isObject)) return [];
  const now: readonly Json[] = after;
  const key = sharedKey(old, now);
  const pairs = key === undefined ? pairedItems(old, now) : keyedItems(key, old, now);
  const lines = pairs.flatMap((pair) => pairLines(pair, key));
  return lines.length > 0 ? lines : orderLines(old, now, key);
}

/** In order of preference. */
const keys = ['id', 'name', 'number', 'username', 'key', 'mac', 'user_id', 'queue_id', 'prefix', 'realm'];

function sharedKey(old: readonly Json[], now: readonly Json[]): string | undefined {
  const isKeyOf = (list: readonly Json[], key: string): boolean => {
    const values = list.map((item) => ownValue(item, key));
    return (
      values.every((value) => typeof value === 'string' || typeof value === 'number') &&
      new Set(values).size === list.length
    );
  };
  return keys.find((key) => isKeyOf(old, key) && isKeyOf(now, key));
}

function keyedItems(key: string, old: readonly Json[], now: readonly Json[]): readonly Pair[] {
  const before = new Map(old.map((item) => [ownValue(item, key), item]));
  const after = new Set(now.map((item) => ownValue(item, key)));
  return [
    ...now.map((item) => omitUndefined({ before: before.get(ownValue(item, key)), after: item })),
    ...old.flatMap((item) => (after.has(ownValue(item, key)) ? [] : [{ before: item }])),
  ];
}

function pairLines({ before, after }: Pair, key: string | undefined): readonly ChangeLine[] {
  if (before === undefined) return [{ sign: '+', text: itemText(after) }];
  if (after === undefined) return [{ sign: '-', text: itemText(before) }];
  if (isEqualJson(before, after)) return [];
  if (!isObject(before) || !isObject(after))
    return [
      { sign: '-', text: itemText(before) },
      { sign: '+', text: itemText(after) },
    ];
  const changes = formatFieldChanges(before, after, '');
  const name = key === undefined ? '' : `${valueText(ownValue(after, key))}: `;
  return [{ sign: '~', text: `${name}${changes.join(', ')}` }];
}

/** Returns text such as `timeout 20 → 30`. */
const formatFieldChanges = (before: JsonObject, after: JsonObject, path: string): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const was = ownValue(before, key);
    const is = ownValue(after, key);
    if (isEqualJson(was, is)) return [];
    if (isObject(was) && isObject(is)) return formatFieldChanges(was, is, `${path}${key}.`);
    return [`${path}${key} ${valueText(was)} → ${valueText(is)}`];
  });

/** Formats an object on one line with spaces, so that it can be wrapped. */
const itemText = (value: Json | undefined): string =>
  isObject(value)
    ? Object.entries(value)
        .map(([key, inner]) => `${key} ${valueText(inner)}`)
        .join(', ') || '{}'
    : valueText(value);

function orderLines(
  old: readonly Json[],
  now: readonly Json[],
  key: string | undefined,
): readonly ChangeLine[] {
  if (key === undefined || isEqualJson([...old], [...now])) return [];
  const names = (list: readonly Json[]): string =>
    list.map((item) => valueText(ownValue(item, key))).join(', ');
  return [
    { sign: '-', text: `in this order: ${names(old)}` },
    { sign: '+', text: `in this order: ${names(now)}` },
  ];
}

/** Edits. Values that differ more are shown as unrelated. */
const mostEdits = 400;

/** Puts brackets around words that only one text contains: `nine to [six]`. Unrelated texts stay unchanged. */
function bracketDifferences(before: string, after: string): readonly [string, string] {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: mostEdits });
  if (parts === undefined) return [before, after];
  const shared = parts.filter(({ added, removed }) => !added && !removed).map(({ value }) => value);
  if (shared.join('').length * 3 < Math.max(before.length, after.length)) return [before, after];
  const markDifferences = (mine: 'added' | 'removed', others: 'added' | 'removed'): string =>
    parts
      .filter((part) => !part[others])
      .map((part) => (part[mine] ? bracketLines(part.value) : part.value))
      .join('');
  return [markDifferences('removed', 'added'), markDifferences('added', 'removed')];
}

const bracketLines = (text: string): string => text.replaceAll(/\S(?:[^\n]*\S)?/g, (words) => `[${words}]`);

interface Pair {
  readonly before?: Json;
  readonly after?: Json;
}

/** Pairs items without keys by their position. */
function pairedItems(before: readonly Json[], after: readonly Json[]): readonly Pair[] {
  const parts = diffArrays([...before], [...after], { comparator: isEqualJson, maxEditLength: mostEdits });
  if (parts === undefined) return pairByPosition(before, after);
  const pairs: Pair[] = [];
  let removed: readonly Json[] = [];
  for (const part of [...parts, undefined]) {
    if (part?.removed) removed = part.value;
    else {
      pairs.push(...pairByPosition(removed, part?.added ? part.value : []));
      removed = [];
      if (part && !part.added) pairs.push(...pairByPosition(part.value, part.value));
    }
  }
  return pairs;
}

const pairByPosition = (before: readonly Json[], after: readonly Json[]): readonly Pair[] =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, index) =>
    omitUndefined({ before: before[index], after: after[index] }),
  );

/** Text that cannot look like another kind of value without quotes. */
const bareText = /^(?![-+\d'"({[])(?!(?:true|false|null|none)$)[^\s](?:.*[^\s])?$/u;

/** Formats a value on one line. Ambiguous text has quotes. */
function valueText(value: Json | undefined): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'string') return bareText.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value);
}

const isStep = (value: Json | undefined): value is JsonObject =>
  isObject(value) && typeof value.module === 'string';

/** Returns text such as `user carol` or `menu "Main menu" and 3 more steps`. */
function stepText(step: JsonObject): string {
  const module = String(step.module);
  const more = countBranchSteps(step) - 1;
  const rest = more === 0 ? '' : ` and ${formatCount(more, 'more step')}`;
  const about = listTargets(step).map((text) => targetText(module, text));
  const others = about.length - namedAtMost;
  const names = [...about.slice(0, namedAtMost), ...(others > 0 ? [`${others} more`] : [])].join(', ');
  return `${module}${names === '' ? '' : ` ${names}`}${rest}`;
}

/** Further targets of a step, such as members of a ring group, are counted instead of named. */
const namedAtMost = 3;

function listTargets(step: JsonObject): readonly string[] {
  const [said] = [valueAt(step, 'data.id'), valueAt(step, 'data.text'), valueAt(step, 'data.action')].filter(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof said === 'string' ? [said] : [...new Set(listReferences(step).map(({ id }) => id))];
}

const countBranchSteps = (step: JsonObject): number =>
  [...childrenOf(step).values()].reduce((count, child) => count + countBranchSteps(child), 1);

function targetText(module: string, about: string): string {
  const [, local] = /^\$\{\w+\.(.*)\}$/.exec(about) ?? [];
  if (local !== undefined) return valueText(local);
  return about.startsWith(`${module} `) ? about.slice(module.length + 1) : valueText(about);
}

/** Returns `caller_id.external.name` or `flow/2 timeout`. */
export function pathText(path: string): string {
  const [, step, field] = /^(flow(?:\.?$|\/.*?|(?=\.)))(?:\.(.*))?$/.exec(path) ?? [];
  return step !== undefined && field !== undefined ? `${step} ${field}` : path;
}

/** Returns text such as `Alice → Alicia`, `set (changed) from ${env.PIN}` or `(new branch) user carol`. */
export const changeText = (change: Change): string => `${valueChangeText(change)}${formatSources(change)}`;

/** Returns ` from ${env.PIN}` for a value from outside the manifest, or an empty text. */
function formatSources({ sources = [] }: Change): string {
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

/** Returns text such as `audio changes (12 kB → 14 kB)`. */
function fileText(before: Json | undefined, after: Json | undefined): string | undefined {
  if (!isObject(after) || typeof after.bytes !== 'number' || typeof after.type !== 'string') return undefined;
  const [what = ''] = after.type.split('/');
  const old = isObject(before) && typeof before.bytes === 'number' ? before.bytes : undefined;
  return old === undefined
    ? `${what}, ${sizeText(after.bytes)}`
    : `${what} changes (${sizeText(old)} → ${sizeText(after.bytes)})`;
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return formatCount(bytes, 'byte');
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Characters. Longer texts are on separate lines. */
const longText = 60;

function branchText({ how, before, after, from, path }: Change): string {
  const [was, is] = [before, after].map((each) => (isStep(each) ? stepText(each) : valueText(each)));
  return {
    added: `(new branch) ${is}`,
    removed: `(removed) ${was}`,
    moved: `(moved from ${from ?? 'elsewhere'}) ${is}`,
    set: `${path === 'flow' ? '(new flow)' : '(new)'} ${is}`,
    changed: `${was} → ${is}`,
  }[how];
}

const scalars = (value: Json | undefined): readonly Json[] | undefined =>
  Array.isArray(value) && value.every((item: Json) => item === null || typeof item !== 'object')
    ? value
    : undefined;

/** Returns `+ "a"  - "b"` for lists of plain values that share some items. */
function itemsText(before: Json | undefined, after: Json | undefined): string | undefined {
  const old = scalars(before);
  const now = scalars(after);
  if (old === undefined || now === undefined || !now.some((item) => old.includes(item))) return undefined;
  const added = now.filter((item) => !old.includes(item)).map((item) => `+ ${JSON.stringify(item)}`);
  const gone = old.filter((item) => !now.includes(item)).map((item) => `- ${JSON.stringify(item)}`);
  return added.length + gone.length === 0 ? undefined : [...added, ...gone].join('  ');
}
