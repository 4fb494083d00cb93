import { once } from 'node:events';
import { Failure } from '../base/failure.ts';
import type { Host } from '../base/host/host.ts';
import type { RateLimit } from '../base/rate-limit.ts';
import type { Opening, OpenSandbox } from './open-sandbox.ts';
import { forgetState, keepState, type RunningState, statedBy } from './running.ts';
import type { SandboxPaths } from './target.ts';

/** Time that requests under way get at the end, in milliseconds: a container is killed after ten seconds. */
const graceMs = 8000;

/** Shortest key that is taken, so that nobody guesses it. */
const shortestKey = 32;

/** Checks a key that somebody gave; messages never hold it. Throws `Failure` (`usage`). */
export function checkedKey(key: string, from: string): string {
  if (new RegExp(`^[!-~]{${shortestKey},}$`).test(key)) return key;
  throw new Failure(
    'usage',
    `The key of ${from} must have at least ${shortestKey} characters, and no blanks.`,
    { hint: 'A good one: openssl rand -hex 32' },
  );
}

/** The key that a variable gives; `undefined` where it gives none. Throws `Failure` (`usage`). */
export const keyIn = ({ env }: Host, variable: string): string | undefined =>
  env[variable] ? checkedKey(env[variable], variable) : undefined;

/** Facts that a sandbox tells of itself besides where it is. */
interface Stated extends Pick<Opening, 'keeping' | 'like'> {
  readonly rateLimit: RateLimit | undefined;
  readonly allowDeliveriesTo: readonly string[];
  /** Files of its certificate and of the key of that. */
  readonly tls: RunningState['tls'];
  /** It runs in the foreground. */
  readonly isServed: boolean;
}

/** Keeps what commands on this machine need to find the sandbox, for as long as it runs. */
export function stating(host: Host, paths: SandboxPaths, stated: Stated) {
  const { keeping, like, rateLimit, allowDeliveriesTo, tls, isServed } = stated;
  let state: RunningState | undefined;
  const tell = (known: RunningState): void => {
    state = known;
    keepState(host, paths, known);
  };
  return {
    renewed: (certificate: string) => state && tell({ ...state, certificate }),
    onSeed: (seed: RunningState['seed']) => state && tell({ ...state, seed }),
    begin(sandbox: OpenSandbox, certificate?: string) {
      tell({
        pid: host.processes.pid,
        baseUrl: sandbox.baseUrl,
        port: sandbox.port,
        ...(keeping.kind === 'folder' ? { folder: keeping.folder } : {}),
        ...(like ? { like } : {}),
        ...(rateLimit ? { rateLimit: rateLimit.text } : {}),
        ...(allowDeliveriesTo.length > 0 ? { allowDeliveriesTo } : {}),
        ...(certificate === undefined ? {} : { certificate }),
        ...(tls ? { tls } : {}),
        ...(isServed ? { isServed } : {}),
        node: sandbox.node,
        startedAt: new Date(host.clock.now()).toISOString(),
        seed: sandbox.seed,
        controlKey: sandbox.controlKey,
      });
    },
    end() {
      // Another one may have been started in this one's place meanwhile.
      if (statedBy(host, paths)?.pid === host.processes.pid) forgetState(host, paths);
    },
  };
}

/** Resolves when somebody ends this process. */
export async function untilInterrupted({ interrupted }: Host): Promise<void> {
  if (!interrupted.aborted) await once(interrupted, 'abort');
}

/** Ends a sandbox: what is under way is answered, but not for longer than it may take. */
export async function ended(host: Host, sandbox: OpenSandbox): Promise<void> {
  const cutOff = host.timers.later(graceMs, sandbox.breakOff);
  await sandbox.close();
  cutOff();
}
