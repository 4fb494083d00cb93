import type { Json } from '../../base/json.ts';
import { allowedWords, perhapsMeant } from '../../base/nearest.ts';
import { formExamples, numberShown } from '../../base/shown-form.ts';
import { counted } from '../../base/wording.ts';
import type { ScalarNode } from './document.ts';
import type { Shape } from './shape.ts';

export type Reading = { readonly value: Json } | { readonly expected: string };

const whole = /^-?(?:0|[1-9]\d*)$/;
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const withExponent = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const isTrue = /^(?:true|True|TRUE)$/;
const isFalse = /^(?:false|False|FALSE)$/;
const isNull = /^(?:null|Null|NULL|~|)$/;

const names = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys and values',
} as const;

/** Says in words what may stand here: `true or false`, `text or a list`. */
export const expectation = (shape: Shape): string => [...shape.types].map((type) => names[type]).join(' or ');

/** Tells whether a scalar was written as null: `null`, `~`, or nothing after the colon. */
export const isNothing = (node: ScalarNode): boolean => node.plain && isNull.test(node.text);

/**
 * The value of a scalar at its place. In a field that holds text, what was typed is the value, so that
 * `+15551230000`, `0100`, `1e5`, `12:30` and `no` survive. Where anything may stand, only the plainest notation
 * is a number, or that in which telctl writes numbers itself, for the same reason.
 */
export function readScalar(node: ScalarNode, shape: Shape): Reading {
  if (isNothing(node)) return { value: null };
  const { types } = shape;
  const typed = (node.plain ? readPlain(node, types) : undefined) ?? readForm(node, shape);
  if (typeof typed === 'number' && shape.minimum !== undefined && typed < shape.minimum)
    return { expected: `at least ${shape.minimum}` };
  if (typed !== undefined) return { value: typed };
  if (shape.choices.length > 0 && !shape.choices.includes(node.text))
    return {
      expected: `one of ${allowedWords(shape.choices)}${shape.secret ? '' : perhapsMeant(node.text, shape.choices)}`,
    };
  if (types.size === 0 || types.has('string')) return readText(node.text, shape);
  const example = shape.form && formExamples[shape.form];
  return { expected: example === undefined ? expectation(shape) : `${expectation(shape)}, or ${example}` };
}

/** The number that a date, a time or a length of time stands for, in a field that holds such a number. */
const readForm = ({ text }: ScalarNode, { form, types }: Shape): number | undefined =>
  form === undefined || types.has('string') || /^\d+$/.test(text) ? undefined : numberShown(form, text);

function readText(text: string, { length: { min, max } }: Shape): Reading {
  const characters = [...text].length;
  if (characters >= min && characters <= max) return { value: text };
  if (min === max) return { expected: `text of ${counted(min, 'character')}` };
  return {
    expected:
      characters < min
        ? `text of at least ${counted(min, 'character')}`
        : `text of at most ${counted(max, 'character')}`,
  };
}

function readPlain({ text, source }: ScalarNode, types: Shape['types']): Json | undefined {
  const anything = types.size === 0;
  if (anything || types.has('boolean')) {
    if (isTrue.test(text)) return true;
    if (isFalse.test(text)) return false;
  }
  const fits = anything
    ? source.typed || isAsWritten(text)
      ? withExponent
      : decimal
    : types.has('number')
      ? withExponent
      : types.has('integer')
        ? whole
        : undefined;
  // A field that also takes text keeps a number as text only when it is not a plain one.
  if (!fits?.test(text)) return undefined;
  const value = Number(text);
  const exact = whole.test(text)
    ? Number.isSafeInteger(value) || (source.typed && isAsWritten(text))
    : Number.isFinite(value);
  return exact ? value : undefined;
}

/** True for a number in the form in which telctl writes it: nobody types `1.5e+300` for text. */
const isAsWritten = (text: string): boolean => String(Number(text)) === text;
