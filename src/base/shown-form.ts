import { formatGregorian, gregorianOffset, parseDate, parseDuration } from './moment.ts';
import { formatDay, localTime, parseDay, startOfDay, timeOfDate } from './zoned-time.ts';

/**
 * Format in which people read and write a number of the service. `moment` and `date` are Gregorian seconds, `time of
 * day` is seconds since midnight, `seconds` and `milliseconds` are durations, and `bytes` is a size. `lines` is PEM
 * text, which is shown in lines.
 */
export type ShownForm = 'time of day' | 'date' | 'moment' | 'seconds' | 'milliseconds' | 'bytes' | 'lines';

/** Returns true for PEM text. Its lines cannot contain arbitrary text from the service. */
export const isPem = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^-----BEGIN [A-Z ]{1,40}-----\r?\n(?:[A-Za-z0-9+/=]{1,76}\r?\n)+-----END [A-Z ]{1,40}-----\s*$/.test(
    value,
  );

/** Placeholders for the formats in help: `--time-window-start HH:MM`. */
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

/** Returns the day in a text for formats whose number depends on a time zone, or `undefined` for other text. */
export const parseShownDay = (form: ShownForm | undefined, text: string): number | undefined =>
  form === 'date' || form === 'moment' ? parseDay(text.trim()) : undefined;

/**
 * Parses text in a format, or a plain number. Returns `undefined` for other text. A date without a time is a day in
 * `zone`. A `moment` is the start of that day. A `date` is a time that is on the same day in UTC, so that services
 * that use either zone read the same date.
 */
export function parseShownNumber(form: ShownForm, text: string, zone = 'UTC'): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const day = parseShownDay(form, text);
  if (day !== undefined) return (form === 'date' ? timeOfDate : startOfDay)(zone, day) + gregorianOffset;
  switch (form) {
    case 'date':
      return undefined;
    case 'moment': {
      const ms = parseDate(text);
      return ms === undefined ? undefined : Math.floor(ms / 1000) + gregorianOffset;
    }
    case 'milliseconds':
      return parseDuration(text);
    case 'seconds': {
      const ms = parseDuration(text);
      return ms === undefined || ms % 1000 !== 0 ? undefined : ms / 1000;
    }
    case 'time of day':
      return parseTimeOfDay(text);
    case 'bytes':
    case 'lines':
      return undefined;
  }
}

function parseTimeOfDay(text: string): number | undefined {
  const [, hour = '', minute = '', second = '0'] = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (hour === '' || Number(minute) > 59 || Number(second) > 59) return undefined;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return seconds > 86_400 ? undefined : seconds;
}

const padTwo = (count: number): string => String(Math.floor(count)).padStart(2, '0');

/** Returns a number that does not fit the format unchanged. */
export function formatShownNumber(form: ShownForm, count: number, zone = 'UTC'): string {
  if (!Number.isFinite(count) || count < 0) return String(count);
  switch (form) {
    case 'milliseconds':
      return formatLength(count);
    case 'seconds':
      return formatLength(count * 1000);
    case 'bytes':
      return formatSize(count);
    case 'lines':
      return String(count);
    case 'moment':
      return formatGregorian(count);
    case 'date': {
      const date = new Date((count - gregorianOffset) * 1000);
      // Earlier years are mistakes, and dates of the first century would show as those of the 20th.
      if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1000) return String(count);
      return formatDay(localTime(zone, Math.floor(count - gregorianOffset)).day);
    }
    case 'time of day': {
      if (count > 86_400 || !Number.isInteger(count)) return String(count);
      const text = `${padTwo(count / 3600)}:${padTwo((count / 60) % 60)}`;
      return count % 60 === 0 ? text : `${text}:${padTwo(count % 60)}`;
    }
  }
}

/** Returns `250 ms`, `10 s`, `1 min 30 s`, `2 h 5 min` or `3 d 4 h`. */
function formatLength(ms: number): string {
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

function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let at = 0;
  let size = bytes;
  while (size >= 999.5 && at < units.length - 1) {
    size /= 1000;
    at += 1;
  }
  return `${at === 0 || size >= 10 ? Math.round(size) : Number(size.toFixed(1))} ${units[at]}`;
}
