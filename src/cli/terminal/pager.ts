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

const maxKeptLength = 1_000_000;

const startFailureCodes = new Set([126, 127]);

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
  if (!out.terminal || pager.value === 'none' || !rows || columns === undefined) return undefined;
  const paging = new Paging(out, host, notices, pager, { rows, columns });
  return {
    terminal: true,
    columns,
    write: (text) => paging.write(text),
    async flush() {
      await paging.end();
      await out.flush();
    },
    end: () => paging.end(),
  };
}

class Paging {
  readonly #out: Output;
  readonly #host: Host;
  readonly #notices: HoldingNotices;
  readonly #pager: Settings['pager'];
  readonly #screen: { readonly rows: number; readonly columns: number };
  /** The collected text, until the pager shows it or is not needed. */
  #kept: string[] | undefined = [];
  #height = 0;
  #length = 0;
  #isDirect = false;
  #running: { readonly out: Output; readonly close: () => void; readonly ended: Promise<void> } | undefined;

  constructor(
    out: Output,
    host: Host,
    notices: HoldingNotices,
    pager: Settings['pager'],
    screen: { readonly rows: number; readonly columns: number },
  ) {
    this.#out = out;
    this.#host = host;
    this.#notices = notices;
    this.#pager = pager;
    this.#screen = screen;
  }

  async write(text: string | Uint8Array): Promise<void> {
    if (this.#isDirect) return this.#out.write(text);
    if (typeof text !== 'string') {
      await this.end();
      return this.#out.write(text);
    }
    this.#length += text.length;
    if (this.#length > maxKeptLength && this.#running) this.#kept = undefined;
    this.#kept?.push(text);
    if (this.#running) return this.#pass(text);
    this.#height += countRows(text, this.#screen.columns);
    if (this.#height < this.#screen.rows) return;
    await this.#start();
    for (const each of this.#kept?.slice() ?? []) await this.#pass(each);
  }

  async end(): Promise<void> {
    if (!this.#running) return this.#isDirect ? undefined : this.#writeDirectly();
    const { ended, close } = this.#running;
    close();
    await ended;
    this.#running = undefined;
    this.#isDirect = true;
  }

  async #start(): Promise<void> {
    const { platform, env, processes } = this.#host;
    const { value: line } = this.#pager;
    const isPlain = platform === 'win32' || /^[\w\s./:=+@,%-]+$/.test(line);
    const [command = '', ...args] = isPlain ? line.split(/\s+/) : ['sh', '-c', line];
    this.#notices.hold();
    try {
      // Same defaults as Git: quit if the text fits one screen, pass colors, keep the text on the screen.
      const child = await processes.startPager(
        command,
        args,
        programEnvironment({ ...this.#host, env: { LESS: 'FRX', LV: '-c', ...env } }),
      );
      const ended = child.ended.then((end) => this.#finish(end));
      // All waiting writers get the error, now or later.
      ended.catch(() => undefined);
      this.#running = { out: outputTo(child.input), close: () => void child.input.end(), ended };
    } catch (error) {
      await this.#giveUp(`cannot be started (${systemCode(error) ?? 'unknown reason'})`);
    }
  }

  async #pass(text: string): Promise<void> {
    if (!this.#running) return;
    try {
      await this.#running.out.write(text);
    } catch (error) {
      if (!(error instanceof OutputClosed)) throw error;
      await this.#running.ended;
      if (!this.#isDirect) throw error;
    }
  }

  async #finish({ code, signal }: PagerEnd): Promise<void> {
    if (code !== null && startFailureCodes.has(code) && this.#kept) return this.#giveUp('cannot be started');
    this.#notices.release();
    if (signal) throw new Failure('interrupted', 'Interrupted.');
    if (code) this.#notices.warn(`The pager ${JSON.stringify(this.#pager.value)} exited with code ${code}.`);
  }

  async #giveUp(why: string): Promise<void> {
    this.#running = undefined;
    this.#notices.release();
    const { value, source, from } = this.#pager;
    if (source !== 'default')
      this.#notices.warn([
        `The pager ${JSON.stringify(value)} of ${from} ${why}.`,
        'The output is shown without a pager. To skip the pager, use --no-pager.',
      ]);
    await this.#writeDirectly();
  }

  async #writeDirectly(): Promise<void> {
    this.#isDirect = true;
    const texts = this.#kept ?? [];
    this.#kept = undefined;
    for (const text of texts) await this.#out.write(text);
  }
}

const countRows = (text: string, columns: number): number =>
  text
    .split('\n')
    .slice(0, -1)
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.replaceAll(escapes, '').length / columns)), 0);
