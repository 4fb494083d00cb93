import type { Host } from '../../base/host/host.ts';

/** The input ended or Ctrl-C was pressed before an answer. */
class Unanswered extends Error {
  constructor() {
    super('The question was not answered.');
    this.name = 'ExitPromptError';
  }
}

const interruptKey = '\u0003';
const endKey = '\u0004';
const backspace = /[\b\u007f]/;

/** Asks for a line of text. With `unseen`, does not echo it. Throws `Unanswered`. */
export async function askPlainly(
  { stdin, stderr }: Pick<Host, 'stdin' | 'stderr'>,
  question: string,
  { unseen, signal }: { readonly unseen: boolean; readonly signal: AbortSignal },
): Promise<string> {
  // Turn echo off first, because the user may type before the prompt is shown.
  if (unseen) stdin.setRawMode?.(true);
  stderr.write(`${question} `);
  let typed = '';
  try {
    return await new Promise<string>((resolve, reject) => {
      const end = (act: () => void): void => {
        stdin.removeListener('data', onData);
        stdin.removeListener('end', onEnd);
        signal.removeEventListener('abort', onEnd);
        stdin.pause();
        act();
      };
      const onEnd = (): void => end(() => reject(new Unanswered()));
      const onData = (chunk: Buffer | string): void => {
        const text = String(chunk);
        for (const [index, key] of [...text].entries()) {
          if (key === interruptKey || key === endKey) {
            onEnd();
            return;
          }
          if (key === '\r' || key === '\n') {
            const rest = [...text]
              .slice(index + 1)
              .join('')
              .replace(/^\n/, '');
            end(() => {
              if (rest !== '') stdin.unshift(rest);
              resolve(typed);
            });
            return;
          }
          typed = unseen && backspace.test(key) ? typed.slice(0, -1) : typed + key;
        }
      };
      stdin.on('data', onData);
      stdin.once('end', onEnd);
      signal.addEventListener('abort', onEnd, { once: true });
      if (signal.aborted) onEnd();
      stdin.resume();
    });
  } finally {
    if (unseen) {
      stdin.setRawMode?.(false);
      stderr.write('\n');
    }
  }
}
