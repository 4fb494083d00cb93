/** Seconds between year 0 of the Gregorian calendar, from which the service counts, and the Unix epoch. */
export const gregorianOffset = 62_167_219_200;

/** Gregorian seconds as a date and time of day for people, in UTC: `2026-11-21 10:38:13Z`; other values as they are. */
export function timeInWords(seconds: number): string {
  const date = new Date((seconds - gregorianOffset) * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1970) return String(seconds);
  return `${date.toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** A time in ISO form as `timeInWords` writes it; other text as it is. */
export const isoTimeInWords = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2Z');
