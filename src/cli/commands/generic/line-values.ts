import { Failure } from '../../../base/failure.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { nearest } from '../../../base/nearest.ts';
import { shownNumber } from '../../../base/shown-form.ts';
import { didYouMean } from '../../../base/wording.ts';
import { answering } from '../../../contract/callflow-modules.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Assignment } from '../../../engine/input/assign.ts';
import { optionSource } from '../../../engine/input/document.ts';
import { readJson } from '../../../engine/input/json-document.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Purpose } from './input.ts';
import { type LineKey, lineOptionsOf } from './line-options.ts';
import { recordNamed } from './resolve-names.ts';

/** The fields that a line stands for. Throws `Failure` for one that fits nothing. */
type ReadLine = (
  text: string,
  option: string,
  context: Context,
  field: string,
) => Promise<JsonObject> | JsonObject;

const wordsIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Members of a group by name: which kind each is follows from who has the name. */
async function members(text: string, option: string, context: Context): Promise<JsonObject> {
  const entries: [string, Json][] = [];
  for (const word of wordsIn(text)) {
    const { id, kind } = await recordNamed(context, option, word, ['users', 'devices', 'groups']);
    entries.push([id, { type: kind.singular }]);
  }
  return { endpoints: Object.fromEntries(entries) };
}

/** Rules of a set by name. */
async function rules(text: string, option: string, context: Context): Promise<JsonObject> {
  const ids = [];
  for (const word of wordsIn(text))
    ids.push((await recordNamed(context, option, word, ['temporal_rules'])).id);
  return { temporal_rules: ids };
}

