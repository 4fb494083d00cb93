import { exitCodes, Failure, type FailureKind } from '../../../base/failure.ts';
import type { Host } from '../../../host/host.ts';
import { pointedAt } from './environment.ts';

const kindOf = (code: number | null): FailureKind => {
  const kinds: readonly (readonly [string, number])[] = Object.entries(exitCodes);
  const known = kinds.find(([, each]) => each === code)?.[0];
  return known === 'usage' || known === 'invalid' || known === 'interrupted' ? known : 'failed';
};

/**
 * Applies manifests to a sandbox as `telctl apply` does, by variables that sign in to it. Nothing is asked: its charges
 * are free. Throws `Failure` in the words of that run where it does not succeed.
 */
export async function applySeeds(
  host: Host,
  files: readonly string[],
  own: Readonly<Record<string, string>>,
): Promise<void> {
  if (files.length === 0) return;
  const args = ['apply', ...files.flatMap((file) => ['-f', file]), '--yes', '--accept-charges', '--no-input'];
  const run = await host.processes.runTelctl(args, pointedAt(host.env, own), host.interrupted);
  if (run.code === 0) return;
  if (host.interrupted.aborted) throw new Failure('interrupted', 'Interrupted.');
  const said = run.stderr.trim() === '' ? run.stdout.trim() : run.stderr.trim();
  throw new Failure(kindOf(run.code), [
    `The sandbox was not filled from ${files.join(', ')}:`,
    ...said.split('\n').map((line) => `  ${line}`),
  ]);
}
