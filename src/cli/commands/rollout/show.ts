import type { JsonObject } from '../../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import type { rolloutArguments, showOptions } from './commands.ts';
import { ownRollouts } from './prepare.ts';
import { rolloutJson, rolloutOf, rolloutReport } from './report.ts';

/** Time between two looks of `--follow`, in milliseconds. */
const followEveryMs = 2000;

const progress = ['state', 'counts.done', 'counts.unchanged', 'counts.failed', 'counts.waiting'].map(
  (path) => ({
    header: path.replace('counts.', '').toUpperCase(),
    paths: [path],
  }),
);

export async function listRollouts(_: unknown, context: Context): Promise<Result> {
  const { rollouts } = await context.state();
  async function* items(): AsyncGenerator<JsonObject> {
    for await (const rollout of ownRollouts(context))
      yield rolloutJson(rollout, await rollouts.counts(rollout.id));
  }
  return {
    kind: 'list',
    items: items(),
    columns: [
      { header: 'ID', paths: ['rollout'] },
      { header: 'WHEN', paths: ['at'], show: 'time' },
      { header: 'WHO', paths: ['who'] },
      { header: 'SET', paths: ['set'] },
      { header: 'WHERE', paths: ['where'] },
      ...progress,
    ],
    noun: 'rollouts',
  };
}

/** Shows one rollout, or follows it until it ends. */
export async function showRollout(
  { id, follow }: InputOf<typeof showOptions, typeof rolloutArguments>,
  context: Context,
): Promise<Result> {
  const rollout = await rolloutOf(context, id);
  if (!follow) {
    const { rollouts } = await context.state();
    return rolloutReport(context, rollout.id, { accounts: rollouts.accounts(rollout.id) });
  }
  return {
    kind: 'list',
    items: following(context, rollout.id),
    columns: [{ header: 'WAVE', paths: ['wave'] }, ...progress],
    live: [4, 9, 6, 9, 6, 7],
    noun: 'rollouts',
  };
}

/** The rollout each time that its counts changed, until it is at an end. */
async function* following(context: Context, id: string): AsyncGenerator<JsonObject> {
  const { rollouts } = await context.state();
  let before = '';
  for (;;) {
    const rollout = await rolloutOf(context, id);
    const now = rolloutJson(rollout, await rollouts.counts(id));
    if (JSON.stringify(now) !== before) yield now;
    before = JSON.stringify(now);
    if (rollout.state !== 'running' || context.host.interrupted.aborted) return;
    await context.host.clock.sleep(followEveryMs, context.host.interrupted).catch(() => undefined);
  }
}
