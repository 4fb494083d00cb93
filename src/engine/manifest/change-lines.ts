import { diffArrays, diffWordsWithSpace } from 'diff';
import { isObject, type Json, type JsonObject, own, same } from '../../base/json.ts';
import { changeText, fromText, longText, valueText } from './change-text.ts';
import type { Change } from './plan.ts';

/** A line below the path of a change: what goes, what comes, or an item that changes. */
export interface ChangeLine {
  readonly sign: '-' | '+' | '~';
  readonly text: string;
}

/** A change for people. Nothing of a new value is cut. */
export interface ChangeLines {
  /** Stands beside the path. */
  readonly text: string;
  /** Lines below it: both values of long texts, the items of lists of objects. */
  readonly below: readonly ChangeLine[];
}

/**
 * Says what changes: in one line where that has room; long texts whole, one above the other, with the words in brackets
 * that differ; lists of objects item by item.
 */
export function changeLines(change: Change): ChangeLines {
  const { how, before, after, secret } = change;
  const below = secret || how === 'moved' ? [] : (textLines(before, after) ?? itemLines(before, after));
  return below.length === 0 ? { text: changeText(change), below } : { text: fromText(change).trim(), below };
}

const isLong = (value: Json | undefined): boolean =>
  typeof value === 'string' && (value.length >= longText || value.includes('\n'));

/** Two texts of which one is long, or a new one of several lines. */
function textLines(before: Json | undefined, after: Json | undefined): readonly ChangeLine[] | undefined {
  if (typeof after !== 'string') return undefined;
  if (before === undefined || before === null) return after.includes('\n') ? signed('+', after) : undefined;
  if (typeof before !== 'string' || !(isLong(before) || isLong(after))) return undefined;
  const [was, is] = markedWords(before, after);
  return [...signed('-', was), ...signed('+', is)];
}

const signed = (sign: ChangeLine['sign'], text: string): readonly ChangeLine[] =>
  text.split('\n').map((line) => ({ sign, text: line }));

/** Items of two lists, one of which holds objects: what is new, gone or changed. */
function itemLines(before: Json | undefined, after: Json | undefined): readonly ChangeLine[] {
  const old = before === undefined || before === null ? [] : before;
  if (!Array.isArray(old) || !Array.isArray(after) || ![...old, ...after].some(isObject)) return [];
  const now: readonly Json[] = after;
  const key = keyOf(old, now);
  const pairs = key === undefined ? pairedItems(old, now) : keyedItems(key, old, now);
  const lines = pairs.flatMap((pair) => pairLines(pair, key));
  return lines.length > 0 ? lines : orderLines(old, now, key);
}

/** Fields by which people tell the items of a list apart, in the order in which they are looked for. */
const keys = ['id', 'name', 'number', 'username', 'key', 'mac', 'user_id', 'queue_id', 'prefix', 'realm'];

/** Returns the field that every item of both lists has, with another value in each of a list. */
function keyOf(old: readonly Json[], now: readonly Json[]): string | undefined {
  const isKeyOf = (list: readonly Json[], key: string): boolean => {
    const values = list.map((item) => own(item, key));
    return (
      values.every((value) => typeof value === 'string' || typeof value === 'number') &&
      new Set(values).size === list.length
    );
  };
  return keys.find((key) => isKeyOf(old, key) && isKeyOf(now, key));
}

function keyedItems(key: string, old: readonly Json[], now: readonly Json[]): readonly Pair[] {
  const before = new Map(old.map((item) => [own(item, key), item]));
  const after = new Set(now.map((item) => own(item, key)));
  return [
    ...now.map((item) => {
      const was = before.get(own(item, key));
      return { ...(was === undefined ? {} : { before: was }), after: item };
    }),
    ...old.flatMap((item) => (after.has(own(item, key)) ? [] : [{ before: item }])),
  ];
}

