import { runProgram } from './base/host/run-program.ts';
import { runCli } from './cli/shell/run-cli.ts';

await runProgram({
  run: runCli,
  report: async (error, argv, host) =>
    (await import('./cli/shell/report-failure.ts')).reportFailure(error, argv, host),
});
