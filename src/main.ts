import { interruptedExit, runCli } from './cli/run-cli.ts';
import { realHost } from './host/real-host.ts';

const stop = new AbortController();

/** The first signal asks what runs to end; the second ends it. */
function onSignal(): void {
  if (stop.signal.aborted) process.exit(interruptedExit);
  stop.abort();
}

process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

const argv = process.argv.slice(2);
const host = realHost(stop);

// What nobody waited for has failed; what state that left is not known, so nothing goes on.
process.on('uncaughtException', async (error) => {
  const { reportFailure } = await import('./cli/report-failure.ts');
  process.exit(await reportFailure(error, argv, host));
});

// Nothing in the middle ends the process: what was written gets out before it ends by itself.
process.exitCode = await runCli(argv, host);
