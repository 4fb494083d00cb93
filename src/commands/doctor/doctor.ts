import { join } from 'node:path';
import type { Context } from '../../cli/context.ts';
import type { Column } from '../../contract/types.ts';
import type { Host } from '../../host/host.ts';
import type { Result } from '../../terminal/result.ts';
import { placesOf } from '../sandbox/places.ts';
import { runningState } from '../sandbox/state.ts';
import { type Check, ok, warn, wordsOf } from './check.ts';
import { checkCompletion, checkFolders, checkNetwork, checkNode, checkState } from './check-machine.ts';
import { checkService } from './check-service.ts';

const columns: readonly Column[] = [
  { header: 'CHECK', paths: ['check'] },
  { header: 'RESULT', paths: ['result'] },
  { header: 'FINDING', paths: ['finding', 'remedy'], show: 'sentence' },
];

/** Looks at this machine and its set-up. Exits 1 where something does not work; warnings do not count. */
export async function doctor(_: unknown, context: Context): Promise<Result> {
  const { host } = context;
  const [service, sandboxes] = await Promise.all([checkService(context), checkSandboxes(host)]);
  const checks: readonly Check[] = [
    checkNode(host),
    ...checkFolders(host),
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
    ...(warned > 0 ? [`${warned} ${warned === 1 ? 'warning' : 'warnings'}`] : []),
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

/** The sandboxes of this machine: those that run, and those that do not answer. */
async function checkSandboxes(host: Host): Promise<readonly Check[]> {
  const names = host.files.list(join(host.folders.state, 'sandboxes'));
  const found = await Promise.all(names.map((name) => checkSandbox(host, name)));
  const running = found.flatMap((each) => each ?? []);
  return running.length > 0 ? running : [ok('sandbox', 'None is running.')];
}

async function checkSandbox(host: Host, name: string): Promise<Check | undefined> {
  try {
    const state = await runningState(host, placesOf(host, name));
    return state && ok('sandbox', `${name} runs at ${state.baseUrl}.`);
  } catch (error) {
    return warn('sandbox', wordsOf(error), 'telctl sandbox status');
  }
}
