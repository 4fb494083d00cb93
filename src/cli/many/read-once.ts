import type { Host } from '../../host/host.ts';

/** A machine whose pipes are read once: a pipe, such as `<(...)` of a shell, is empty for whoever reads it again. */
export function readOnce(host: Host): Host {
  const read = new Map<string, Promise<Buffer>>();
  return {
    ...host,
    files: {
      ...host.files,
      readPipe(path, most, signal) {
        const bytes = read.get(path) ?? host.files.readPipe(path, most, signal);
        read.set(path, bytes);
        return bytes;
      },
    },
  };
}
