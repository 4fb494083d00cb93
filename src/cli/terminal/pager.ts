import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { programEnvironment } from '../../base/program-environment.ts';
import { systemCode } from '../../base/read-errors.ts';
import type { Settings } from '../../client/session/settings.ts';
import type { HoldingNotices } from './notices.ts';
import { type Output, OutputClosed, outputTo } from './output.ts';

type PagerEnd = Awaited<Awaited<ReturnType<Host['processes']['startPager']>>['ended']>;

/** An output that opens a pager for text longer than the screen. `end` waits until the user leaves the pager. */
interface PagedOutput extends Output {
  end(): Promise<void>;
}

const mostKept = 1_000_000;

/** Exit codes of a shell that could not start a program. */
const unstartable = new Set([126, 127]);

/** Escape sequences have no width. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const escapes = /\u001b\[[0-9;]*m/g;

/**
 * Shows text longer than the screen in the user's pager. Shorter text goes directly to the terminal. Notices wait while
 * the pager is open. If the pager fails to start, warns once and prints the text. Throws `OutputClosed` when the user
 * leaves the pager, and `interrupted` if a signal ends it. Returns `undefined` if no pager is configured.
 */
export function pagedOutput(
  out: Output,
  host: Host,
  notices: HoldingNotices,
  pager: Settings['pager'],
): PagedOutput | undefined {
  const { rows } = host.stdout;
  const { columns } = out;
  const { value: line, source, from } = pager;
  if (!out.terminal || line === 'none' || !rows || columns === undefined) return undefined;

  /** The text until it is known whether a pager is needed and works. */
  let kept: string[] | undefined = [];
  let height = 0;
  let length = 0;
  let isDirect = false;
  let running:
    | { readonly out: Output; readonly close: () => void; readonly ended: Promise<void> }
    | undefined;

  const heightOf = (text: string): number =>
    text
      .split('\n')
      .slice(0, -1)
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.replaceAll(escapes, '').length / columns)), 0);

  const directly = async (): Promise<void> => {
    isDirect = true;
    const texts = kept ?? [];
    kept = undefined;
    for (const text of texts) await out.write(text);
  };
  const broken = async (why: string): Promise<void> => {
    running = undefined;
    notices.release();
    if (source !== 'default')
      notices.warn([
        `The pager ${JSON.stringify(line)} of ${from} ${why}.`,
        'The output is shown without a pager. To skip the pager, use --no-pager.',
      ]);
    await directly();
  };

  async function start(): Promise<void> {
    const { platform, env, processes } = host;
    const isPlain = platform === 'win32' || /^[\w\s./:=+@,%-]+$/.test(line);
    const [command = '', ...args] = isPlain ? line.split(/\s+/) : ['sh', '-c', line];
    notices.hold();
    try {
      // Same defaults as Git: quit if the text fits one screen, pass colors, keep the text on the screen.
      const child = await processes.startPager(
        command,
        args,
        programEnvironment({ ...host, env: { LESS: 'FRX', LV: '-c', ...env } }),
      );
      const ended = child.ended.then(afterwards);
      // All waiting writers get the error, now or later.
      ended.catch(() => undefined);
      running = { out: outputTo(child.input), close: () => void child.input.end(), ended };
    } catch (error) {
      await broken(`cannot be started (${systemCode(error) ?? 'unknown reason'})`);
    }
  }

  /** Prints the text if the pager could not show it. */
  async function afterwards({ code, signal }: PagerEnd): Promise<void> {
    if (code !== null && unstartable.has(code) && kept) return broken('cannot be started');
    notices.release();
    if (signal) throw new Failure('interrupted', 'Interrupted.');
    if (code) notices.warn(`The pager ${JSON.stringify(line)} exited with code ${code}.`);
  }

  async function hand(text: string): Promise<void> {
    if (!running) return;
    try {
      await running.out.write(text);
    } catch (error) {
      if (!(error instanceof OutputClosed)) throw error;
      await running.ended;
      if (!isDirect) throw error;
    }
  }

  async function end(): Promise<void> {
    if (!running) return isDirect ? undefined : directly();
    const { ended, close } = running;
    close();
    await ended;
    running = undefined;
    isDirect = true;
  }

  return {
    terminal: true,
    columns,
    async write(text) {
      if (isDirect) return out.write(text);
      if (typeof text !== 'string') {
        await end();
        return out.write(text);
      }
      length += text.length;
      if (length > mostKept && running) kept = undefined;
      kept?.push(text);
      if (running) return hand(text);
      height += heightOf(text);
      if (height < rows) return;
      await start();
      for (const each of kept?.slice() ?? []) await hand(each);
    },
    async flush() {
      await end();
      await out.flush();
    },
    end,
  };
}
