import { exitCodes, Failure, type FailureKind } from '../../../../base/failure.ts';
import type { Host } from '../../../../base/host/host.ts';
import { ownEnvironment, programEnvironment } from '../../../../base/program-environment.ts';
import { errorMessage } from '../../../../base/wording.ts';
import type { Context } from '../../../../cli/command/context.ts';
import { homePath } from '../../../../client/session/secret-sources.ts';
import type { BackgroundInput } from '../../background.ts';
import type { SandboxControl } from '../../control-client.ts';
import type { SandboxSettings } from '../../open-sandbox.ts';
import { type RunningState, readState, removeState, verifiedAddress } from '../../running-state.ts';
import { type RecordStorage, type SandboxPaths, withSandboxVariables } from '../../sandbox-paths.ts';

/** Time limit for the start of a sandbox, in milliseconds. */
const startTimeoutMs = 30_000;
const pollIntervalMs = 10;

/** Returns the first sentence and the hint that a process printed before it exited. */
function reasonIn({ files }: Host, { log }: SandboxPaths): readonly string[] {
  const lines = (files.readLargeText(log)?.text ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.filter((line) => !line.startsWith(' '));
}

/** Checks that the folder is writable, because a sandbox that cannot write cannot report why it failed. */
function refuseFullDisk(host: Host, { folder, state }: SandboxPaths): void {
  try {
    host.files.writePrivate(state, '(starting)');
    host.files.remove(state);
  } catch (error) {
    const why = errorMessage(error);
    throw new Failure('failed', `Cannot write to ${homePath(host, folder)}: ${why}.`, {
      hint: 'Free some space, or set XDG_STATE_HOME to another folder.',
      cause: error,
    });
  }
}

interface Launching
  extends Pick<
    SandboxSettings,
    'port' | 'like' | 'allowDeliveriesTo' | 'allowOrigins' | 'allowLoopbackHooks'
  > {
  readonly rateLimit?: string | undefined;
  readonly tls?: RunningState['tls'] | undefined;
}

async function loadSignIn(): Promise<void> {
  await Promise.all([
    import('../../../../client/session/sign-in-profile.ts'),
    import('../../../../client/api/undici-transport.ts'),
  ]);
}

/** Starts a sandbox in the background and waits until it responds. Throws `Failure` with its message if it exits. */
export async function launch(
  host: Host,
  paths: SandboxPaths,
  storage: RecordStorage,
  { port, like, rateLimit, tls, allowDeliveriesTo = [], allowOrigins, allowLoopbackHooks }: Launching,
): Promise<RunningState> {
  const { clock, files, processes } = host;
  files.makePrivateFolder(paths.folder);
  removeState(host, paths);
  refuseFullDisk(host, paths);
  const behaviour = { like, rateLimit, allowDeliveriesTo, allowOrigins, allowLoopbackHooks };
  const input: BackgroundInput = { name: paths.name, storage, port, tls, ...behaviour };
  const pid = processes.startTelctl(['__serve', JSON.stringify(input)], programEnvironment(host), paths.log);
  // Loads the modules of the following sign-in while the sandbox starts.
  const loaded = loadSignIn();
  const deadline = clock.now() + startTimeoutMs;
  try {
    while (pid !== undefined && processes.isAlive(pid) && clock.now() < deadline) {
      // The sandbox writes its state when it is ready.
      const state = readState(host, paths);
      if (state?.pid === pid) {
        await loaded;
        return state;
      }
      await clock.sleep(pollIntervalMs, host.interrupted);
    }
  } catch (error) {
    if (pid !== undefined) processes.terminate(pid);
    throw error;
  }
  if (pid !== undefined) processes.terminate(pid, 'SIGKILL');
  const [reason = 'it printed no reason', help] = reasonIn(host, paths);
  throw new Failure('failed', `The sandbox did not start: ${reason}`, {
    hint: help ?? `Its output is in ${homePath(host, paths.log)}`,
  });
}

export const profileFor = ({ name }: SandboxPaths): string =>
  name === 'default' ? 'sandbox' : `sandbox-${name}`;

/**
 * Signs the profile in by API key. Returns the address of the sandbox, or `undefined` if the certificate matches no
 * local name.
 */
export async function signInSandbox(
  context: Context,
  state: RunningState,
  paths: SandboxPaths,
): Promise<string | undefined> {
  const known = await verifiedAddress(state, paths);
  if (known === undefined) return undefined;
  const { baseUrl, caFile } = known;
  const parts = context.sessionParts();
  const { signInProfile } = await import('../../../../client/session/sign-in-profile.ts');
  await signInProfile(
    { ...parts, connect: (address) => parts.connect(address, caFile) },
    {
      name: profileFor(paths),
      baseUrl,
      caFile,
      credentials: { kind: 'api-key', apiKey: state.seed.apiKey },
      prefix: '/v2',
    },
  );
  return baseUrl;
}

const failureKindOfCode = (code: number | null): FailureKind => {
  const kinds: readonly (readonly [string, number])[] = Object.entries(exitCodes);
  const known = kinds.find(([, each]) => each === code)?.[0];
  return known === 'usage' || known === 'invalid' || known === 'interrupted' ? known : 'failed';
};

/**
 * Applies manifests as `telctl apply` does, without questions about charges. The sandbox temporarily accepts
 * undocumented operations, so that this works with every `--like`. Throws `Failure` with the message of the run.
 */
export async function applySeeds(
  host: Host,
  control: SandboxControl,
  files: readonly string[],
  own: Readonly<Record<string, string>>,
): Promise<void> {
  if (files.length === 0) return;
  const args = ['apply', ...files.flatMap((file) => ['-f', file]), '--yes', '--accept-charges', '--no-input'];
  await control.request('door', { open: true });
  const run = await host.processes
    .runTelctl(args, ownEnvironment(withSandboxVariables(host.env, own)), host.interrupted)
    .finally(() => (host.interrupted.aborted ? undefined : control.request('door', { open: false })));
  if (run.code === 0) return;
  if (host.interrupted.aborted) throw new Failure('interrupted', 'Interrupted.');
  const said = run.stderr.trim() === '' ? run.stdout.trim() : run.stderr.trim();
  throw new Failure(failureKindOfCode(run.code), [
    `The sandbox was not seeded from ${files.join(', ')}:`,
    ...said.split('\n').map((line) => `  ${line}`),
  ]);
}
