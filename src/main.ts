import { Failure } from './base/failure.ts';
import { runCli } from './cli/run-cli.ts';
import { realHost } from './host/real-host.ts';
import { listenToSignals } from './host/signals.ts';

const argv = process.argv.slice(2);
const host = realHost(listenToSignals(() => endWith(new Failure('interrupted', 'Interrupted.'))));

/** Tells what went wrong and ends the process, whatever still runs. */
async function endWith(error: unknown): Promise<void> {
  const { reportFailure } = await import('./cli/report-failure.ts');
  process.exit(await reportFailure(error, argv, host));
}

// What nobody waited for has failed; what state that left is not known, so nothing goes on.
process.on('uncaughtException', endWith);

// Nothing in the middle ends the process: what was written gets out before it ends by itself.
process.exitCode = await runCli(argv, host);
