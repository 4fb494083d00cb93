import './extensions.ts';
import { runProgram } from './base/host/real-host.ts';
import { runCli } from './cli/shell/run-cli.ts';

await runProgram({
  run: runCli,
  report: async (error, argv, host) =>
    (await import('./cli/shell/report-failure.ts')).reportFailure(error, argv, host),
});
