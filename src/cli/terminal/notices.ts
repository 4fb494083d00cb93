import type { Host } from '../../base/host/host.ts';
import { type Lines, toLines } from '../../base/wording.ts';
import type { Notices } from '../command/context.ts';
import { formatNotice, formatNoticeTable, reportText } from './notice-text.ts';
import { terminalWidth } from './output.ts';
import { describeWait, reportIntervalMs, WorkProgress } from './progress.ts';
import { annotationCommand, commandEscaper, detectRunner, maskCommands } from './runner.ts';
import type { Style } from './style.ts';

export interface NoticeRules {
  readonly quiet: boolean;
  readonly style: Style;
  /** Holds lines until `release` or `drop`, so that an error is the only output on stderr. */
  readonly held?: boolean;
}

export interface HoldingNotices extends Notices {
  clear(): void;
  /** Holds lines until `release`, because another program uses the screen. */
  hold(): void;
  /**
   * Reports occasionally that requests are waiting. `perSecond`: requests per second that the service allows.
   * `heldMs`: time until the next request.
   */
  waiting(perSecond: number | undefined, heldMs: number | undefined): void;
  printFieldWarnings(refused?: ReadonlySet<string>): void;
  takeHeld(): { readonly said: readonly string[]; readonly warnings: readonly string[] };
}

const warningLabel = 'warning:';

/** Writes lines to stderr below the progress line, or holds them until `release`. */
class NoticeWriter {
  readonly #host: Host;
  readonly #style: Style;
  readonly #progress: WorkProgress;
  readonly #escapeCommands: (text: string) => string;
  #held: { readonly text: string; readonly warning?: string }[] | undefined;
  readonly #doubts: { readonly field: string; readonly text: Lines }[] = [];

  constructor(host: Host, style: Style, progress: WorkProgress) {
    this.#host = host;
    this.#style = style;
    this.#progress = progress;
    this.#escapeCommands = commandEscaper(host, false);
  }

  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  say(text: Lines): void {
    this.write(`${this.#format(text)}\n`);
  }

  warn(text: Lines): void {
    const label = this.#style.careful(warningLabel);
    this.write(`${label} ${this.#format(text, warningLabel.length + 1)}\n`, toLines(text).join(' '));
  }

  warnAboutField(field: string, text: Lines): void {
    this.#doubts.push({ field, text });
  }

  printFieldWarnings(refused: ReadonlySet<string> = new Set()): void {
    for (const { field, text } of this.#doubts.splice(0)) if (!refused.has(field)) this.warn(text);
  }

  write(text: string, warning?: string): void {
    this.printFieldWarnings();
    if (this.#held) {
      this.#held.push({ text, ...(warning === undefined ? {} : { warning }) });
      return;
    }
    this.#progress.clear();
    this.#host.stderr.write(this.#escapeCommands(text));
  }

  hold(): void {
    this.#progress.clear();
    this.#held ??= [];
  }

  release(): void {
    const lines = this.#held ?? [];
    this.#held = undefined;
    for (const { text } of lines) this.write(text);
  }

  takeHeld(): ReturnType<HoldingNotices['takeHeld']> {
    const dropped = this.#held?.splice(0) ?? [];
    return {
      said: dropped.flatMap(({ text, warning }) => (warning === undefined ? [text.trimEnd()] : [])),
      warnings: dropped.flatMap(({ warning }) => warning ?? []),
    };
  }

  #format(text: Lines, before = 0): string {
    return formatNotice(text, {
      columns: terminalWidth(this.#host.stderr),
      before,
      spoken: this.#style.spoken,
    });
  }
}

/** Returns notices that print to stderr. The progress line at a terminal is cleared first. */
export function openNotices(host: Host, { quiet, style, held = false }: NoticeRules): HoldingNotices {
  const { stderr } = host;
  // A closed stderr is not an error.
  stderr.on('error', () => undefined);
  const runner = detectRunner(host.env);
  const progress = new WorkProgress(host, style);
  const writer = new NoticeWriter(host, style, progress);
  if (held) writer.hold();
  let remaining: number | undefined;
  let allowed: number | undefined;
  let waitReportedAtMs: number | undefined;

  return {
    say(text) {
      if (!quiet) writer.say(text);
    },
    warn: (text) => writer.warn(text),
    warnAboutField: (field, text) => writer.warnAboutField(field, text),
    printFieldWarnings: (refused) => writer.printFieldWarnings(refused),
    async report(lines) {
      writer.write(await reportText(lines, { columns: terminalWidth(stderr), style }));
    },
    table(table) {
      const lines = formatNoticeTable(table, { columns: terminalWidth(stderr), spoken: style.spoken });
      writer.write(lines.map((line) => `${line}\n`).join(''));
    },
    writeAnnotation(found, always) {
      const shownBy = runner === 'gitlab' ? undefined : runner;
      if (shownBy === undefined && !always) return;
      progress.clear();
      stderr.write(annotationCommand(shownBy ?? 'github', host, found));
    },
    disclose(secrets, options) {
      if (runner === undefined) return;
      if (runner === 'gitlab' && options === undefined && host.outputIsKept()) return;
      stderr.write(maskCommands(runner, secrets));
    },
    waiting(perSecond, heldMs) {
      allowed = perSecond;
      const nowMs = host.clock.now();
      if (quiet || (waitReportedAtMs !== undefined && nowMs - waitReportedAtMs < reportIntervalMs)) return;
      waitReportedAtMs = nowMs;
      writer.write(`${describeWait(perSecond, heldMs, remaining)}\n`);
    },
    progress(done, total, what) {
      remaining = total - done;
      if (quiet || writer.isHolding) return;
      const line = progress.update(done, total, what, allowed);
      if (line !== undefined) writer.say(line);
    },
    clear: () => progress.clear(),
    hold: () => writer.hold(),
    release: () => writer.release(),
    takeHeld: () => writer.takeHeld(),
  };
}
