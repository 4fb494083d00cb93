import { type Failure, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { counted, messageOf } from '../../../base/wording.ts';
import { shownPath } from '../../../client/session/secret-sources.ts';
import { settingTroubles } from '../../../client/session/setting-troubles.ts';
import type { Column } from '../../../contract/types.ts';
import { runningState } from '../../../sandbox/running.ts';
import { allSandboxPaths, nameOption, type SandboxPaths } from '../../../sandbox/target.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import {
  type Check,
  checkCompletion,
  checkFolders,
  checkNetwork,
  checkNode,
  checkState,
  fail,
  ok,
  warn,
} from './check-machine.ts';
import { checkService } from './check-service.ts';

export const doctorCommands: readonly Command[] = [
  defineCommand({
    path: ['doctor'],
    summary: 'Check this machine and its set-up: sign-in, service, clock, files',
    description:
      'Looks and changes nothing. Shows what is in order and what is not, with what to do about it, and no secret. Exits 1 where something does not work; warnings, such as a webhook that a killed listener left behind, leave it at 0. The state of webhooks: telctl webhooks health, which exits 8 where some are failing.',
    arguments: {},
    options: {},
    effect: 'read',
    examples: { 'telctl doctor': 'When something does not work', 'telctl doctor -o json': 'For a report' },
    operations: ['accounts.get', 'webhooks.list'],
    withoutSettings: true,
    load: async () => doctor,
  }),
];

const columns: readonly Column[] = [
  { header: 'CHECK', paths: ['check'] },
  { header: 'RESULT', paths: ['result'] },
  { header: 'FINDING', paths: ['finding', 'remedy'], show: 'sentence' },
];

/** Looks at this machine and its set-up. Exits 1 where something does not work; warnings do not count. */
async function doctor(_: unknown, context: Context): Promise<Result> {
  const { host } = context;
  const { troubles } = settingTroubles(host);
  const [service, sandboxes] = await Promise.all([
    troubles.length > 0 ? [notAsked] : checkService(context),
    checkSandboxes(host),
  ]);
  const checks: readonly Check[] = [
    checkNode(host),
    ...checkFolders(host),
    ...checkSettings(host, troubles),
    ...service,
    ...checkNetwork(context),
    ...sandboxes,
    checkState(host),
    checkCompletion(host),
  ];
  const count = (result: Check['result']): number => checks.filter((each) => each.result === result).length;
  const [failed, warned] = [count('fail'), count('warn')];
  const words = [
    `${checks.length} checks: ${count('ok')} ok`,
    ...(warned > 0 ? [counted(warned, 'warning')] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return {
    kind: 'list',
    items: checks.map((check) => ({ ...check })),
    columns,
    noun: 'checks',
    summary: () => words.join(', '),
    ...(failed > 0 ? { exit: 'failed' } : {}),
  };
}

/** The finding when it is not known for sure which service is meant, and whose keys go there. */
const notAsked = warn('service', 'Not asked, while settings cannot be read.', 'Correct the settings first.');

/** Finds what keeps settings from being resolved, one finding each. */
function checkSettings(host: Host, troubles: readonly Failure[]): readonly Check[] {
  if (troubles.length === 0) return [ok('settings', 'All can be read.')];
  return troubles.map(({ message, hint }) =>
    fail(
      'settings',
      message.replace(host.folders.config, shownPath(host, host.folders.config)),
      hint ?? nextStep`config explain`,
    ),
  );
}

/** The sandboxes of this machine: those that run, and those that do not answer. */
async function checkSandboxes(host: Host): Promise<readonly Check[]> {
  const found = await Promise.all(allSandboxPaths(host).map((paths) => checkSandbox(host, paths)));
  const running = found.flatMap((each) => each ?? []);
  return running.length > 0 ? running : [ok('sandbox', 'None is running.')];
}

async function checkSandbox(host: Host, paths: SandboxPaths): Promise<Check | undefined> {
  try {
    const state = await runningState(host, paths);
    return state && ok('sandbox', `${paths.name} runs at ${state.baseUrl}.`);
  } catch (error) {
    return warn('sandbox', messageOf(error), nextStep`sandbox status ${nameOption(paths)}`);
  }
}
