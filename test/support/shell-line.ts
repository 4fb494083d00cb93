import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { onTestFinished } from 'vitest';
import { completionScript } from '../../src/cli/shell/completion/scripts.ts';
import { writeFiles } from './fake-host.ts';
import { processEnv } from './process.ts';

export type TypedShell = 'bash' | 'zsh' | 'fish';

/** The installed shells. Every test machine has bash. */
export const installedShells = (['bash', 'zsh', 'fish'] as const).filter(
  (shell) => shell === 'bash' || spawnSync(shell, ['--version']).status === 0,
);

const prompt = '@@ ';
const starts: Readonly<Record<TypedShell, { readonly argv: readonly string[]; readonly script: string }>> = {
  bash: { argv: ['--norc', '--noprofile', '-i'], script: 'source "$HOME/comp.bash"\n' },
  zsh: {
    argv: ['-f', '-i'],
    script: `autoload -Uz compinit; compinit -u -D; bindkey -e; source "$HOME/comp.zsh"; PROMPT='${prompt}'\n`,
  },
  fish: {
    argv: ['--no-config', '-i'],
    script: `function fish_prompt; printf '${prompt}'; end; function fish_greeting; end; source "$HOME/comp.fish"\n`,
  },
};

/** A shell at a terminal with completion of telctl. */
export interface ShellAtTerminal {
  /** Types text, which can contain tabs, then Enter, and returns the arguments that telctl receives. */
  argumentsOf(typed: string): Promise<readonly string[]>;
}

/** Returns the output of `telctl __complete WORDS`. */
export type AnswerShell = (argv: readonly string[]) => Promise<string>;

/** Starts a server that passes the lines of a request to `answer`. Returns its port. */
async function startAnswerServer(answer: AnswerShell): Promise<number> {
  const server = createServer((socket) => {
    let asked = '';
    socket.on('error', () => undefined);
    socket.on('data', async (chunk) => {
      asked += chunk.toString();
      if (asked.endsWith('\nEND\n')) socket.end(await answer(asked.split('\n').slice(0, -2)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Starts a shell whose `telctl` completes words with `answer` and prints its arguments. */
export async function shellAtTerminal(
  shell: TypedShell,
  home: string,
  answer: AnswerShell,
): Promise<ShellAtTerminal> {
  const { argv, script } = starts[shell];
  const program = `#!/usr/bin/env bash
if [ "$1" = __complete ]; then
  exec 3<>/dev/tcp/127.0.0.1/${await startAnswerServer(answer)}
  printf '%s\\n' "$@" END >&3
  exec cat <&3
fi
printf 'GOT'; printf '<%s>' "$@"; printf 'END\\n'\n`;
  writeFiles(home, {
    [`comp.${shell}`]: completionScript(shell),
    [`start.${shell}`]: script,
    'bin/telctl': program,
  });
  chmodSync(join(home, 'bin', 'telctl'), 0o755);
  const env = processEnv({ home, env: { TERM: 'xterm', LC_ALL: 'C.UTF-8', PS1: prompt } });
  const terminal = spawn(shell, [...argv], {
    cols: 500,
    rows: 50,
    cwd: home,
    env: { ...env, PATH: `${join(home, 'bin')}:${env.PATH}` },
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  let shown = '';
  let check = (): void => undefined;
  terminal.onData((text) => {
    shown += text;
    check();
  });
  const waitForText = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const limit = setTimeout(
        () => reject(new Error(`Not shown: ${pattern}\n${JSON.stringify(shown)}`)),
        120_000,
      );
      check = () => {
        const found = pattern.exec(shown);
        if (!found) return;
        clearTimeout(limit);
        resolve(found);
      };
      check();
    });
  terminal.write(`source "$HOME/start.${shell}"; printf 'READ''Y\\n'\r`);
  await waitForText(/READY.*@@ /s);
  return {
    async argumentsOf(typed) {
      shown = '';
      terminal.write(`${typed}\r`);
      const [, words = ''] = await waitForText(/GOT(.*?)END.*@@ /s);
      return words.slice(1, -1).split('><');
    },
  };
}
