import type { Host } from '../../base/host/host.ts';
import { neutralise } from '../../base/neutralise.ts';
import { type Lines, linesOf, truncateToWidth } from '../../base/wording.ts';
import type { Notices } from '../command/context.ts';
import { widthOf } from './output.ts';
import { annotationCommand, harmlessOn, maskCommands, runnerOf } from './runner.ts';
import { saidTable, saidText } from './said-text.ts';
import type { Style } from './style.ts';

/** Settings for output on stderr. */
export interface NoticeRules {
  readonly quiet: boolean;
  readonly style: Style;
  /** Holds lines until `release` or `drop`, so that an error is the only output on stderr. */
  readonly held?: boolean;
}

export interface HoldingNotices extends Notices {
  clear(): void;
  /** Holds lines until `release`, while another program uses the screen. */
  hold(): void;
  /**
   * Reports occasionally that requests are waiting. `perSecond`: allowed requests per second. `heldMs`: time until the
   * next request.
   */
  waiting(perSecond: number | undefined, heldMs: number | undefined): void;
  /** Prints the pending doubts, except those about fields that the service refused. */
  settle(refused?: ReadonlySet<string>): void;
  /** Returns the held lines and warnings instead of printing them. */
  drop(): { readonly said: readonly string[]; readonly warnings: readonly string[] };
}

const warning = 'warning:';
/** Shortest time between two frames of progress, in milliseconds. */
const frameMs = 80;
/** Interval at which a continuing wait is reported again. */
const sayAgainMs = 30_000;
/** The same interval for progress with a screen reader. */
const speakAgainMs = 10_000;

/** Prints lines for people on stderr. The progress line at a terminal is cleared for them. */
export function noticesOn(host: Host, { quiet, style, held = false }: NoticeRules): HoldingNotices {
  const { stderr } = host;
  // It is not an error if stderr is closed.
  stderr.on('error', () => undefined);
  let drawnAtMs: number | undefined;
  let waiting: { readonly text: string; readonly warning?: string }[] | undefined = held ? [] : undefined;
  /** Remaining work, if known. */
  let left: number | undefined;
  const doubts: { readonly field: string; readonly text: Lines }[] = [];
  let work: { readonly total: number; readonly startMs: number; readonly from: number } | undefined;
  let doneBefore = 0;
  let progressSaidAtMs = 0;
  const isDrawn = stderr.isTTY === true && host.env.TERM !== 'dumb' && !style.spoken;
  let waitSaidAtMs: number | undefined;
  const runner = runnerOf(host.env);
  const harmless = harmlessOn(host, false);
  let allowed: number | undefined;

  const said = (text: Lines, before = 0): string =>
    saidText(text, { columns: widthOf(stderr), before, spoken: style.spoken });

  function clear(): void {
    if (drawnAtMs === undefined) return;
    stderr.write('\r\u001b[K');
    drawnAtMs = undefined;
  }

  function settle(refused: ReadonlySet<string> = new Set()): void {
    for (const { field, text } of doubts.splice(0)) if (!refused.has(field)) warn(text);
  }

  function warn(text: Lines): void {
    write(`${style.careful(warning)} ${said(text, warning.length + 1)}\n`, linesOf(text).join(' '));
  }

  function write(text: string, warning?: string): void {
    settle();
    if (waiting) {
      waiting.push({ text, ...(warning === undefined ? {} : { warning }) });
      return;
    }
    clear();
    stderr.write(harmless(text));
  }

  return {
    say(text) {
      if (!quiet) write(`${said(text)}\n`);
    },
    warn,
    doubt(field, text) {
      doubts.push({ field, text });
    },
    settle,
    async report(lines) {
      const { reportText } = await import('./said-text.ts');
      write(await reportText(lines, { columns: widthOf(stderr), style }));
    },
    table(table) {
      const lines = saidTable(table, { columns: widthOf(stderr), spoken: style.spoken });
      write(lines.map((line) => `${line}\n`).join(''));
    },
    writeAnnotation(found, always) {
      const shownBy = runner === 'gitlab' ? undefined : runner;
      if (shownBy === undefined && !always) return;
      clear();
      stderr.write(annotationCommand(shownBy ?? 'github', host, found));
    },
    disclose(secrets, options) {
      if (runner === undefined) return;
      if (runner === 'gitlab' && options === undefined && host.outputIsKept()) return;
      stderr.write(maskCommands(runner, secrets));
    },
    waiting(perSecond, heldMs) {
      allowed = perSecond;
      const now = host.clock.now();
      if (quiet || (waitSaidAtMs !== undefined && now - waitSaidAtMs < sayAgainMs)) return;
      waitSaidAtMs = now;
      write(`${waitText(perSecond, heldMs, left)}\n`);
    },
    progress(done, total, what) {
      left = total - done;
      if (quiet || waiting) return;
      const realMs = host.timers.elapsedMs();
      if (work?.total !== total || done < doneBefore) {
        work = { total, startMs: realMs, from: done };
        progressSaidAtMs = realMs;
      }
      doneBefore = done;
      if (done >= total) return clear();
      const facts = { ...work, what, done, elapsedMs: realMs - work.startMs, allowed };
      if (!isDrawn) {
        // Logs and screen readers get an occasional line about long work.
        if (realMs - progressSaidAtMs < (style.spoken ? speakAgainMs : sayAgainMs)) return;
        progressSaidAtMs = realMs;
        return write(`${said(progressLine(facts))}\n`);
      }
      const now = host.clock.now();
      if (drawnAtMs !== undefined && now - drawnAtMs < frameMs) return;
      stderr.write(`\r\u001b[K${truncateToWidth(progressBar(facts), (widthOf(stderr) ?? 0) - 1)}`);
      drawnAtMs = now;
    },
    clear,
    hold() {
      clear();
      waiting ??= [];
    },
    release() {
      const texts = waiting ?? [];
      waiting = undefined;
      for (const { text } of texts) write(text);
    },
    drop() {
      const dropped = waiting ?? [];
      waiting = waiting && [];
      return {
        said: dropped.flatMap(({ text, warning }) => (warning === undefined ? [text.trimEnd()] : [])),
        warnings: dropped.flatMap(({ warning }) => warning ?? []),
      };
    },
  };
}

