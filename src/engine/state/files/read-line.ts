import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { LogLine } from '../log.ts';
import { readEntry } from './read-ledger.ts';

/** Returns a line of a run, checked; `undefined` for one that is damaged. */
export function parseLine(line: string): LogLine | undefined {
  try {
    const value: Json = JSON.parse(line);
    return isLine(value) ? value : undefined;
  } catch {
    // The process was killed, or the disk full, in the middle of the line.
    return undefined;
  }
}

/** True for an object with all that is shown of a step. */
const isStep = (value: Json | undefined): boolean =>
  isObject(value) && ['key', 'kind', 'action', 'label'].every((name) => typeof value[name] === 'string');

const isTime = (value: Json | undefined): boolean =>
  typeof value === 'number' && !Number.isNaN(new Date(value).getTime());

/** True for a line with all that its readers rely on. A damaged one counts as not written. */
function isLine(value: Json): value is JsonObject & LogLine {
  if (!isObject(value)) return false;
  const { account, steps, step, inputs, options, error, entry } = value;
  const hasEntry = entry === undefined || readEntry(entry) !== undefined;
  const isId = value.id === undefined || typeof value.id === 'string';
  const has = (type: 'string' | 'number' | 'boolean', ...names: readonly string[]): boolean =>
    names.every((name) => typeof value[name] === type);
  switch (value.line) {
    case 'start':
      return (
        has('string', 'what', 'set', 'salt') &&
        has('number', 'pid', 'part', 'parts') &&
        isTime(value.atMs) &&
        isObject(account) &&
        typeof account.name === 'string' &&
        typeof account.origin === 'string' &&
        Array.isArray(steps) &&
        steps.every(isStep) &&
        Array.isArray(inputs) &&
        isObject(options)
      );
    case 'begin':
      return hasEntry && isId && has('string', 'key', 'action') && (step === undefined || isStep(step));
    case 'end':
      return (
        hasEntry &&
        isId &&
        has('string', 'key') &&
        has('boolean', 'ok') &&
        (error === undefined || (isObject(error) && typeof error.message === 'string'))
      );
    case 'finish':
      return has('number', 'done', 'failed', 'skipped') && isTime(value.atMs);
    default:
      return false;
  }
}
