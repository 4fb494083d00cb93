import { linesOf } from '../base/lines.ts';
import { neutralise, neutraliseLines } from '../base/neutralise.ts';
import type { Notices } from '../command/context.ts';
import type { Host } from '../host/host.ts';
import { widthOf } from './output.ts';
import type { Style } from './style.ts';

/** Settings for how much is said on stderr. */
export interface NoticeRules {
  readonly quiet: boolean;
  readonly style: Style;
  /** Lines are kept back for `release` or `drop`, so that an error stands alone on stderr. */
  readonly held?: boolean;
}

/** Notices, and how they end. */
export interface HoldingNotices extends Notices {
  clear(): void;
  /** From now on, lines wait for `release`: another program has the screen. */
  hold(): void;
  /**
   * Says now and then that requests wait for the rate limit: how many a second the service allows, as far as it is
   * known, and for how many milliseconds it takes none, where it said so itself.
   */
  waiting(perSecond: number | undefined, heldMs: number | undefined): void;
  /** Gives what waits instead of writing it: lines that were said, and warnings. */
  drop(): { readonly said: readonly string[]; readonly warnings: readonly string[] };
}

const barWidth = 24;
/** Less than this between two pictures of progress is not seen. */
const frameMs = 80;
/** Interval at which a continuing wait is announced again. */
const sayAgainMs = 30_000;

/** Lines for people on stderr; a line of progress at a terminal gives way to them. */
export function noticesOn(host: Host, { quiet, style, held = false }: NoticeRules): HoldingNotices {
  const { stderr } = host;
  // Nobody may be reading stderr; that is no reason to fail.
  stderr.on('error', () => undefined);
  let drawnAtMs: number | undefined;
  let waiting: { readonly text: string; readonly warning?: string }[] | undefined = held ? [] : undefined;
  /** Amount that is left to do, as far as somebody said. */
  let left: number | undefined;
  let waitSaidAtMs: number | undefined;
  let allowed: number | undefined;

  function clear(): void {
    if (drawnAtMs === undefined) return;
    stderr.write('\r\u001b[K');
    drawnAtMs = undefined;
  }

  function write(text: string, warning?: string): void {
    if (waiting) {
      waiting.push({ text, ...(warning === undefined ? {} : { warning }) });
      return;
    }
    clear();
    stderr.write(text);
  }

  return {
    say(text) {
      if (!quiet) write(`${neutraliseLines(text)}\n`);
    },
    warn(text) {
      write(`${style.careful('warning:')} ${neutraliseLines(text)}\n`, linesOf(text).join(' '));
    },
    async report(lines) {
      const { reportText } = await import('./report-lines.ts');
      write(await reportText(lines, { columns: widthOf(stderr), style }));
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
      if (quiet || waiting || stderr.isTTY !== true || host.env.TERM === 'dumb') return;
      if (done >= total) return clear();
      const now = host.clock.now();
      if (drawnAtMs !== undefined && now - drawnAtMs < frameMs) return;
      const filled = total === 0 ? 0 : Math.floor((done / total) * barWidth);
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
      const time = allowed === undefined ? '' : `  (${timeLeft(left, allowed)})`;
      const text = `[${bar}] ${done}/${total}  ${neutralise(what)}${time}`;
      stderr.write(`\r\u001b[K${text.slice(0, (widthOf(stderr) ?? 0) - 1)}`);
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
  if (heldMs !== undefined) return `The service takes no more requests for ${seconds(heldMs)}; waiting.`;
  if (perSecond === undefined) return 'The service takes no more requests for now; waiting.';
  const rate = perSecond < 3 ? Number(perSecond.toFixed(1)) : Math.round(perSecond);
  const until = left === undefined || left <= 0 ? 'waiting' : timeLeft(left, perSecond);
  return `The service allows about ${rate} ${rate === 1 ? 'request' : 'requests'} a second; ${until}.`;
}

const timeLeft = (count: number, perSecond: number): string =>
  `about ${seconds((count / perSecond) * 1000)} left`;

const seconds = (ms: number): string =>
  ms > 99_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`;