/** Describes why requests are waiting: `The service allows about 10 requests a second; about 30 s left.` */
function waitText(
  perSecond: number | undefined,
  heldMs: number | undefined,
  left: number | undefined,
): string {
  if (heldMs !== undefined) return `The service accepts no requests for ${inShort(heldMs)}. Waiting.`;
  if (perSecond === undefined) return 'The service accepts no requests for now. Waiting.';
  const until = left === undefined || left <= 0 ? 'waiting' : timeLeft(left, perSecond);
  const rate = rounded(perSecond);
  return `The service allows about ${rate} ${rate === '1' ? 'request' : 'requests'} a second; ${until}.`;
}

/** Progress of bulk work. */
interface Work {
  readonly what: string;
  readonly done: number;
  readonly total: number;
  /** Time since the start in milliseconds, and the amount done by then. */
  readonly elapsedMs: number;
  readonly from: number;
  /** Requests per second that the service allows, if known. */
  readonly allowed: number | undefined;
}

const barWidth = 24;
/** Time in milliseconds after which the pace is reliable. */
const knownAfterMs = 1000;

/** The pace per second, or `undefined` if it is too early to know. */
const rateOf = ({ done, from, elapsedMs }: Work): number | undefined =>
  elapsedMs < knownAfterMs || done <= from ? undefined : ((done - from) * 1000) / elapsedMs;

const rounded = (rate: number): string =>
  (rate < 3 ? Number(rate.toFixed(1)) : Math.round(rate)).toLocaleString('en-US');

const number = (count: number): string => count.toLocaleString('en-US');

/** Progress as a redrawn line: `[████░░░░] 1,200/8,000  read users  40/s, about 3 min left`. */
function progressBar(work: Work): string {
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

/** Progress as a separate line: `read users: 1,200 of 8,000, 40 a second, about 3 min left`. */
function progressLine(work: Work): string {
  const { what, done, total } = work;
  const rate = rateOf(work);
  const facts = rate === undefined ? [] : [`${rounded(rate)} a second`, timeLeft(total - done, rate)];
  return [`${neutralise(what)}: ${number(done)} of ${number(total)}`, ...facts].join(', ');
}

const timeLeft = (count: number, perSecond: number): string =>
  `about ${inShort((count / perSecond) * 1000)} left`;

/** A short form of a duration. */
const inShort = (ms: number): string =>
  ms > 99_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`;