function pairLines({ before, after }: Pair, key: string | undefined): readonly ChangeLine[] {
  if (before === undefined) return [{ sign: '+', text: itemText(after) }];
  if (after === undefined) return [{ sign: '-', text: itemText(before) }];
  if (same(before, after)) return [];
  if (!isObject(before) || !isObject(after))
    return [
      { sign: '-', text: itemText(before) },
      { sign: '+', text: itemText(after) },
    ];
  const changes = fieldTexts(before, after, '');
  const name = key === undefined ? '' : `${valueText(own(after, key))}: `;
  return [{ sign: '~', text: `${name}${changes.join(', ')}` }];
}

/** `timeout 20 → 30`, field by field. */
const fieldTexts = (before: JsonObject, after: JsonObject, path: string): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const was = own(before, key);
    const is = own(after, key);
    if (same(was, is)) return [];
    if (isObject(was) && isObject(is)) return fieldTexts(was, is, `${path}${key}.`);
    return [`${path}${key} ${valueText(was)} → ${valueText(is)}`];
  });

/** An object in one line with blanks, so that it can go on in the next one. */
const itemText = (value: Json | undefined): string =>
  isObject(value)
    ? Object.entries(value)
        .map(([key, inner]) => `${key} ${valueText(inner)}`)
        .join(', ') || '{}'
    : valueText(value);

/** Lists of the same items in another order. */
function orderLines(
  old: readonly Json[],
  now: readonly Json[],
  key: string | undefined,
): readonly ChangeLine[] {
  if (key === undefined || same([...old], [...now])) return [];
  const names = (list: readonly Json[]): string => list.map((item) => valueText(own(item, key))).join(', ');
  return [
    { sign: '-', text: `in this order: ${names(old)}` },
    { sign: '+', text: `in this order: ${names(now)}` },
  ];
}

/** Most edits between two texts or two lists that still have something to do with each other. */
const mostEdits = 400;

/** Two texts with the words in brackets that the other lacks: `nine to [six]`; unlike ones as they are. */
function markedWords(before: string, after: string): readonly [string, string] {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: mostEdits });
  if (parts === undefined) return [before, after];
  const shared = parts.filter(({ added, removed }) => !added && !removed).map(({ value }) => value);
  if (shared.join('').length * 3 < Math.max(before.length, after.length)) return [before, after];
  const marked = (mine: 'added' | 'removed', others: 'added' | 'removed'): string =>
    parts
      .filter((part) => !part[others])
      .map((part) => (part[mine] ? inBrackets(part.value) : part.value))
      .join('');
  return [marked('removed', 'added'), marked('added', 'removed')];
}

/** The words of a text in brackets, line by line; blanks at either end stay outside. */
const inBrackets = (text: string): string => text.replaceAll(/\S(?:[^\n]*\S)?/g, (words) => `[${words}]`);

/** One place of two lists: an item that both have, that changed, or that only one of them has. */
interface Pair {
  readonly before?: Json;
  readonly after?: Json;
}

/** Pairs the items of two lists that have no keys, by where the same ones stand. */
function pairedItems(before: readonly Json[], after: readonly Json[]): readonly Pair[] {
  const parts = diffArrays([...before], [...after], { comparator: same, maxEditLength: mostEdits });
  if (parts === undefined) return pairsOf(before, after);
  const pairs: Pair[] = [];
  let removed: readonly Json[] = [];
  for (const part of [...parts, undefined]) {
    if (part?.removed) removed = part.value;
    else {
      pairs.push(...pairsOf(removed, part?.added ? part.value : []));
      removed = [];
      if (part && !part.added) pairs.push(...pairsOf(part.value, part.value));
    }
  }
  return pairs;
}

const pairsOf = (before: readonly Json[], after: readonly Json[]): readonly Pair[] =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
    ...(before[index] === undefined ? {} : { before: before[index] }),
    ...(after[index] === undefined ? {} : { after: after[index] }),
  }));