/** What answers the calls of a flow: one record, named by its kind and name. */
async function answers(text: string, option: string, context: Context): Promise<JsonObject> {
  const { id, kind } = await recordNamed(context, option, text.trim(), [...answering.keys()]);
  return { flow: { module: answering.get(kind.name)?.name ?? kind.singular, data: { id }, children: {} } };
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** The service's own spelling of a day. */
const kept = (day: string): string => (day === 'wednesday' ? 'wensday' : day);

/** Weekdays of the service by their first three letters. */
export const shortWeekdays = (days: readonly string[]): readonly string[] =>
  days.map((day) => (day === 'wensday' ? 'wed' : day.slice(0, 3)));

/** Reads `mon-fri,sun` as weekdays, `1,15-20` as days of the month. Throws `Failure` (`usage`). */
export function readDays(text: string, option: string): JsonObject {
  const wrong = (word: string): Failure =>
    new Failure(
      'usage',
      `${option}: ${JSON.stringify(word)} is no day.${didYouMean(
        nearest(
          word.toLowerCase().slice(0, 3),
          weekdays.map((day) => day.slice(0, 3)),
        ),
      )}`,
      { hint: `Weekdays or days of the month: ${option} mon-fri, ${option} 1,15` },
    );
  const dayPlace = (word: string): number => {
    const at = weekdays.findIndex((day) => word.length >= 3 && day.startsWith(word.toLowerCase()));
    if (at < 0) throw wrong(word);
    return at;
  };
  const words = wordsIn(text);
  if (words.length > 0 && words.every((word) => /^\d+(?:-\d+)?$/.test(word))) {
    const all = words.flatMap((word) => {
      const [from = 0, to = from] = word.split('-').map(Number);
      if (from < 1 || to > 31 || from > to) throw wrong(word);
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    });
    return { days: [...new Set(all)].toSorted((one, other) => one - other) };
  }
  const found = words.flatMap((word) => {
    const [first = '', last = first] = word.split('-');
    const [from, to] = [dayPlace(first), dayPlace(last)];
    return weekdays.filter((_, at) => (from <= to ? at >= from && at <= to : at >= from || at <= to));
  });
  if (found.length === 0) throw wrong(text);
  return { wdays: weekdays.filter((day) => found.includes(day)).map(kept) };
}

/** The window that `09:00-17:00` names, in seconds of the day; `undefined` for other text. */
function windowIn(text: string): readonly [start: number, stop: number] | undefined {
  const found = /^(\d{1,2})(?::(\d{2}))?\s*-\s*(\d{1,2})(?::(\d{2}))?$/.exec(text.trim());
  if (!found) return undefined;
  const [from = 0, fromMinute = 0, to = 0, toMinute = 0] = found.slice(1).map((part) => Number(part ?? 0));
  const [start, stop] = [from * 3600 + fromMinute * 60, to * 3600 + toMinute * 60];
  if (fromMinute > 59 || toMinute > 59 || start >= 86_400 || stop > 86_400) return undefined;
  // Midnight as an end is the end of the day.
  return [start, stop === 0 ? 86_400 : stop];
}

const timeOfDay = (seconds: number): string => shownNumber('time of day', seconds);

/** The hours of a 12-hour clock as they are most likely meant: 09:00-17:00 for `9-5`. */
function halfDayMeant(text: string, [start, stop]: readonly [number, number]): string | undefined {
  const noon = 43_200;
  const isHours = /^\s*\d{1,2}\s*-\s*\d{1,2}\s*$/.test(text);
  return isHours && start <= noon && stop < start && stop + noon > start
    ? `${timeOfDay(start)}-${timeOfDay(stop + noon)}`
    : undefined;
}

/** The begin and end of hours that go over midnight; `undefined` for others, and for hours of a 12-hour clock. */
export function nightHours(text: string): { readonly from: string; readonly until: string } | undefined {
  const window = windowIn(text);
  if (window === undefined || window[0] <= window[1] || halfDayMeant(text, window)) return undefined;
  return { from: timeOfDay(window[0]), until: timeOfDay(window[1]) };
}

/** Reads `09:00-17:00` as the window of a rule. Throws `Failure` (`usage`). */
function hours(text: string, option: string): JsonObject {
  const window = windowIn(text);
  if (window !== undefined && window[0] < window[1])
    return { time_window_start: window[0], time_window_stop: window[1] };
  const meant = window && halfDayMeant(text, window);
  const night = nightHours(text);
  throw new Failure(
    'usage',
    `${option} takes a time from and to, such as 09:00-17:00, not ${JSON.stringify(text)}.`,
    {
      hint:
        meant !== undefined
          ? `Did you mean ${option} ${meant}?`
          : night &&
            `A window over midnight takes two rules: one with ${option} ${night.from}-24:00, and one for the following days with ${option} 00:00-${night.until}.`,
    },
  );
}

/** Whom news are from or for: `user:ID`, or `all` alone. */
const somebody: ReadLine = (text, _option, _context, field) => ({
  [field]: wordsIn(text).map((word) => {
    const [type = '', value = type] = word.split(':', 2);
    return { type, value };
  }),
});

const readers: Readonly<Record<LineKey, ReadLine>> = {
  lineOfMembers: members,
  lineOfAnswers: answers,
  lineOfDays: readDays,
  lineOfHours: hours,
  lineOfRules: rules,
  lineOfDocument: (text) => ({ document: { url: text, method: 'get' } }),
  lineOfNumbers: (text) => ({ numbers: wordsIn(text) }),
  lineOfWords: (text, _option, _context, field) => ({ [field]: wordsIn(text) }),
  lineOfPattern: (text) => ({ patterns: [text] }),
  lineOfGateways: (text) => ({ gateways: wordsIn(text).map((server) => ({ server })) }),
  lineOfSenders: somebody,
  lineOfReaders: somebody,
  lineOfPortedNumbers: (text) => ({
    numbers: Object.fromEntries(wordsIn(text).map((word) => [word, {}])),
  }),
};

/**
 * The cycle of a new rule, where its other options leave no doubt: weekdays make it weekly, days of the month monthly or
 * yearly, a first day alone makes it happen once.
 */
function cycleOf(input: ParsedInput, given: JsonObject): JsonObject {
  const isYearly = typeof input.month === 'number';
  if (given.days !== undefined || isYearly) return { cycle: isYearly ? 'yearly' : 'monthly' };
  if (given.wdays !== undefined) return { cycle: input.ordinal === undefined ? 'weekly' : 'monthly' };
  if (input.start_date !== undefined) return { cycle: 'date' };
  return given.time_window_start === undefined ? {} : { cycle: 'daily' };
}

/** The fields that were given as lines, and on `create` what follows from them. Throws `Failure` for a line that fits nothing. */
export async function lineAssignments(
  resource: Resource,
  purpose: Purpose,
  input: ParsedInput,
  context: Context,
): Promise<readonly Assignment[]> {
  const found: Assignment[] = [];
  const add = (option: string, fields: JsonObject): void => {
    for (const [field, value] of Object.entries(fields))
      found.push({ option, keys: [field], value: readJson(optionSource(option), JSON.stringify(value)) });
  };
  let given: JsonObject = {};
  for (const {
    key,
    flag,
    fields: [field = ''],
  } of lineOptionsOf(resource)) {
    const text = input[key];
    if (typeof text !== 'string') continue;
    const read = await readers[key](text, `--${flag}`, context, field);
    add(`--${flag}`, read);
    given = { ...given, ...read };
  }
  const says = [input.set, input.setJson, input.files].some(
    (texts) => Array.isArray(texts) && texts.length > 0,
  );
  if (resource.name === 'temporal_rules' && purpose === 'create' && input.cycle === undefined && !says)
    add('--cycle', cycleOf(input, given));
  return found;
}
