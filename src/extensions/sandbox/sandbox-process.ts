import { once } from 'node:events';
import { isAbsolute, join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RateLimit } from '../../base/rate-limit.ts';
import { systemReason } from '../../base/read-errors.ts';
import { errorMessage } from '../../base/wording.ts';
import type { OpenSandbox, SandboxSettings } from './open-sandbox.ts';
import { type RunningState, readState, removeState, writeState } from './running-state.ts';
import type { SandboxPaths } from './sandbox-paths.ts';
import type { Tls } from './server.ts';

/** Milliseconds for running requests when the sandbox stops. Container runtimes kill processes after ten seconds. */
const shutdownTimeoutMs = 8000;

const minKeyLength = 32;

/** Checks that a key is long enough. Throws `Failure` (`usage`), and never shows the key. */
export function checkKey(key: string, from: string): string {
  if (new RegExp(`^[!-~]{${minKeyLength},}$`).test(key)) return key;
  throw new Failure(
    'usage',
    `The key of ${from} must have at least ${minKeyLength} characters without spaces.`,
    { hint: 'Generate one: openssl rand -hex 32' },
  );
}

/** Returns the key in a variable, if it is set. Throws `Failure` (`usage`) for a weak key. */
export const keyFromVariable = ({ env }: Host, variable: string): string | undefined =>
  env[variable] ? checkKey(env[variable], variable) : undefined;

/** Facts in the state file, in addition to the address. */
interface PublishedFacts extends Pick<SandboxSettings, 'storage' | 'like'> {
  readonly rateLimit: RateLimit | undefined;
  readonly allowDeliveriesTo: readonly string[];
  readonly tls: RunningState['tls'];
  /** True if it runs in the foreground. */
  readonly isServed: boolean;
}

/** Manages the state file. Other commands use it to find the sandbox while it runs. */
export function createStateFile(host: Host, paths: SandboxPaths, stated: PublishedFacts) {
  const { storage, like, rateLimit, allowDeliveriesTo, tls, isServed } = stated;
  let state: RunningState | undefined;
  const publish = (known: RunningState): void => {
    state = known;
    writeState(host, paths, known);
  };
  return {
    renewed: (certificate: string) => state && publish({ ...state, certificate }),
    onSeed: (seed: RunningState['seed']) => state && publish({ ...state, seed }),
    begin(sandbox: OpenSandbox, certificate?: string) {
      publish({
        pid: host.processes.pid,
        baseUrl: sandbox.baseUrl,
        port: sandbox.port,
        ...(storage.kind === 'folder' ? { folder: storage.folder } : {}),
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
      // Another sandbox may have replaced this one.
      if (readState(host, paths)?.pid === host.processes.pid) removeState(host, paths);
    },
  };
}

export async function waitForInterrupt({ interrupted }: Host): Promise<void> {
  if (!interrupted.aborted) await once(interrupted, 'abort');
}

/** Completes running requests and closes the sandbox. Cuts connections after a timeout. */
export async function closeSandbox(host: Host, sandbox: OpenSandbox): Promise<void> {
  const cutOff = host.timers.later(shutdownTimeoutMs, sandbox.closeConnections);
  await sandbox.close();
  cutOff();
}

/** Milliseconds between checks for a new certificate. */
const renewalMs = 2000;

/** Reads the file of an option. Throws `Failure` (`usage`) if it cannot be read. */
export function readOptionFile({ files, cwd }: Host, option: string, path: string): string {
  const where = isAbsolute(path) ? path : join(cwd, path);
  try {
    const text = files.readText(where)?.text;
    if (text !== undefined) return text;
  } catch (error) {
    throw new Failure(
      'usage',
      `${option}: ${path} cannot be read (${systemReason(error) ?? errorMessage(error)}).`,
      { cause: error },
    );
  }
  throw new Failure('usage', `${option}: ${path} not found.`);
}

/** Reads the certificate and key. Throws `Failure` (`usage`) if a file cannot be read. */
export const readTls = (host: Host, files: NonNullable<RunningState['tls']>): Tls => ({
  cert: readOptionFile(host, '--tls-cert', files.cert),
  key: readOptionFile(host, '--tls-key', files.key),
});

/** Polls for a renewed certificate, and uses it if the pair matches. Returns a function that stops polling. */
export function watchCertificate(
  host: Host,
  sandbox: OpenSandbox,
  { tls, files }: { readonly tls: Tls | undefined; readonly files: RunningState['tls'] },
  tell: (event: 'certificate_renewed' | 'certificate_refused', facts: JsonObject, pair: Tls) => void,
): () => void {
  if (tls === undefined || files === undefined) return () => undefined;
  let known: Tls = tls;
  let refused: string | undefined;
  let stop = (): void => undefined;
  const checkForRenewal = (): void => {
    let now = known;
    try {
      now = readTls(host, files);
      if (now.cert !== known.cert || now.key !== known.key) {
        sandbox.renew(now);
        tell('certificate_renewed', {}, now);
        refused = undefined;
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.message !== refused) tell('certificate_refused', { why: error.message }, known);
      refused = error.message;
    }
    known = now;
    stop = host.timers.later(renewalMs, checkForRenewal);
  };
  stop = host.timers.later(renewalMs, checkForRenewal);
  return () => stop();
}
