import type { Host } from './host.ts';
import { realHost } from './real-host.ts';
import { listenToSignals } from './signals.ts';

type Argv = readonly string[];

/** The work of this process with its arguments; both give the exit code. */
interface Program {
  run(argv: Argv, host: Host): Promise<number>;
  /** Tells what went wrong. */
  report(error: unknown, argv: Argv, host: Host): Promise<number>;
}

export async function runProgram({ run, report }: Program): Promise<void> {
  const argv = process.argv.slice(2);
  const host = realHost(listenToSignals(() => endWith(host.interrupted.reason)));
  /** Tells what went wrong and ends the process, whatever still runs. */
  const endWith = async (error: unknown): Promise<void> => process.exit(await report(error, argv, host));
  // What nobody waited for has failed; what state that left is not known, so nothing goes on.
  process.on('uncaughtException', endWith);
  // Nothing in the middle ends the process: what was written gets out before it ends by itself.
  process.exitCode = await run(argv, host);
}
