import { exitCodes, Failure } from '../contract/failure.ts';
import type { Host } from '../host/host.ts';
import { bugFailure, failureJson, failurePage } from '../terminal/error-page.ts';
import { isColoured, styleFor } from '../terminal/style.ts';

/** The value of an option in a command line that may not parse, up to `--`. */
function typedValue(argv: readonly string[], long: string, short?: string): string | undefined {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  for (const [index, argument] of own.entries()) {
    if (argument === long || argument === short) return own[index + 1];
    if (argument.startsWith(`${long}=`)) return argument.slice(long.length + 1);
    if (short && argument.startsWith(short) && !argument.startsWith('--'))
      return argument.slice(short.length);
  }
  return undefined;
}

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
