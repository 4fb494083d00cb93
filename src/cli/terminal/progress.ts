import { neutralise } from '../../base/neutralise.ts';

/** How far work is. */
export interface Work {
  readonly what: string;
  readonly done: number;
  readonly total: number;
  /** Time since it began, in milliseconds, and how much was done by then. */
  readonly elapsedMs: number;
  readonly from: number;
  /** Requests that the service allows a second, where that is known. */
  readonly allowed: number | undefined;
}

const barWidth = 24;
/** Time after which the pace of work is known, in milliseconds. */
const knownAfterMs = 1000;

/** How many were done a second; `undefined` where it is too early to tell. */
const rateOf = ({ done, from, elapsedMs }: Work): number | undefined =>
  elapsedMs < knownAfterMs || done <= from ? undefined : ((done - from) * 1000) / elapsedMs;

const rounded = (rate: number): string =>
  (rate < 3 ? Number(rate.toFixed(1)) : Math.round(rate)).toLocaleString('en-US');

const number = (count: number): string => count.toLocaleString('en-US');

/** Work as a line that is drawn again: `[████░░░░] 1,200/8,000  read users  40/s, about 3 min left`. */
export function progressBar(work: Work): string {
  const { what, done, total, allowed } = work;
  const filled = total === 0 ? 0 : Math.floor((done / total) * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const rate = rateOf(work);
  const pace = rate ?? allowed;
  const speed = rate === undefined ? [] : [`${rounded(rate)}/s`];
  const left = pace === undefined ? [] : [timeLeft(total - done, pace)];
  const facts = [...speed, ...left].join(', ');
  return `[${bar}] ${number(done)}/${number(total)}  ${neutralise(what)}${facts === '' ? '' : `  ${facts}`}`;
}

/** Work as a line of its own: `read users: 1,200 of 8,000, 40 a second, about 3 min left`. */
export function progressLine(work: Work): string {
  const { what, done, total } = work;
  const rate = rateOf(work);
  const facts = rate === undefined ? [] : [`${rounded(rate)} a second`, timeLeft(total - done, rate)];
  return [`${neutralise(what)}: ${number(done)} of ${number(total)}`, ...facts].join(', ');
}

/** Time for so many at this pace: `about 30 s left`. */
export const timeLeft = (count: number, perSecond: number): string =>
  `about ${inShort((count / perSecond) * 1000)} left`;

/** A length of time for a line that is in a hurry. */
export const inShort = (ms: number): string =>
  ms > 99_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`;
