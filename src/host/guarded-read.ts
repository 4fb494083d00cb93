import fs from 'node:fs';
import { builtin } from './builtin.ts';

/**
 * Says that a path does not hold what may be read: `EISDIR` or `EFTYPE` for what is no regular file, `EFBIG` for one that is larger
 * than allowed. Like an error of the system it has a code, so that one list of reasons serves both.
 */
class RefusedFile extends Error {
  readonly code: 'EFTYPE' | 'EFBIG' | 'EISDIR';
  readonly path: string;
  constructor(code: RefusedFile['code'], path: string) {
    super(`${code}: ${path}`);
    this.name = 'RefusedFile';
    this.code = code;
    this.path = path;
  }
}

const { O_RDONLY, O_WRONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = fs.constants;

/**
 * Reads a regular file of at most `most` bytes. The path may lead anywhere, since a link in a checkout is somebody
 * else's: nothing that is no regular file is opened for longer than it takes to see that, nothing is waited for, and
 * not a byte over `most` is kept, whatever size the system gives. Throws the system's error, or `RefusedFile`.
 */
export function readRegular(path: string, most: number): { readonly bytes: Buffer; readonly stat: fs.Stats } {
  // Looked at before it is opened: opening a device may do something, such as rewinding a tape.
  const seen = fs.statSync(path);
  if (!seen.isFile()) throw new RefusedFile(seen.isDirectory() ? 'EISDIR' : 'EFTYPE', path);
  const handle = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    // It may have been replaced meanwhile.
    const stat = fs.fstatSync(handle);
    if (!stat.isFile()) throw new RefusedFile('EFTYPE', path);
    if (stat.size > most) throw new RefusedFile('EFBIG', path);
    return { bytes: readAll(handle, path, { expected: stat.size, most }), stat };
  } finally {
    fs.closeSync(handle);
  }
}

/** Smallest piece that is read, in bytes: files of /proc say that they are empty. */
const leastPiece = 4096;

function readAll(
  handle: number,
  path: string,
  { expected, most }: { readonly expected: number; readonly most: number },
): Buffer {
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    // One byte more than expected tells whether it has grown.
    const piece = Buffer.allocUnsafe(Math.max(expected - size + 1, leastPiece));
    const count = fs.readSync(handle, piece);
    if (count === 0) return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    size += count;
    if (size > most) throw new RefusedFile('EFBIG', path);
    pieces.push(piece.subarray(0, count));
  }
}

/**
 * Reads a named pipe, such as `<(…)` of a shell, to its end: at most `most` bytes, and until `signal` aborts. Throws
 * the system's error, `RefusedFile`, or the signal's reason.
 */
export async function readPipe(path: string, most: number, signal: AbortSignal): Promise<Buffer> {
  const handle = await openPipe(path, signal);
  const { Socket } = builtin('node:net');
  const socket = new Socket({ fd: handle, readable: true, writable: false });
  const stop = (): void => void socket.destroy(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of socket) {
      const bytes = Buffer.from(piece);
      size += bytes.length;
      if (size > most) throw new RefusedFile('EFBIG', path);
      pieces.push(bytes);
    }
    signal.throwIfAborted();
    return Buffer.concat(pieces);
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

/** Opens a pipe, which waits for somebody to write to it; whoever stops waiting opens the other end for a moment. */
async function openPipe(path: string, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const release = (): void => {
    try {
      fs.closeSync(fs.openSync(path, O_WRONLY | O_NONBLOCK));
    } catch {
      // Nobody waits any more: it is open.
    }
  };
  signal.addEventListener('abort', release, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      fs.open(path, O_RDONLY | O_NOCTTY, (error, handle) => (error ? reject(error) : resolve(handle)));
    });
  } finally {
    signal.removeEventListener('abort', release);
  }
}
