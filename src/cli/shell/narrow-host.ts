import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Files } from '../../base/host/files.ts';
import type { Host } from '../../base/host/host.ts';

/** A door that may do less with this machine than the command line. */
export interface NarrowDoor {
  /** Name of the door, as messages begin with it: `telctl mcp`. */
  readonly name: string;
  /** Files and folders that whoever opened the door named for telctl's own use: certificates, the state. */
  readonly own: readonly string[];
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith('../') || way.startsWith('..\\') || isAbsolute(way));
}

/**
 * Returns why no file of a working folder may be read: it is the root, the home folder, or telctl's own folders lie in
 * it, so that keys and tokens would be within reach. `undefined` where files may be read.
 */
function whyClosed(host: Host, cwd: string): string | undefined {
  const { HOME: home, USERPROFILE: profile } = host.env;
  if (dirname(cwd) === cwd) return 'the root of the disk';
  if ([home, profile].some((each) => each !== undefined && cwd === realOf(host.files, each)))
    return 'a home folder';
  const own = Object.values(host.folders).map((each) => realOf(host.files, each));
  return own.some((each) => isBelow(cwd, each))
    ? 'a folder above those in which telctl keeps keys'
    : undefined;
}

/** The path with links followed as far as it exists. */
function realOf(files: Files, path: string): string {
  for (
    let [head, tail] = [path, ''];
    ;
    [head, tail] = [dirname(head), join(relative(dirname(head), head), tail)]
  ) {
    const real = files.kindOf(head) === undefined ? undefined : files.realPath(head);
    if (real !== undefined) return join(real, tail);
    if (dirname(head) === head) return path;
  }
}

/**
 * Returns the machine for a door that reads regular files below the real working folder, links followed first, and
 * writes none. telctl's own folders stay open to telctl; a word of `argv`, the line of the door's caller, that names
 * something there is refused, and so is a link that leads there. What is refused throws `Failure` of kind `refused` before
 * anything is opened.
 */
export function narrowHost(host: Host, { name, own }: NarrowDoor, argv: readonly string[]): Host {
  const { files, cwd } = host;
  const realCwd = realOf(files, cwd);
  const closed = whyClosed(host, realCwd);
  const kept = [...Object.values(host.folders), ...own].map((path) => resolve(cwd, path));
  const isOwn = (path: string): boolean =>
    kept.some((each) => isBelow(each, path)) ||
    // The settings of this folder and of those above it.
    (path.endsWith('.telctl.yaml') && isBelow(dirname(path), cwd));
  const refuse = (why: string, hint: string): never => {
    throw new Failure('refused', why, { hint });
  };
  const mayRead = (asked: string): string => {
    const path = resolve(cwd, asked);
    if (isOwn(path)) return path;
    if (closed !== undefined)
      refuse(
        `${name} was started in ${closed} and reads no files there.`,
        'Start it in the folder of your manifests.',
      );
    const real = realOf(files, path);
    if (!isBelow(realCwd, real))
      refuse(
        `${JSON.stringify(asked)} is not below the folder that ${name} was started in.`,
        'Links are followed first.',
      );
    const kind = files.kindOf(real);
    if (kind === 'pipe' || kind === 'other')
      refuse(`${JSON.stringify(asked)} is no regular file.`, 'Devices, pipes and sockets are not read.');
    return real;
  };
  const mayWrite = (asked: string): string => {
    if (isOwn(resolve(cwd, asked))) return asked;
    return refuse(
      `${name} writes no files: ${JSON.stringify(asked)} was left alone.`,
      'A person can run the command line.',
    );
  };
  /** What is opened is what was looked at: the file that links lead to. */
  const behind =
    <A extends unknown[], R>(allow: (path: string) => string, work: (path: string, ...rest: A) => R) =>
    (path: string, ...rest: A): R =>
      work(allow(path), ...rest);
  for (const word of argv)
    for (const value of word.replace(/^--[^=]*=/, '').split(','))
      if (kept.some((each) => isBelow(realOf(files, each), realOf(files, resolve(cwd, value)))))
        refuse(
          `${JSON.stringify(value)} belongs to telctl itself.`,
          `${name} reads no such file for others.`,
        );
  const noProgram = (): never => refuse(`${name} starts no programs.`, 'A person can run the command line.');
  return {
    ...host,
    files: {
      ...files,
      readText: behind(mayRead, files.readText),
      readKept: behind(mayRead, files.readKept),
      readBytes: behind(mayRead, files.readBytes),
      readPipe: behind(mayRead, files.readPipe),
      sizeOf: behind(mayRead, files.sizeOf),
      changedMs: behind(mayRead, files.changedMs),
      kindOf: behind(mayRead, files.kindOf),
      modeOf: behind(mayRead, files.modeOf),
      list: behind(mayRead, files.list),
      makePrivateFolder: behind(mayWrite, files.makePrivateFolder),
      writePrivate: behind(mayWrite, files.writePrivate),
      keepPrivate: behind(mayWrite, files.keepPrivate),
      growPrivate: behind(mayWrite, files.growPrivate),
      writePublic: behind(mayWrite, files.writePublic),
      remove: behind(mayWrite, files.remove),
      lock: behind(mayWrite, files.lock),
      withLock: (path, work, patience) => files.withLock(mayWrite(path), work, patience),
      move: (from, to) => files.move(mayWrite(from), mayWrite(to)),
    },
    processes: {
      ...host.processes,
      runAttached: noProgram,
      runForManifest: async () => noProgram(),
      startPager: noProgram,
      startTelctl: noProgram,
      startDetached: noProgram,
      startQuietly: noProgram,
    },
  };
}
