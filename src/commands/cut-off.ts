import { counted } from '../base/wording.ts';
import type { Context } from '../command/context.ts';
import { isDone, type Run, readRun } from '../state/runs.ts';
import { runsOf } from './open-state.ts';

/**
 * Tells of runs whose process ended before they did, once: a change that was sent may have been made, and nobody has
 * noted it.
 */
export async function reportCutOff(context: Pick<Context, 'host' | 'state' | 'notices'>): Promise<void> {
  const runs = await runsOf(context);
  for (const id of await runs.log.open()) {
    const run = await readRun(runs, id);
    if (run?.state === 'running') continue;
    await runs.log.settle(id);
    if (run?.state === 'unfinished') context.notices.warn(cutOffText(run));
  }
}

function cutOffText({ run, what, command, parts }: Run): string {
  const steps = parts.flatMap((part) => part.steps);
  const unknown = steps.filter(({ begin, end }) => begin !== undefined && end === undefined);
  const [first] = unknown;
  const name = command === undefined ? what : `telctl ${command}`;
  const done = `${counted(steps.filter(isDone).length, 'change')} ${steps.filter(isDone).length === 1 ? 'was' : 'were'} made`;
  const doubt =
    first === undefined
      ? ''
      : `; nobody knows whether ${unknown.length === 1 ? `${first.planned.action} ${first.planned.label}` : `${unknown.length} more`} was carried out`;
  return `${name} (run ${run}) was cut off: ${done}${doubt}. See: telctl log show ${run}`;
}
