import { join, resolve } from 'node:path';
import type { Host } from '../host/host.ts';

/** The folder of `file:DIR`, seen from the working folder; the state folder where no address was given. */
export const folderOf = (
  { cwd, folders }: Pick<Host, 'cwd' | 'folders'>,
  address: string | undefined,
): string => (address === undefined ? folders.state : resolve(cwd, address.replace(/^file:(?:\/\/)?/, '')));

/** Folder with a mark for each run that goes on. */
export const openRunsIn = (folder: string): string => join(folder, 'log', 'open');

/** True where some run goes on, or was cut off. Reads one folder, which is all that most commands have to do. */
export function mayBeCutOff({ files, cwd, folders }: Host, address: string | undefined): boolean {
  try {
    return files.list(openRunsIn(folderOf({ cwd, folders }, address))).length > 0;
  } catch {
    // A state that cannot be read says so when it is needed.
    return false;
  }
}
