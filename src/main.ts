import { runCli } from './cli/run-cli.ts';
import { runProgram } from './host/run-program.ts';

await runProgram({
  run: runCli,
  report: async (error, argv, host) =>
    (await import('./cli/report-failure.ts')).reportFailure(error, argv, host),
});
