import { dateOf, durationIn, gregorianOffset, timeInWords } from './moment.ts';

/**
 * Form in which people read and write a number of the service: `moment` is Gregorian seconds as date and time, `date` the
 * same as a date, `time of day` seconds since midnight, `seconds` and `milliseconds` a length of time, `bytes` a size.
 * `lines` is PEM text, which is shown in its lines.
 */
export type ShownForm = 'time of day' | 'date' | 'moment' | 'seconds' | 'milliseconds' | 'bytes' | 'lines';

/** Tells PEM text, whose lines can say nothing else, from text in which a service could put any words on a line. */
export const isPem = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^-----BEGIN [A-Z ]{1,40}-----\r?\n(?:[A-Za-z0-9+/=]{1,76}\r?\n)+-----END [A-Z ]{1,40}-----\s*$/.test(
    value,
  );

/** Words for the forms that are written, in help: `--time-window-start HH:MM`. */
export const shownForms: Readonly<Record<ShownForm, string>> = {
  'time of day': 'HH:MM',
  date: 'YYYY-MM-DD',
  moment: 'DATE',
  seconds: 'DURATION',
  milliseconds: 'DURATION',
  bytes: 'N',
  lines: 'TEXT',
};

export const isShownForm = (word: unknown): word is ShownForm =>
  typeof word === 'string' && Object.hasOwn(shownForms, word);

export const formExamples: Readonly<Partial<Record<ShownForm, string>>> = {
  'time of day': '09:00; the end of a day is 24:00',
  date: '2026-12-24',
  moment: '2026-12-24 (a day of the account), or 2026-12-24T09:00+01:00; a time without a zone is UTC',
  seconds: '90s, 5m',
  milliseconds: '250ms, 10s',
};

/**
 * A date is kept as 10:00 UTC: at that time it is the same date from Hawaii to New Zealand, so that a service that
 * reads it in the time zone of an account finds the date that was written.
 */
const hourOfDates = 10 * 3600;

/** Returns the number that a text in that form, or a plain number, stands for; `undefined` where it is neither. */
export function numberShown(form: ShownForm, text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const gregorian = (ms: number | undefined, more = 0): number | undefined =>
    ms === undefined ? undefined : Math.floor(ms / 1000) + gregorianOffset + more;
  switch (form) {
    case 'date':
      return gregorian(/^\d{4}-\d\d-\d\d$/.test(text) ? dateOf(text) : undefined, hourOfDates);
    case 'moment':
      return gregorian(dateOf(text));
    case 'milliseconds':
      return durationIn(text);
    case 'seconds': {
      const ms = durationIn(text);
      return ms === undefined || ms % 1000 !== 0 ? undefined : ms / 1000;
    }
    case 'time of day':
      return secondOfDay(text);
    case 'bytes':
    case 'lines':
      return undefined;
  }
}

function secondOfDay(text: string): number | undefined {
  const [, hour = '', minute = '', second = '0'] = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (hour === '' || Number(minute) > 59 || Number(second) > 59) return undefined;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return seconds > 86_400 ? undefined : seconds;
}

const two = (count: number): string => String(Math.floor(count)).padStart(2, '0');

/** Returns a number in that form; one that does not fit stays as it is. */
export function shownNumber(form: ShownForm, count: number): string {
  if (!Number.isFinite(count) || count < 0) return String(count);
  switch (form) {
    case 'milliseconds':
      return lengthInWords(count);
    case 'seconds':
      return lengthInWords(count * 1000);
    case 'bytes':
      return sizeInWords(count);
    case 'lines':
      return String(count);
    case 'moment':
      return timeInWords(count);
    case 'date': {
      const date = new Date((count - gregorianOffset) * 1000);
      return Number.isNaN(date.getTime()) ? String(count) : date.toISOString().slice(0, 10);
    }
    case 'time of day': {
      if (count > 86_400 || !Number.isInteger(count)) return String(count);
      const text = `${two(count / 3600)}:${two((count / 60) % 60)}`;
      return count % 60 === 0 ? text : `${text}:${two(count % 60)}`;
    }
  }
}

/** A length of time in its two largest units: `250 ms`, `10 s`, `1 min 30 s`, `2 h 5 min`, `3 d 4 h`. */
function lengthInWords(ms: number): string {
  if (ms < 1000 && ms > 0) return `${Number(ms.toFixed(3))} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(3))} s`;
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : []))
    .join(' ');
}

/** A size: `512 B`, `1.4 kB`, `12 MB`. */
function sizeInWords(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let at = 0;
  let size = bytes;
  while (size >= 999.5 && at < units.length - 1) {
    size /= 1000;
    at += 1;
  }
  return `${at === 0 || size >= 10 ? Math.round(size) : Number(size.toFixed(1))} ${units[at]}`;
}
