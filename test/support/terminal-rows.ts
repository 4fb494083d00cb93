import xterm from '@xterm/headless';

/** A terminal that shows rows as a user sees them. */
export interface SeenTerminal {
  write(chunk: string): void;
  /** Returns all rows, including those that scrolled away. */
  rows(): Promise<readonly string[]>;
}

/** Opens a terminal with this many columns. */
export function seenTerminal(columns: number): SeenTerminal {
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
