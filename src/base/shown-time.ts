import { dateOf, gregorianOffset } from './moment.ts';

/** Form in which people read and write a number that the service counts in seconds. */
export type ShownForm = 'time of day' | 'date';

/** Words for the forms in help: `--time-window-start HH:MM`. */
export const shownForms: Readonly<Record<ShownForm, string>> = {
  'time of day': 'HH:MM',
  date: 'YYYY-MM-DD',
};

/**
 * A date is kept as 10:00 UTC: at that time it is the same date from Hawaii to New Zealand, so that a service that
 * reads it in the time zone of an account finds the date that was written.
 */
const hourOfDates = 10 * 3600;

/** Returns the seconds that a text in that form, or a plain number, stands for; `undefined` where it is neither. */
export function secondsShown(form: ShownForm, text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  if (form === 'date') {
    const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? dateOf(text) : undefined;
    return ms === undefined ? undefined : ms / 1000 + gregorianOffset + hourOfDates;
  }
  const [, hour = '', minute = '', second = '0'] = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (hour === '' || Number(minute) > 59 || Number(second) > 59) return undefined;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return seconds > 86_400 ? undefined : seconds;
}

const two = (count: number): string => String(Math.floor(count)).padStart(2, '0');

/** Returns seconds in that form; a number that does not fit stays as it is. */
export function shownSeconds(form: ShownForm, seconds: number): string {
  if (!Number.isInteger(seconds) || seconds < 0) return String(seconds);
  if (form === 'date') {
    const date = new Date((seconds - gregorianOffset) * 1000);
    return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().slice(0, 10);
  }
  if (seconds > 86_400) return String(seconds);
  const text = `${two(seconds / 3600)}:${two((seconds / 60) % 60)}`;
  return seconds % 60 === 0 ? text : `${text}:${two(seconds % 60)}`;
}
