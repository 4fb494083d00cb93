import type { Host } from '../../base/host/host.ts';
import { neutralise } from '../../base/neutralise.ts';
import { truncateToWidth } from '../../base/wording.ts';
import { terminalWidth } from './output.ts';
import type { Style } from './style.ts';

const frameMs = 80;
/** Interval between reports about the same wait or work, in milliseconds. */
export const reportIntervalMs = 30_000;
const spokenIntervalMs = 10_000;

/** Shows bulk work: as a redrawn line at a terminal, or as occasional lines for logs and screen readers. */
export class WorkProgress {
  readonly #host: Host;
  readonly #isDrawn: boolean;
  readonly #intervalMs: number;
  #drawnAtMs: number | undefined;
  #reportedAtMs = 0;
  #work: { readonly total: number; readonly startMs: number; readonly from: number } | undefined;
  #done = 0;

  constructor(host: Host, { spoken }: Style) {
    this.#host = host;
    this.#isDrawn = host.stderr.isTTY === true && host.env.TERM !== 'dumb' && !spoken;
    this.#intervalMs = spoken ? spokenIntervalMs : reportIntervalMs;
  }

  clear(): void {
    if (this.#drawnAtMs === undefined) return;
    this.#host.stderr.write('\r\u001b[K');
    this.#drawnAtMs = undefined;
  }

  /**
   * Draws the progress, or returns a line about it if one is due. `allowed`: requests per second that the service
   * allows, if known.
   */
  update(done: number, total: number, what: string, allowed: number | undefined): string | undefined {
    const nowMs = this.#host.timers.elapsedMs();
    if (this.#work?.total !== total || done < this.#done) {
      this.#work = { total, startMs: nowMs, from: done };
      this.#reportedAtMs = nowMs;
    }
    this.#done = done;
    if (done >= total) {
      this.clear();
      return undefined;
    }
    const work = { ...this.#work, what, done, elapsedMs: nowMs - this.#work.startMs, allowed };
    if (this.#isDrawn) {
      this.#draw(work);
      return undefined;
    }
    if (nowMs - this.#reportedAtMs < this.#intervalMs) return undefined;
    this.#reportedAtMs = nowMs;
    return progressLine(work);
  }

  #draw(work: Work): void {
    const { clock, stderr } = this.#host;
    const nowMs = clock.now();
    if (this.#drawnAtMs !== undefined && nowMs - this.#drawnAtMs < frameMs) return;
    stderr.write(`\r\u001b[K${truncateToWidth(progressBar(work), (terminalWidth(stderr) ?? 0) - 1)}`);
    this.#drawnAtMs = nowMs;
  }
}

/** Describes why requests are waiting: `The service allows about 10 requests a second; about 30 s left.` */
export function describeWait(
  perSecond: number | undefined,
  pauseMs: number | undefined,
  remaining: number | undefined,
): string {
  if (pauseMs !== undefined) return `The service accepts no requests for ${shortDuration(pauseMs)}. Waiting.`;
  if (perSecond === undefined) return 'The service accepts no requests for now. Waiting.';
  const state = remaining === undefined || remaining <= 0 ? 'waiting' : timeLeft(remaining, perSecond);
  const rate = formatRate(perSecond);
  return `The service allows about ${rate} ${rate === '1' ? 'request' : 'requests'} a second; ${state}.`;
}

interface Work {
  readonly what: string;
  readonly done: number;
  readonly total: number;
  /** Time since the start, and the amount done in it. */
  readonly elapsedMs: number;
  readonly from: number;
  readonly allowed: number | undefined;
}

const barWidth = 24;
/** The measured rate is only reliable after this time. */
const reliableAfterMs = 1000;

const measuredRate = ({ done, from, elapsedMs }: Work): number | undefined =>
  elapsedMs < reliableAfterMs || done <= from ? undefined : ((done - from) * 1000) / elapsedMs;

const formatRate = (rate: number): string =>
  formatCount(rate < 3 ? Number(rate.toFixed(1)) : Math.round(rate));

const formatCount = (count: number): string => count.toLocaleString('en-US');

/** Formats a redrawn line: `[████░░░░] 1,200/8,000  read users  40/s, about 3 min left`. */
function progressBar(work: Work): string {
  const { what, done, total, allowed } = work;
  const filled = total === 0 ? 0 : Math.floor((done / total) * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const measured = measuredRate(work);
  const rate = measured ?? allowed;
  const facts = [
    ...(measured === undefined ? [] : [`${formatRate(measured)}/s`]),
    ...(rate === undefined ? [] : [timeLeft(total - done, rate)]),
  ].join(', ');
  return `[${bar}] ${formatCount(done)}/${formatCount(total)}  ${neutralise(what)}${facts === '' ? '' : `  ${facts}`}`;
}

/** Formats a separate line: `read users: 1,200 of 8,000, 40 a second, about 3 min left`. */
function progressLine(work: Work): string {
  const { what, done, total } = work;
  const rate = measuredRate(work);
  const facts = rate === undefined ? [] : [`${formatRate(rate)} a second`, timeLeft(total - done, rate)];
  return [`${neutralise(what)}: ${formatCount(done)} of ${formatCount(total)}`, ...facts].join(', ');
}

const timeLeft = (count: number, perSecond: number): string =>
  `about ${shortDuration((count / perSecond) * 1000)} left`;

const shortDuration = (ms: number): string =>
  ms > 99_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`;
