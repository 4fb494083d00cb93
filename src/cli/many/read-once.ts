import type { Host } from '../../host/host.ts';

/** A machine whose files are read once: a pipe, such as `<(...)` of a shell, is empty for whoever reads it again. */
export function readOnce(host: Host): Host {
  const read = new Map<string, Uint8Array>();
  return {
    ...host,
    files: {
      ...host.files,
      readBytes(path) {
        const bytes = read.get(path) ?? host.files.readBytes(path);
        read.set(path, bytes);
        return bytes;
      },
    },
  };
}
