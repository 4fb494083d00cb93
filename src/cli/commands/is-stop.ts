import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';

/**
 * True for the failure of what waited when Ctrl-C or SIGTERM came: to a command that goes on until then it is an end like
 * any other.
 */
export const isStop = ({ interrupted }: Pick<Host, 'interrupted'>, error: unknown): boolean =>
  interrupted.aborted && error instanceof Failure && error.kind === 'interrupted';
