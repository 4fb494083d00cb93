import xterm from '@xterm/headless';

export interface OpenTerminal {
  write(chunk: string): void;
  /** Returns all rows, including those that scrolled away. */
  rows(): Promise<readonly string[]>;
}

/** Opens a terminal with this many columns. */
export function openTerminal(columns: number): OpenTerminal {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows: 40,
    scrollback: 5000,
    convertEol: true,
    allowProposedApi: true,
  });
  return {
    write: (chunk) => terminal.write(chunk),
    async rows() {
      await new Promise<void>((resolve) => terminal.write('', resolve));
      const { active } = terminal.buffer;
      const rows = Array.from(
        { length: active.length },
        (_, at) => active.getLine(at)?.translateToString(true) ?? '',
      );
      terminal.dispose();
      return rows;
    },
  };
}

export interface PaintedEnd {
  readonly rows: readonly string[];
  /** Wrapped lines, with a mark at each edge. */
  readonly wrapped: readonly string[];
  /** True if following text has no color, weight or underline. */
  readonly isPlainAtEnd: boolean;
}

/** Returns the lines that take several rows. */
const wrappedLines = (
  rows: readonly { readonly text: string; readonly continues: boolean }[],
): readonly string[] =>
  rows
    .map(({ text, continues }) => (continues ? `⏎${text}` : `\n${text}`))
    .join('')
    .split('\n')
    .filter((line) => line.includes('⏎'));

/** Opens a terminal that also records wrapped lines and colors. */
export function openPaintedTerminal(columns: number): {
  write(chunk: string): void;
  end(): Promise<PaintedEnd>;
} {
  const terminal = new xterm.Terminal({
    ...{ cols: columns, rows: 40, scrollback: 5000 },
    ...{ convertEol: true, allowProposedApi: true },
  });
  return {
    write: (chunk) => terminal.write(chunk),
    async end() {
      const mark = '\u2713';
      await new Promise<void>((resolve) => terminal.write(`\r\n${mark}`, resolve));
      const { active } = terminal.buffer;
      const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)).filter(
        (each) => !!each,
      );
      const texts = lines.map((line) => line.translateToString(true));
      const last = lines.findLast((line) => line.translateToString(true).startsWith(mark))?.getCell(0);
      const isPlainAtEnd = last?.isAttributeDefault() === true;
      terminal.dispose();
      return {
        rows: texts.filter((text) => text !== mark),
        wrapped: wrappedLines(
          lines.map((line, at) => ({ text: texts[at] ?? '', continues: line.isWrapped })),
        ),
        isPlainAtEnd,
      };
    },
  };
}
