import { runProgram } from '../../base/host/real-host.ts';
import { serveInBackground } from './background.ts';

const report: Parameters<typeof runProgram>[0]['report'] = async (error, argv, host) =>
  (await import('../../cli/shell/report-failure.ts')).reportFailure(error, argv, host);

/** Entry point of the sandbox of `sandbox start`. Starts faster than the command line, because it does not load it. */
await runProgram({
  async run([, input], host) {
    try {
      await serveInBackground(input, host);
      return 0;
    } catch (error) {
      return report(error, [], host);
    }
  },
  report,
});
