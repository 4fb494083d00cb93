import { resolve } from 'node:path';
import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import type { Host } from '../../../../base/host/host.ts';
import type { InputOf } from '../../../../cli/command/command.ts';
import type { Context } from '../../../../cli/command/context.ts';
import type { Result } from '../../../../cli/command/result.ts';
import { dryRunMessage } from '../../../../cli/commands/change.ts';
import { readProfiles } from '../../../../client/session/profile-store.ts';
import { homePath } from '../../../../client/session/secret-sources.ts';
import { controlAt } from '../../control-client.ts';
import {
  pageAddress,
  type RunningState,
  runningState,
  stopProcess,
  type VerifiedAddress,
  verifiedAddress,
} from '../../running-state.ts';
import {
  describeTarget,
  isExecSandbox,
  type RecordStorage,
  type SandboxPaths,
  type SandboxTarget,
  sandboxNameOption,
  sandboxVariables,
  selectStorage,
  selectTarget,
} from '../../sandbox-paths.ts';
import {
  behaviourFromOptions,
  likeDifference,
  type nameOptions,
  type startSandboxOptions,
} from '../options.ts';
import { applySeeds, launch, profileFor, signInSandbox } from './launch.ts';

function report(
  state: RunningState,
  paths: SandboxPaths,
  word: string,
  signedInAt: string | undefined,
): Result {
  const { pid, seed } = state;
  const baseUrl = signedInAt ?? state.baseUrl;
  const isSignedIn = signedInAt !== undefined;
  const account = `account ${seed.accountName}, user ${seed.adminUsername}`;
  const who = isSignedIn ? `profile "${profileFor(paths)}", ${account}` : account;
  return {
    kind: 'done',
    message: [
      `Sandbox ${word} at ${baseUrl}  (${who})`,
      ...(isSignedIn
        ? []
        : [
            `No profile is signed in, because the certificate does not cover this address or localhost. Sign in with a name of the certificate: ${nextStep`login --base-url https://NAME:PORT --ca-file FILE`}`,
          ]),
      `Stop it with: ${nextStep`sandbox stop ${sandboxNameOption(paths)}`}`,
      `Look at it in a browser: ${pageAddress({ baseUrl })}`,
    ],
    value: { name: paths.name, base_url: baseUrl, pid, profile: isSignedIn ? profileFor(paths) : null },
  };
}

/** Describes options that differ from those of the running sandbox. */
function differenceIn(
  running: RunningState,
  storage: RecordStorage,
  { port, data, memory, rateLimit, tlsCert }: InputOf<typeof startSandboxOptions>,
): string | undefined {
  if (rateLimit !== undefined && rateLimit !== running.rateLimit) {
    return running.rateLimit === undefined ? 'limits no requests' : `limits requests to ${running.rateLimit}`;
  }
  if (tlsCert !== undefined && running.certificate === undefined) return 'does not use TLS';
  if (port !== undefined && port !== 0 && port !== running.port) return `listens on port ${running.port}`;
  if (!memory && data === undefined) return undefined;
  const folder = storage.kind === 'folder' ? storage.folder : undefined;
  if (folder === running.folder) return undefined;
  return running.folder === undefined
    ? 'keeps its records in memory'
    : `keeps its records in ${running.folder}`;
}

const runsOtherwise = (paths: SandboxPaths, difference: string) =>
  new Failure('failed', `The sandbox is already running, and ${difference}.`, {
    hint: createHint`${nextStep`sandbox stop ${sandboxNameOption(paths)}`}, or start another one with --name`,
  });

/** Applies the manifests of `--seed`. If that fails, stops a sandbox that was just started. */
async function applyAllSeeds(
  { host }: Context,
  paths: SandboxPaths,
  files: readonly string[],
  state: RunningState,
  isNew: boolean,
): Promise<void> {
  if (files.length === 0) return;
  try {
    const known: VerifiedAddress = (await verifiedAddress(state, paths)) ?? state;
    const control = controlAt({ host }, { kind: 'named', paths }, { ...state, ...known });
    await applySeeds(host, control, files, sandboxVariables(known.baseUrl, state.seed, known.caFile));
  } catch (error) {
    if (isNew) await stopProcess(host, paths, state);
    throw error;
  }
}

