import type { Notices } from '../cli/context.ts';
import { linesOf } from '../contract/lines.ts';
import type { Host } from '../host/host.ts';
import { neutralise, neutraliseLines } from './neutralise.ts';
import { widthOf } from './output.ts';
import type { Style } from './style.ts';

/** How much is said on stderr. */
export interface NoticeRules {
  readonly quiet: boolean;
  readonly style: Style;
  /** Lines are kept back for `release` or `drop`, so that an error stands alone on stderr. */
  readonly held?: boolean;
}

/** Notices, and how they end. */
export interface HoldingNotices extends Notices {
  clear(): void;
  /** Gives what waits instead of writing it: lines that were said, and warnings. */
  drop(): { readonly said: readonly string[]; readonly warnings: readonly string[] };
}

const barWidth = 24;
/** Less than this between two pictures of progress is not seen. */
const frameMs = 80;

/** Lines for people on stderr; a line of progress at a terminal gives way to them. */
export function noticesOn(host: Host, { quiet, style, held = false }: NoticeRules): HoldingNotices {
  const { stderr } = host;
  // Nobody may be reading stderr; that is no reason to fail.
  stderr.on('error', () => undefined);
  let drawnAtMs: number | undefined;
  let waiting: { readonly text: string; readonly warning?: string }[] | undefined = held ? [] : undefined;

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
    progress(done, total, what) {
      if (quiet || stderr.isTTY !== true || host.env.TERM === 'dumb') return;
      if (done >= total) return clear();
      const now = host.clock.now();
      if (drawnAtMs !== undefined && now - drawnAtMs < frameMs) return;
      const filled = total === 0 ? 0 : Math.floor((done / total) * barWidth);
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
      const text = `[${bar}] ${done}/${total}  ${neutralise(what)}`;
      stderr.write(`\r\u001b[K${text.slice(0, (widthOf(stderr) ?? 0) - 1)}`);
      drawnAtMs = now;
    },
    clear,
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
