import fs from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Folders, Host } from './host.ts';

export interface FileText {
  readonly text: string;
  /** Permission bits, for example 0o600. */
  readonly mode: number;
  /** True if the owner is neither this user nor the administrator. */
  readonly isForeign: boolean;
}

/** Largest file of settings or secrets, in bytes. */
const largestSettings = 1_000_000;

/**
 * Reads a regular file. Returns `undefined` if it does not exist. Throws the system's error, or an error with code
 * `EFTYPE` for other kinds of files and `EFBIG` for more than `most` bytes.
 */
export const readText = (path: string, most = largestSettings): FileText | undefined =>
  toFileText(() => readRegular(path, most));

function toFileText(read: () => ReturnType<typeof readRegular>): FileText | undefined {
  try {
    const { bytes, stat } = read();
    return { text: bytes.toString('utf8'), mode: stat.mode & 0o777, isForeign: isOwnedByOther(stat) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Largest file of records, such as a ledger or a run in the log, in bytes. Runs over many accounts write large files.
 */
const largestRecords = 250_000_000;

/** Like `readText`, for files of records that grow. */
export const readLargeText = (path: string): FileText | undefined => readText(path, largestRecords);

/** Returns true if a file belongs to another user who is not an administrator. Windows has no user ids. */
export function isOwnedByOther({ uid }: fs.Stats): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}

/** Returns the size in bytes, or `undefined` if the file does not exist. */
export function sizeOf(path: string): number | undefined {
  return fs.statSync(path, { throwIfNoEntry: false })?.size;
}

/** Returns the time of a file's last change in milliseconds since 1970, or `undefined` if it does not exist. */
export function modifiedMs(path: string): number | undefined {
  return fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** Returns the kind of a file after following links, `undefined` if it does not exist, and `other` for a device. */
export function kindOf(path: string): 'file' | 'folder' | 'pipe' | 'other' | undefined {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isFIFO()) return 'pipe';
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
}

/** Returns the permission bits of a file after following links, or `undefined` if it does not exist. */
export function modeOf(path: string): number | undefined {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  return found && found.mode & 0o777;
}

export function isWritable(path: string): boolean {
  const kind = kindOf(path);
  if (kind === undefined) return dirname(path) !== path && isWritable(dirname(path));
  if (kind !== 'folder') return false;
  try {
    fs.accessSync(path, fs.constants.W_OK | fs.constants.X_OK);
    return true;
  } catch {
    // All errors mean that the folder is not writable.
    return false;
  }
}

export function isLink(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Resolves symbolic links. Throws the system's error if the target does not exist. */
export function realPath(path: string): string {
  return fs.realpathSync.native(path);
}

/** Reads a regular file of at most `most` bytes. Throws like `readText`, and if the file does not exist. */
export function readBytes(path: string, most: number): Uint8Array {
  return readRegular(path, most).bytes;
}

/** The paths are already validated. */
export interface FolderReaders {
  readText(path: string, most?: number): FileText | undefined;
  readLargeText(path: string): FileText | undefined;
  readBytes(path: string, most: number): Uint8Array;
}

/**
 * Creates readers that follow no link in any part of a path below `folder`, so that a validated file cannot be replaced
 * by a link. Links in the paths and the folder are already resolved. `alone`: refuses files with several hard links,
 * which may belong elsewhere. Throws `RefusedFile` with code `ELINKED` or `EMLINK`.
 */
export function createFolderReaders(folder: string, { alone = false } = {}): FolderReaders {
  const read = (path: string, most: number): ReturnType<typeof readRegular> => {
    return readRegular(path, most, (flags) => openBelow(folder, path, flags), alone);
  };
  return {
    readText: (path, most = largestSettings) => toFileText(() => read(path, most)),
    readLargeText: (path) => toFileText(() => read(path, largestRecords)),
    readBytes: (path, most) => read(path, most).bytes,
  };
}

/** Returns the sorted names in a folder, or none if it does not exist. */
export function listFolder(path: string): readonly string[] {
  try {
    return fs.readdirSync(path).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/**
 * A file that must not be read: `EISDIR` or `EFTYPE` if it is not a regular file, `EFBIG` if it is too large, `ELINKED`
 * for a link in its path, `EMLINK` for several hard links. It has a code like system errors, so both share one table of
 * messages.
 */
class RefusedFile extends Error {
  readonly code: 'EFTYPE' | 'EFBIG' | 'EISDIR' | 'ELINKED' | 'EMLINK';
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
 * Reads a regular file of at most `most` bytes. The path is untrusted, because a checkout can contain links. Other
 * kinds of files are closed immediately, and the size is checked while reading. Throws the system's error or
 * `RefusedFile`.
 */
function readRegular(
  path: string,
  most: number,
  open: (flags: number) => number = (flags) => fs.openSync(path, flags),
  alone = false,
): { readonly bytes: Buffer; readonly stat: fs.Stats } {
  // Checks before opening, because opening a device can have effects, such as rewinding a tape.
  const seen = fs.statSync(path);
  if (!seen.isFile()) throw new RefusedFile(seen.isDirectory() ? 'EISDIR' : 'EFTYPE', path);
  const handle = open(O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    // The file may have been replaced meanwhile.
    const stat = fs.fstatSync(handle);
    if (!stat.isFile()) throw new RefusedFile('EFTYPE', path);
    if (alone && stat.nlink > 1) throw new RefusedFile('EMLINK', path);
    if (stat.size > most) throw new RefusedFile('EFBIG', path);
    return { bytes: readAll(handle, path, { expected: stat.size, most }), stat };
  } finally {
    fs.closeSync(handle);
  }
}

/** Opens a folder on Linux only to look up files in it, which only requires search permission. */
const O_PATH = 0o10000000;
/** Refuses links in every part of a path on macOS. */
const O_NOFOLLOW_ANY = 0x20000000;

/** Opens a file below a folder without following links. Throws `RefusedFile` (`ELINKED`) or the system's error. */
function openBelow(folder: string, path: string, flags: number): number {
  const { O_NOFOLLOW = 0, O_DIRECTORY = 0 } = fs.constants;
  const parts = relative(folder, path).split(sep);
  if (parts.includes('..')) throw new RefusedFile('ELINKED', path);
  try {
    if (process.platform === 'darwin') return fs.openSync(path, flags | O_NOFOLLOW_ANY);
    if (process.platform !== 'linux' || !fs.existsSync('/proc/self/fd'))
      return sameFile(path, fs.openSync(path, flags | O_NOFOLLOW));
    let at = fs.openSync(folder, O_PATH | O_DIRECTORY);
    try {
      for (const part of parts.slice(0, -1)) {
        const next = fs.openSync(`/proc/self/fd/${at}/${part}`, O_PATH | O_DIRECTORY | O_NOFOLLOW);
        fs.closeSync(at);
        at = next;
      }
      return fs.openSync(`/proc/self/fd/${at}/${parts.at(-1) ?? ''}`, flags | O_NOFOLLOW);
    } finally {
      fs.closeSync(at);
    }
  } catch (error) {
    if (/^(?:ELOOP|ENOTDIR)$/.test(Object(error).code)) throw new RefusedFile('ELINKED', path);
    throw error;
  }
}

/**
 * Returns the handle if the path still leads to its file without a link. On other systems, the system itself refuses
 * links.
 */
function sameFile(path: string, handle: number): number {
  const [opened, found] = [fs.fstatSync(handle), fs.lstatSync(path)];
  if (realPath(path) === path && opened.dev === found.dev && opened.ino === found.ino) return handle;
  fs.closeSync(handle);
  throw new RefusedFile('ELINKED', path);
}

/** Smallest read size in bytes, because files in /proc report size zero. */
const leastPiece = 4096;

function readAll(
  handle: number,
  path: string,
  { expected, most }: { readonly expected: number; readonly most: number },
): Buffer {
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    // Reads one more byte than expected to detect growth.
    const piece = Buffer.allocUnsafe(Math.max(expected - size + 1, leastPiece));
    const count = fs.readSync(handle, piece);
    if (count === 0) return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    size += count;
    if (size > most) throw new RefusedFile('EFBIG', path);
    pieces.push(piece.subarray(0, count));
  }
}

/**
 * Reads a named pipe, such as `<(…)` of a shell, until it ends or `signal` aborts. Throws the system's error,
 * `RefusedFile` for more than `most` bytes, or the signal's reason.
 */
export async function readPipe(path: string, most: number, signal: AbortSignal): Promise<Buffer> {
  const handle = await openPipe(path, signal);
  const { Socket } = process.getBuiltinModule('node:net');
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

/** Opens a pipe, which waits for a writer. To cancel the wait, the other end is opened briefly. */
async function openPipe(path: string, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const release = (): void => {
    try {
      fs.closeSync(fs.openSync(path, O_WRONLY | O_NONBLOCK));
    } catch {
      // The wait is over because the pipe is open.
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

export const makePrivateFolder = (path: string): void => makeFolder(path, 0o700);

/**
 * Creates a folder and its parents one by one, because the recursive call of Node.js hangs on file systems such as
 * /proc that always report a missing parent.
 */
export function makeFolder(path: string, mode: number): void {
  if (kindOf(path) === 'folder') return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    fs.mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created the folder.
    if (kindOf(path) !== 'folder') throw error;
  }
}

/** Removes a file or folder if it exists. */
export function remove(path: string): void {
  try {
    if (fs.lstatSync(path).isDirectory()) fs.rmSync(path, { force: true, recursive: true });
    // The error of rmSync has no code if the disk is read-only.
    else fs.unlinkSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Has a code and a path like a system error. */
export class MissingFolder extends Error {
  readonly code: 'ENOHOME' | 'ENOCWD';
  readonly path: string;
  constructor(code: MissingFolder['code'], path: string) {
    super(`${code}: ${path}`);
    this.name = 'MissingFolder';
    this.code = code;
    this.path = path;
  }
}

/**
 * Empty and relative values count as unset (XDG Base Directory Specification), because they would put keys and tokens
 * in the working folder.
 */
const absoluteOrUndefined = (value: string | undefined): string | undefined =>
  value !== undefined && isAbsolute(value) ? value : undefined;

/** Returns the home folder from the environment or the system, or `undefined` if neither has an absolute one. */
export function findHome(env: Host['env'], platform: NodeJS.Platform): string | undefined {
  const own = absoluteOrUndefined(platform === 'win32' ? env.USERPROFILE : env.HOME);
  if (own !== undefined) return own;
  try {
    return absoluteOrUndefined(userInfo().homedir);
  } catch {
    // The user has no entry, as in some containers.
    return undefined;
  }
}

/**
 * Finds telctl's folders: from its own variables, then the XDG variables, then the platform's defaults. Throws
 * `MissingFolder` if a default requires a missing home folder.
 */
export function findFolders(env: Host['env'], home: string | undefined, platform: NodeJS.Platform): Folders {
  const local = platform === 'win32' ? absoluteOrUndefined(env.LOCALAPPDATA) : undefined;
  const resolveFolder = (variable: string, xdg: string, fallback: string, windows: string): string => {
    if (env[variable]) return env[variable];
    if (local) return join(local, 'telctl', windows);
    const base = absoluteOrUndefined(env[xdg]) ?? (home && join(home, fallback));
    if (!base) throw new MissingFolder('ENOHOME', 'The home folder');
    return join(base, 'telctl');
  };
  return {
    get config() {
      return resolveFolder('TELCTL_CONFIG_DIR', 'XDG_CONFIG_HOME', '.config', 'config');
    },
    get cache() {
      return resolveFolder('TELCTL_CACHE_DIR', 'XDG_CACHE_HOME', '.cache', 'cache');
    },
    get state() {
      return resolveFolder('TELCTL_STATE_DIR', 'XDG_STATE_HOME', join('.local', 'state'), 'state');
    },
  };
}