/** Returns the port of the profile if it is free, so that its address stays the same. Otherwise returns 0. */
async function freeProfilePort(host: Host, paths: SandboxPaths): Promise<number> {
  const baseUrl = readProfiles(host).profiles.get(profileFor(paths))?.baseUrl;
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return 0;
  const { hostname, port } = new URL(baseUrl);
  return ['127.0.0.1', 'localhost'].includes(hostname) && (await isFree(Number(port))) ? Number(port) : 0;
}

async function isFree(port: number): Promise<boolean> {
  const { createServer } = await import('node:net');
  return new Promise((resolve) => {
    const trial = createServer();
    trial.once('error', () => resolve(false));
    trial.listen(port, '127.0.0.1', () => trial.close(() => resolve(true)));
  });
}

/** Applies `--seed` to the running sandbox of `sandbox exec`. Signs no profile in. */
async function seedExecSandbox(
  { host }: Context,
  target: SandboxTarget & { kind: 'exec' },
  { seed, strict, like, rateLimit, port, data, tlsCert }: InputOf<typeof startSandboxOptions>,
): Promise<Result> {
  if (strict || like || rateLimit || port || (data ?? tlsCert) !== undefined)
    throw new Failure(
      'usage',
      `The sandbox ${describeTarget(target)} is already running. Its options cannot change.`,
      {
        hint: createHint`To start another one: ${nextStep`sandbox start --name NAME`}`,
      },
    );
  if (seed.length > 0) {
    await applySeeds(host, controlAt({ host }, target, target), seed, {});
  }
  return {
    kind: 'done',
    message: `Sandbox already running at ${target.baseUrl}  (that ${describeTarget(target)})`,
    value: { name: null, base_url: target.baseUrl },
  };
}

/** Starts the sandbox in the background, unless it is running, and signs its profile in. */
export async function startSandboxCommand(
  input: InputOf<typeof startSandboxOptions>,
  context: Context,
): Promise<Result> {
  const { host } = context;
  const target = selectTarget(host, input.name);
  if (target.kind === 'exec') return seedExecSandbox(context, target, input);
  const { paths } = target;
  const storage = selectStorage(host, paths, input);
  if (context.options.dryRun) {
    const running = await runningState(host, paths);
    if (running) return dryRunMessage(`find the sandbox ${paths.name} running at ${running.baseUrl}`);
    return dryRunMessage(`start the sandbox ${paths.name}`);
  }
  const { tlsCert, tlsKey } = input;
  const tls =
    tlsCert === undefined || tlsKey === undefined
      ? undefined
      : { cert: resolve(host.cwd, tlsCert), key: resolve(host.cwd, tlsKey) };
  const behaviour = behaviourFromOptions(input);
  const { state, word } = await host.files.withLock(
    paths.folder,
    async () => {
      const running = await runningState(host, paths);
      if (!running) {
        const port = input.port ?? (await freeProfilePort(host, paths));
        const opening = { ...behaviour, port, tls, rateLimit: behaviour.rateLimit?.text };
        return { state: await launch(host, paths, storage, opening), word: 'running' };
      }
      const difference =
        likeDifference(running.like, behaviour.like) ?? differenceIn(running, storage, input);
      if (difference !== undefined) throw runsOtherwise(paths, difference);
      return { state: running, word: 'already running' };
    },
    { signal: host.interrupted },
  );
  await applyAllSeeds(context, paths, input.seed, state, word === 'running');
  return report(state, paths, word, await signInSandbox(context, state, paths));
}

/** Stops the sandbox. Succeeds if it is not running. */
export async function stopSandbox(
  input: InputOf<typeof nameOptions>,
  { host, options }: Context,
): Promise<Result> {
  const target = selectTarget(host, input.name);
  if (target.kind === 'exec')
    throw new Failure(
      'usage',
      isExecSandbox(target)
        ? '`sandbox exec` stops its sandbox when the command exits.'
        : `Stop the sandbox ${describeTarget(target)} where it was started.`,
      {
        hint: createHint`To stop the sandbox that sandbox start started: ${nextStep`sandbox stop --name default`}`,
      },
    );
  const { paths } = target;
  const state = await runningState(host, paths);
  if (!state) return { kind: 'done', message: 'The sandbox was not running.' };
  if (options.dryRun) return dryRunMessage(`stop the sandbox ${paths.name} at ${state.baseUrl}`);
  await stopProcess(host, paths, state);
  const kept = state.folder === undefined ? '' : ` Its records are kept in ${homePath(host, state.folder)}.`;
  return { kind: 'done', message: `Sandbox stopped.${kept}` };
}
