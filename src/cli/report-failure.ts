import { exitCodes, Failure } from '../contract/failure.ts';
import type { Host } from '../host/host.ts';
import { bugFailure, failureJson, failurePage } from '../terminal/error-page.ts';
import { isColoured, styleFor } from '../terminal/style.ts';
import { typedValue } from './typed-value.ts';

/** Shows what went wrong in the format that was asked for and gives the exit code. */
export async function reportFailure(error: unknown, argv: readonly string[], host: Host): Promise<number> {
  const isVerbose = argv.includes('-v') || argv.includes('--verbose');
  const failure = error instanceof Failure ? error : bugFailure(error, isVerbose);
  const format = typedValue(argv, '--output', '-o') ?? host.env.TELCTL_OUTPUT;
  host.stderr.on('error', () => undefined);
  if (format === 'json' || format === 'ndjson') {
    host.stderr.write(failureJson(failure));
  } else {
    const when = typedValue(argv, '--color');
    const isForced = when === 'always' || when === 'never' ? when : 'auto';
    const style = await styleFor(isColoured(isForced, host.env, host.stderr.isTTY === true));
    host.stderr.write(failurePage(failure, style));
  }
  return exitCodes[failure.kind];
}
