import { PassThrough, Writable } from 'node:stream';
import type { InputStream, OutputStream } from '../../src/base/host/host.ts';

/** An output stream that collects text. */
export interface Collector {
  readonly stream: OutputStream;
  text(): string;
}

/** Creates an output stream, as a terminal of `columns` or as a pipe. */
export function collector(options: {
  readonly tty: boolean;
  readonly columns: number;
  /** Receives all text so far, and the added text. */
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
  // Prompts must not end the streams of the process.
  const open = Object.assign(writable, { end: () => writable });
  const stream = options.tty
    ? Object.assign(open, { isTTY: true, columns: options.columns, rows: 40 })
    : open;
  return { stream, text };
}

/** A question that is expected on stderr, and the typed answer. Answers are given in order. */
export interface Answer {
  readonly to: string | RegExp;
  /** `null` ends the input. */
  readonly type: string | null;
}

/** Standard input that contains `text` and ends. At a terminal it stays open for answers. */
export function inputStream(options: {
  readonly tty: boolean;
  readonly text?: string | undefined;
}): InputStream & PassThrough {
  const stream = new PassThrough();
  if (options.text !== undefined) stream.write(options.text);
  if (!options.tty) stream.end();
  // Prompts use raw mode, which a fake terminal lacks.
  return options.tty
    ? Object.assign(stream, { isTTY: true, isRaw: false, setRawMode: () => stream })
    : stream;
}

/** Types each answer after its question appears. */
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
