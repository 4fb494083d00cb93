import { PassThrough, Writable } from 'node:stream';
import type { InputStream, OutputStream } from '../../src/base/host/host.ts';

/** An output stream that remembers what was written. */
export interface Collector {
  readonly stream: OutputStream;
  text(): string;
}

/** Makes an output stream that collects text, as a terminal of `columns` or as a pipe. */
export function collector(options: {
  readonly tty: boolean;
  readonly columns: number;
  /** Told of all text so far, and of what was added. */
  readonly onWrite?: (text: string, chunk: string) => void;
}): Collector {
  const chunks: Buffer[] = [];
  const text = (): string => Buffer.concat(chunks).toString('utf8');
  const writable = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      options.onWrite?.(text(), String(chunk));
      done();
    },
  });
  // What a prompt pipes into a process's own streams does not end them.
  const open = Object.assign(writable, { end: () => writable });
  const stream = options.tty
    ? Object.assign(open, { isTTY: true, columns: options.columns, rows: 40 })
    : open;
  return { stream, text };
}

/** A question that is expected on stderr, and what is typed then. Answers are given in this order. */
export interface Answer {
  readonly to: string | RegExp;
  /** Typed as it is; a line end is added. */
  /** `null`: the input ends. */
  readonly type: string | null;
}

/** Standard input that holds `text` and ends; at a terminal it stays open for answers. */
export function inputStream(options: {
  readonly tty: boolean;
  readonly text?: string | undefined;
}): InputStream & PassThrough {
  const stream = new PassThrough();
  if (options.text !== undefined) stream.write(options.text);
  if (!options.tty) stream.end();
  // Prompts put a terminal into raw mode; this one has none to leave.
  return options.tty
    ? Object.assign(stream, { isTTY: true, isRaw: false, setRawMode: () => stream })
    : stream;
}

/** Types each answer once its question has been seen after the answer before it. */
export function typist(answers: readonly Answer[], input: PassThrough): (seen: string) => void {
  const left = [...answers];
  let offset = 0;
  return (seen) => {
    const [next] = left;
    if (!next) return;
    const fresh = seen.slice(offset);
    if (typeof next.to === 'string' ? !fresh.includes(next.to) : !next.to.test(fresh)) return;
    left.shift();
    offset = seen.length;
    setImmediate(() => (next.type === null ? input.end() : input.write(`${next.type}\r`)));
  };
}
