import type { Host } from '../../base/host/host.ts';
import type { RunLine } from '../command/context.ts';
import { requirePart } from '../commands/extension.ts';
import { OutputClosed, outputTo } from '../terminal/output.ts';
import { commandEscaper } from '../terminal/runner.ts';
import type { Parts } from './services.ts';

declare const TELCTL_VERSION: string | undefined;

/** `development` if telctl runs from source. */
export const version: string = typeof TELCTL_VERSION === 'string' ? TELCTL_VERSION : 'development';

/** Runs one command line and returns its exit code. Prints errors on stderr. Tests replace `parts`. */
export async function runCli(argv: readonly string[], host: Host, parts: Parts = {}): Promise<number> {
  const out = outputTo(host.stdout, host.timers, commandEscaper(host, host.outputIsKept()));
  try {
    const code = await answer(argv, host, parts, out);
    await out.flush();
    return code;
  } catch (error) {
    if (error instanceof OutputClosed) return 0;
    const { reportFailure } = await import('./report-failure.ts');
    return reportFailure(error, argv, host);
  }
}

type Out = ReturnType<typeof outputTo>;

async function answer(argv: readonly string[], host: Host, parts: Parts, out: Out): Promise<number> {
  const [first, second] = argv;
  if (first === '__refresh-names') {
    const { refreshNames } = await import('./completion/live-words.ts');
    await refreshNames(argv.slice(1), host, parts);
    return 0;
  }
  if (first === '__serve') {
    await requirePart('serveInBackground', 'sandbox start')(second, host);
    return 0;
  }
  if (first === '__complete') {
    const { answerShell } = await import('./completion/candidates.ts');
    return answerShell(argv, host, out);
  }
  if (first === undefined || (second === undefined && first === 'help')) {
    const { frontPage } = await import('./help/front-page.ts');
    await out.write(frontPage(host, out.columns));
    return 0;
  }
  const { parseLine } = await import('./parse-line.ts');
  const line = await parseLine(argv, host.env);
  switch (line.kind) {
    case 'version':
      await out.write(`${version}\n`);
      return 0;
    case 'help': {
      const { showHelpPage } = await import('./help/help-page.ts');
      await showHelpPage(line, host, out);
      return 0;
    }
    case 'run': {
      const { runCommand } = await import('./run-command.ts');
      const runLine: RunLine = (own, machine, limits) => runCli(own, machine, { ...parts, ...limits });
      return runCommand(line, host, { ...parts, runLine }, out);
    }
  }
}
