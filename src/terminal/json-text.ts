import type { Json } from '../base/json.ts';
import { neutraliseJson } from '../base/neutralise.ts';

/** A value as JSON in one line, safe to show at a terminal. */
export function jsonLine(value: Json): string {
  return neutraliseJson(JSON.stringify(value));
}

/** A value as JSON for reading, safe to show at a terminal; lines after the first are moved in by `indent`. */
export function jsonBlock(value: Json, indent = ''): string {
  const text = neutraliseJson(JSON.stringify(value, null, 2));
  return indent === '' ? text : text.replaceAll('\n', `\n${indent}`);
}
