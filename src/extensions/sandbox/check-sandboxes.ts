import { nextStep } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { errorMessage } from '../../base/wording.ts';
import { type DoctorCheck, ok, warn } from '../../cli/commands/doctor/check-machine.ts';
import { runningState } from './running-state.ts';
import { allSandboxPaths, type SandboxPaths, sandboxNameOption } from './sandbox-paths.ts';

export async function checkSandboxes(host: Host): Promise<readonly DoctorCheck[]> {
  const found = await Promise.all(allSandboxPaths(host).map((paths) => checkSandbox(host, paths)));
  const running = found.flatMap((each) => each ?? []);
  return running.length > 0 ? running : [ok('sandbox', 'None is running.')];
}

async function checkSandbox(host: Host, paths: SandboxPaths): Promise<DoctorCheck | undefined> {
  try {
    const state = await runningState(host, paths);
    return state && ok('sandbox', `${paths.name} runs at ${state.baseUrl}.`);
  } catch (error) {
    return warn('sandbox', errorMessage(error), nextStep`sandbox status ${sandboxNameOption(paths)}`);
  }
}
