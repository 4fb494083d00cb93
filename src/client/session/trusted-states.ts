import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';

type Machine = Pick<Host, 'files' | 'folders'>;

const pathOf = ({ folders }: Machine): string => join(folders.config, 'trusted-states');

/** Addresses of states that the user trusts, whatever file names them. */
export const trustedStates = (host: Machine): readonly string[] =>
  (host.files.readKept(pathOf(host))?.text ?? '').split('\n').filter(Boolean);

/** Remembers that the user trusts a state. Throws `Failure` where that cannot be written. */
export function trustState(host: Machine, address: string): void {
  const known = trustedStates(host);
  if (known.includes(address)) return;
  try {
    host.files.writePrivate(pathOf(host), `${[...known, address].join('\n')}\n`);
  } catch (cause) {
    throw new Failure('failed', `${pathOf(host)} cannot be written.`, { cause });
  }
}
