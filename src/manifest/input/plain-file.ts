import { Failure } from '../../base/failure.ts';
import type { Host } from '../../host/host.ts';
import { reading } from './reading.ts';

/**
 * Throws `Failure` of kind `usage` for a path that is a device, a pipe or a folder: what is written whole takes the
 * place of what is there, and would take that of `/dev/null`, too.
 */
export function refuseUnplain({ files }: Host, path: string, shown: string, option: string): void {
  const kind = reading(shown, () => files.kindOf(path));
  if (kind === undefined || kind === 'file') return;
  const what = kind === 'folder' ? 'a folder' : 'a device or a pipe';
  throw new Failure('usage', `${shown} is ${what}; ${option} takes the name of a file.`);
}
