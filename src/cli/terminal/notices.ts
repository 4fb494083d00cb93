import type { Host } from '../../base/host/host.ts';
import { neutralise } from '../../base/neutralise.ts';
import { cutTo, type Lines, linesOf } from '../../base/wording.ts';
import type { Notices } from '../command/context.ts';
import { widthOf } from './output.ts';
import { annotationCommand, harmlessOn, maskCommands, runnerOf } from './runner.ts';
import { saidTable, saidText } from './said-text.ts';
import type { Style } from './style.ts';

/** Settings for how much is said on stderr. */
export interface NoticeRules {
  readonly quiet: boolean;
  readonly style: Style;
  /** Lines are kept back for `release` or `drop`, so that an error stands alone on stderr. */
  readonly held?: boolean;
}

export interface HoldingNotices extends Notices {
  clear(): void;
  /** From now on, lines wait for `release`: another program has the screen. */
  hold(): void;
  /** Says now and then that requests wait: how many a second are allowed, and for how many ms none, where known. */
  waiting(perSecond: number | undefined, heldMs: number | undefined): void;
  /** Shows the doubts that wait, less those about fields that the service has refused. */
  settle(refused?: ReadonlySet<string>): void;
  /** Gives what waits instead of writing it: lines that were said, and warnings. */
  drop(): { readonly said: readonly string[]; readonly warnings: readonly string[] };
}

const warning = 'warning:';
/** Shortest time between two pictures of progress, in milliseconds. */
const frameMs = 80;
/** Interval at which a continuing wait is announced again. */
const sayAgainMs = 30_000;
/** The same for progress that is said to people who listen. */
const speakAgainMs = 10_000;

/** Lines for people on stderr; a line of progress at a terminal gives way to them. */
export function noticesOn(host: Host, { quiet, style, held = false }: NoticeRules): HoldingNotices {
  const { stderr } = host;
  // Nobody may be reading stderr; that is no reason to fail.
  stderr.on('error', () => undefined);
  let drawnAtMs: number | undefined;
  let waiting: { readonly text: string; readonly warning?: string }[] | undefined = held ? [] : undefined;
  /** Amount that is left to do, as far as somebody said. */
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
        // A log, and who listens, gets a line now and then of what takes long.
        if (realMs - progressSaidAtMs < (style.spoken ? speakAgainMs : sayAgainMs)) return;
        progressSaidAtMs = realMs;
        return write(`${said(progressLine(facts))}\n`);
      }
      const now = host.clock.now();
      if (drawnAtMs !== undefined && now - drawnAtMs < frameMs) return;
      stderr.write(`\r\u001b[K${cutTo(progressBar(facts), (widthOf(stderr) ?? 0) - 1)}`);
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

/** Says what requests wait for: `The service allows about 10 requests a second; about 30 s left.` */
function waitText(
  perSecond: number | undefined,
  heldMs: number | undefined,
  left: number | undefined,
): string {
  if (heldMs !== undefined) return `The service takes no more requests for ${inShort(heldMs)}; waiting.`;
  if (perSecond === undefined) return 'The service takes no more requests for now; waiting.';
  const until = left === undefined || left <= 0 ? 'waiting' : timeLeft(left, perSecond);
  const rate = rounded(perSecond);
  return `The service allows about ${rate} ${rate === '1' ? 'request' : 'requests'} a second; ${until}.`;
}

/** How far work is. */
interface Work {
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

/** Work as a line of its own: `read users: 1,200 of 8,000, 40 a second, about 3 min left`. */
function progressLine(work: Work): string {
  const { what, done, total } = work;
  const rate = rateOf(work);
  const facts = rate === undefined ? [] : [`${rounded(rate)} a second`, timeLeft(total - done, rate)];
  return [`${neutralise(what)}: ${number(done)} of ${number(total)}`, ...facts].join(', ');
}

const timeLeft = (count: number, perSecond: number): string =>
  `about ${inShort((count / perSecond) * 1000)} left`;

/** A length of time for a line that is in a hurry. */
const inShort = (ms: number): string =>
  ms > 99_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`;
