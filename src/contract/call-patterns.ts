import { RE2JS } from 're2js';
import { type JsonObject, valueAt } from '../base/json.ts';

export interface CallPattern {
  test(text: string): boolean;
  /** Returns the non-empty matches of the groups, or `undefined` if the text does not match. */
  groups(text: string): readonly string[] | undefined;
  /** The service may support the pattern, but telctl cannot test it. It matches no text. */
  readonly untried?: true;
}

/**
 * Compiles a pattern of the service. Returns `undefined` for text that is not an expression. Matching takes linear
 * time (RE2), because one pattern can take minutes in engines that backtrack, such as the service's (PCRE). Syntax
 * that RE2 lacks (back references, conditions inside the pattern, possessive repetition) is `untried`. Conditions
 * right after `^`, as in `^(?!911)\d{3}$`, are tested one by one.
 */
export function compilePattern(pattern: string): CallPattern | undefined {
  if (known.size > mostKnown) known.clear();
  if (!known.has(pattern)) known.set(pattern, compile(pattern));
  return known.get(pattern);
}

/** Cached, because every call is matched against the same few patterns. */
const known = new Map<string, CallPattern | undefined>();
const mostKnown = 1000;
/** Characters. Longer patterns are not tested. */
const longest = 1000;

const untried: CallPattern = { test: () => false, groups: () => undefined, untried: true };

function compile(pattern: string): CallPattern | undefined {
  // Options at the start belong to the service's own syntax.
  const [whole = '', options = ''] = /^\(\?([imsx]+)\)/.exec(pattern) ?? [];
  if (pattern.length > longest || options.includes('x')) return untried;
  const { conditions, rest } = splitConditions(pattern.slice(whole.length));
  const made = [...conditions.map(({ inner }) => `^(?:${inner})`), rest].map((text) =>
    compileRe2(whole + text),
  );
  const main = made.at(-1);
  if (!main || made.includes(undefined)) return isExpression(pattern) ? untried : undefined;
  const meetsConditions = (text: string): boolean =>
    conditions.every(({ isNegative }, index) => made[index]?.test(text) !== isNegative);
  return {
    test: (text) => main.test(text) && meetsConditions(text),
    groups(text) {
      const matcher = main.matcher(text);
      if (!matcher.find() || !meetsConditions(text)) return undefined;
      return Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1)).filter(
        (each) => each !== null && each !== undefined,
      );
    },
  };
}

function compileRe2(expression: string): RE2JS | undefined {
  try {
    return RE2JS.compile(expression);
  } catch {
    // All errors of the library are about the expression.
    return undefined;
  }
}

interface Split {
  /** Lookaheads at the start. */
  readonly conditions: readonly { readonly inner: string; readonly isNegative: boolean }[];
  /** The pattern without its conditions. */
  readonly rest: string;
}

/** Splits conditions (`(?!…)`, `(?=…)`) off a pattern that begins with `^`. */
function splitConditions(pattern: string): Split {
  const [opening = '', sign] = /^\^\(\?([!=])/.exec(pattern) ?? [];
  const end = opening === '' ? undefined : findGroupEnd(pattern, 1);
  if (end === undefined) return { conditions: [], rest: pattern };
  const { conditions, rest } = splitConditions(`^${pattern.slice(end + 1)}`);
  const inner = pattern.slice(opening.length, end);
  return { conditions: [{ inner, isNegative: sign === '!' }, ...conditions], rest };
}

/** Returns the end of the group that begins at `start`, or `undefined` if it has no end. */
function findGroupEnd(pattern: string, start: number): number | undefined {
  let depth = 0;
  let isInClass = false;
  for (let at = start; at < pattern.length; at += 1) {
    const sign = pattern[at];
    if (sign === '\\') at += 1;
    else if (isInClass) isInClass = sign !== ']';
    else if (sign === '[') isInClass = true;
    else if (sign === '(') depth += 1;
    else if (sign === ')') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

/** RE2 lacks this syntax of PCRE: atomic and other special groups, possessive repetition, special escapes. */
const onlyPcre = /\(\?(?:[>|#(&R]|P[=>])|[*+?}]\+|\\[ZzAGKhHRXQNe]|\[\[:/;

/** Returns true for valid syntax of the service. Does not run the pattern, which could take long. */
function isExpression(pattern: string): boolean {
  if (onlyPcre.test(pattern)) return true;
  try {
    new RegExp(pattern);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** The callflow with this number gets calls that match no other callflow (Conventions, Callflows). */
export const noMatch = 'no_match';

/** Callers can dial an extension at a menu instead of a choice (Conventions, Menus). */
export function canDialExtension(menu: JsonObject | undefined, dialled: string): boolean {
  const matchesMenuPattern = (field: string, otherwise: boolean): boolean => {
    const pattern = valueAt(menu, field);
    if (typeof pattern !== 'string' || pattern === '') return otherwise;
    return compilePattern(pattern)?.test(dialled) ?? otherwise;
  };
  if (menu?.hunt === false || !/^[0-9*#+]+$/.test(dialled)) return false;
  return matchesMenuPattern('hunt_allow', true) && !matchesMenuPattern('hunt_deny', false);
}
