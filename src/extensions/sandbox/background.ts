import type { Host } from '../../base/host/host.ts';
import { parseRateLimit } from '../../base/rate-limit.ts';
import { openSandbox, type SandboxSettings } from './open-sandbox.ts';
import type { RunningState } from './running-state.ts';
import { apiKeyVariable, keyVariable, type SandboxPaths, sandboxPathsOf } from './sandbox-paths.ts';
import {
  closeSandbox,
  createStateFile,
  keyFromVariable,
  readTls,
  waitForInterrupt,
  watchCertificate,
} from './sandbox-process.ts';

/** Input of a background sandbox. It must not contain secrets, because other users of this machine can read it. */
export interface BackgroundInput
  extends Pick<SandboxSettings, 'storage' | 'port' | 'like' | 'allowOrigins' | 'allowLoopbackHooks'> {
  readonly name: SandboxPaths['name'];
  readonly rateLimit?: string | undefined;
  readonly allowDeliveriesTo: readonly string[];
  readonly tls?: RunningState['tls'];
}

/**
 * Runs a sandbox for `sandbox start` until the process ends. `word` is its input as JSON. Throws `Failure` if the
 * sandbox cannot be opened.
 */
export async function serveInBackground(word: string | undefined, host: Host): Promise<void> {
  // Written by `launch`.
  const input = JSON.parse(word ?? '') as BackgroundInput;
  const {
    name,
    storage,
    port,
    like,
    allowDeliveriesTo,
    allowOrigins,
    allowLoopbackHooks,
    tls: files,
  } = input;
  const paths = sandboxPathsOf(host, name);
  const rateLimit = input.rateLimit === undefined ? undefined : parseRateLimit(input.rateLimit);
  const behaviour = { storage, like, rateLimit, allowDeliveriesTo };
  const state = createStateFile(host, paths, { ...behaviour, tls: files, isServed: false });
  const tls = files && readTls(host, files);
  const sandbox = await openSandbox(host, {
    ...behaviour,
    allowOrigins,
    allowLoopbackHooks,
    tls,
    port,
    snapshots: paths.snapshots,
    onSeed: state.onSeed,
    apiKey: keyFromVariable(host, apiKeyVariable),
    controlKey: keyFromVariable(host, keyVariable),
  });
  state.begin(sandbox, tls?.cert);
  const endRenewing = watchCertificate(host, sandbox, { tls, files }, (event, _, { cert }) => {
    if (event === 'certificate_renewed') state.renewed(cert);
  });
  host.allowFinish();
  await waitForInterrupt(host);
  endRenewing();
  await closeSandbox(host, sandbox);
  state.end();
}
