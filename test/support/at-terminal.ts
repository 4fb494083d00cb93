import { spawn } from '@lydell/node-pty';
import { bin, processEnv } from './process.ts';

/** Closes the terminal instead of typing. */
export const hangUp = Symbol('hang up');

/** Text to wait for at the terminal, and the answer to type. */
export interface TerminalStep {
  readonly see: RegExp;
  readonly type: string | typeof hangUp | ((shown: string) => Promise<string>);
}

export interface TerminalRun {
  readonly code: number;
  readonly shown: string;
}

/** Runs telctl at a real terminal. Each step starts after the text of the previous step. */
export function atTerminal(
  argv: readonly string[],
  home: string,
  steps: readonly TerminalStep[],
  env: Readonly<Record<string, string>> = {},
): Promise<TerminalRun> {
  const terminal = spawn(process.execPath, [bin, ...argv], {
    cols: 100,
    rows: 30,
    cwd: home,
    env: { ...processEnv({ home, env }), TERM: 'xterm-256color' },
  });
  const left = [...steps];
  let shown = '';
  let offset = 0;
  terminal.onData(async (text) => {
    shown += text;
    const [next] = left;
    if (!next?.see.test(shown.slice(offset))) return;
    left.shift();
    offset = shown.length;
    if (next.type === hangUp) return terminal.kill('SIGHUP');
    terminal.write(typeof next.type === 'string' ? next.type : await next.type(shown));
  });
  return new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve({ code: exitCode, shown })));
}
