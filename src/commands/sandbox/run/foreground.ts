import { once } from 'node:events';
import { join } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { forgetState, keepState, type RunningState, statedBy } from '../../../sandbox/running.ts';
import {
  addressVariable,
  environmentOf,
  keepingOf,
  keyVariable,
  pointedAt,
  sandboxesIn,
  sandboxPathsOf,
} from '../../../sandbox/target.ts';
import { wouldDo } from '../../change.ts';
import type { execArguments, execOptions, serveOptions } from '../options.ts';
import { likeIn, rateLimitOf } from './behaviour.ts';
import { applySeeds } from './launch.ts';

/** Runs a command against a fresh sandbox in memory, and ends as the command did. */
export async function execCommand(
  input: InputOf<typeof execOptions, typeof execArguments>,
  { host, options }: Context,
): Promise<Result> {
  const [program, ...args] = input.command;
  if (program === undefined) {
    throw new Failure('usage', 'A command to run is missing.', {
      hint: 'telctl sandbox exec -- COMMAND',
    });
  }
  const rateLimit = rateLimitOf(input);
  if (options.dryRun) return wouldDo(`run ${program} against a fresh sandbox`);
  const snapshots = join(sandboxesIn(host), `.exec-${host.processes.pid}`);
  const { openSandbox } = await import('../../../sandbox/open-sandbox.ts');
  const sandbox = await openSandbox(host, {
    keeping: { kind: 'memory' },
    port: 0,
    like: likeIn(input),
    rateLimit,
    allowDeliveriesTo: input.allowDeliveriesTo,
    snapshots,
    keepsBeginning: true,
  });
  try {
    const own = environmentOf(sandbox.baseUrl, sandbox.seed);
    await applySeeds(host, input.seed, own);
    const env = pointedAt(host.env, {
      ...own,
      [addressVariable]: sandbox.baseUrl,
      [keyVariable]: sandbox.controlKey,
    });
    const { code, signal } = await host.processes.runAttached(program, args, env, host.interrupted);
    return { kind: 'program', code: signal ? 128 + host.processes.signalNumber(signal) : (code ?? 1) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new Failure('usage', `There is no program ${program}.`, { cause: error });
    if (code === 'EACCES' || code === 'ENOEXEC' || code === 'ENOTDIR')
      throw new Failure('usage', `${program} is no program that may be run (${code}).`, { cause: error });
    throw error;
  } finally {
    await sandbox.close();
    host.files.remove(snapshots);
  }
}

/** Runs a sandbox in this process until it is told to end; `sandbox start` runs this in the background. */
export async function serveSandbox(input: InputOf<typeof serveOptions>, { host }: Context): Promise<Result> {
  const paths = sandboxPathsOf(host, input.name);
  const keeping = keepingOf(host, paths, input);
  const like = likeIn(input);
  const rateLimit = rateLimitOf(input);
  let state: RunningState | undefined;
  const tell = (known: RunningState): void => {
    state = known;
    keepState(host, paths, known);
  };
  const { openSandbox } = await import('../../../sandbox/open-sandbox.ts');
  const sandbox = await openSandbox(host, {
    keeping,
    port: input.port ?? 0,
    like,
    rateLimit,
    allowDeliveriesTo: input.allowDeliveriesTo,
    snapshots: paths.snapshots,
    onSeed: (seed) => state && tell({ ...state, seed }),
  });
  tell({
    pid: host.processes.pid,
    baseUrl: sandbox.baseUrl,
    port: sandbox.port,
    ...(keeping.kind === 'folder' ? { folder: keeping.folder } : {}),
    ...(like ? { like } : {}),
    ...(rateLimit ? { rateLimit: rateLimit.text } : {}),
    ...(input.allowDeliveriesTo.length > 0 ? { allowDeliveriesTo: input.allowDeliveriesTo } : {}),
    node: sandbox.node,
    startedAt: new Date(host.clock.now()).toISOString(),
    seed: sandbox.seed,
    controlKey: sandbox.controlKey,
  });
  host.finishes();
  if (!host.interrupted.aborted) await once(host.interrupted, 'abort');
  await sandbox.close();
  // Another one may have been started in this one's place meanwhile.
  if (statedBy(host, paths)?.pid === host.processes.pid) forgetState(host, paths);
  return { kind: 'done', message: 'Sandbox stopped.' };
}
