import { exitCodes, Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { errorFormat } from '../../client/session/assistants.ts';
import { failureJson, failurePage, unexpectedFailure } from '../terminal/error-page.ts';
import { widthOf } from '../terminal/output.ts';
import { harmlessOn } from '../terminal/runner.ts';
import { isColoured, styleFor } from '../terminal/style.ts';
import { typedValue } from './input-for.ts';

/** Whatever waited when the run was interrupted ends with an error of this name. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
const stopped = (cause: unknown): Failure => new Failure('interrupted', 'Interrupted.', { cause });
const secretVariables = ['TELCTL_TOKEN', 'TELCTL_API_KEY', 'TELCTL_PASSWORD'];
const known = (error: unknown, isVerbose: boolean, { env }: Host): Failure => {
  if (error instanceof Failure) return error;
  return unexpectedFailure(
    error,
    isVerbose,
    secretVariables.flatMap((name) => env[name] || []),
  );
};

/** Shows what went wrong in the format that was asked for and gives the exit code. */
export async function reportFailure(error: unknown, argv: readonly string[], host: Host): Promise<number> {
  const isVerbose = argv.includes('-v') || argv.includes('--verbose');
  const failure = host.interrupted.aborted && isAbort(error) ? stopped(error) : known(error, isVerbose, host);
  const format = errorFormat(typedValue(argv, '--output', '-o'), host.env);
  host.stderr.on('error', () => undefined);
  const harmless = harmlessOn(host, false);
  if (format === 'json' || format === 'ndjson') {
    const { open } = failure;
    const asked = open && (await import('./action-required.ts')).actionRequired(open, argv);
    host.stderr.write(harmless(failureJson(failure, asked)));
  } else {
    const when = typedValue(argv, '--color');
    const isForced = when === 'always' || when === 'never' ? when : 'auto';
    const style = await styleFor(isColoured(isForced, host.env, host.stderr.isTTY === true));
    host.stderr.write(harmless(failurePage(failure, style, widthOf(host.stderr))));
  }
  return exitCodes[failure.kind];
}
