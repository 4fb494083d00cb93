import { masked } from '../contract/secrets.ts';
import type { Shape } from './shape.ts';

const mask = 'the mask that stands for a secret; give the value or leave the field out';
const placeholder = 'a placeholder that nothing was filled into; give the value or leave the field out';

/** Text that is nothing but a placeholder of another tool: `##NAME##`, `@@NAME@@`, `{{ name }}`. */
const wholly = /^(?:##[A-Z]\w*##|@@[A-Z]\w*@@|\{\{\s*[\w.]+\s*\}\})$/;
/** In a secret, which nobody reads over again, a placeholder may also stand inside other text. */
const inside = /##[A-Z]\w*##|@@[A-Z]\w*@@|\{\{[^{}]*\}\}/;
const variable = /^(?:%[A-Z]\w*%|\$[A-Z_][A-Z0-9_]*|\$\([A-Z_][A-Z0-9_]*\))$/;
const maskWord =
  /^(?:\[(?:masked|redacted)\]|<(?:masked|redacted)>|\((?:masked|redacted|sensitive value)\))$/i;
/** One of the characters that each of the above holds. */
const suspicious = /[•*#@{%$\]>)]/;

/**
 * Returns the reason why text cannot be meant as a value: it is how telctl or another tool shows a secret, or what a
 * template left behind. Secret fields, and what is inside them, are checked more strictly than others, where the same
 * text may be meant.
 */
export function looksUnfilled(text: string, { types }: Shape, secret: boolean): string | undefined {
  if (!suspicious.test(text)) return undefined;
  if (text.includes(masked) || /^(?:\*{6,}|•+)$/.test(text)) return mask;
  if (maskWord.test(text)) return mask;
  // Where anything may stand, a template may be what is meant.
  if (types.size > 0 && wholly.test(text)) return placeholder;
  if (!secret) return undefined;
  if (/^\*{3,}$/.test(text)) return mask;
  return inside.test(text) || variable.test(text) ? placeholder : undefined;
}
