import { join } from 'node:path';
import { Failure } from '../../../../base/failure.ts';
import { sandboxEnvironment } from '../../../../base/program-environment.ts';
import { controlAt } from '../../../../sandbox/control-line.ts';
import {
  addressVariable,
  environmentOf,
  keyVariable,
  pointedAt,
  sandboxesIn,
} from '../../../../sandbox/target.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { wouldDo } from '../../change.ts';
import type { execArguments, execOptions } from '../options.ts';
import { likeIn, originsOf, rateLimitOf } from './behaviour.ts';
import { applySeeds } from './launch.ts';

/** Runs a command against a fresh sandbox in memory, and ends as the command did. */
export async function execCommand(
  input: InputOf<typeof execOptions, typeof execArguments>,
  { host, options }: Context,
): Promise<Result> {
  const [program = '', ...args] = input.command;
  const rateLimit = rateLimitOf(input);
  if (options.dryRun) return wouldDo(`run ${program} against a fresh sandbox`);
  const snapshots = join(sandboxesIn(host), `.exec-${host.processes.pid}`);
  const { openSandbox } = await import('../../../../sandbox/open-sandbox.ts');
  const sandbox = await openSandbox(host, {
    keeping: { kind: 'memory' },
    port: 0,
    like: likeIn(input),
    rateLimit,
    allowDeliveriesTo: input.allowDeliveriesTo,
    allowOrigins: originsOf(input),
    allowLoopbackHooks: input.allowLoopbackHooks,
    snapshots,
    keepsBeginning: true,
  });
  try {
    const own = environmentOf(sandbox.baseUrl, sandbox.seed);
    const { baseUrl, controlKey } = sandbox;
    await applySeeds(
      host,
      controlAt({ host }, { kind: 'exec', baseUrl, controlKey }, sandbox),
      input.seed,
      own,
    );
    const env = sandboxEnvironment(
      { ...host, env: pointedAt(host.env, {}) },
      { ...own, [addressVariable]: sandbox.baseUrl, [keyVariable]: sandbox.controlKey },
    );
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
