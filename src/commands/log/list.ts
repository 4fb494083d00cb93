import type { JsonObject } from '../../base/json.ts';
import { momentOf } from '../../base/moment.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import type { Column } from '../../contract/types.ts';
import { damagedRuns, newestRuns, type Run, type Runs } from '../../state/runs.ts';
import { runsOf } from '../open-state.ts';
import type { logOptions } from './commands.ts';
import { changedText, runJson, whatOf, whoOf } from './run-words.ts';

const columns: readonly Column[] = [
  { header: 'ID', paths: ['id'] },
  { header: 'WHEN', paths: ['at'], show: 'time' },
  { header: 'WHO', paths: ['who'] },
  { header: 'ACCOUNT', paths: ['account'] },
  { header: 'WHAT', paths: ['line'] },
  { header: 'CHANGED', paths: ['changed'] },
  { header: 'NOTE', paths: ['note'], sparse: true },
  { header: 'STATE', paths: ['trouble'], sparse: true },
];

/** Runs that are shown where nobody said how many. */
const usualLimit = 50;

/** Lists what was changed, newest first. */
export async function listRuns(input: InputOf<typeof logOptions>, context: Context): Promise<Result> {
  const runs = await runsOf(context);
  const isMeant = filterOf(input, context);
  for (const run of await damagedRuns(runs))
    context.notices.warn(`run ${run} of the log cannot be read: what it did is not known`);
  const limit = input.limit ?? usualLimit;
  return {
    kind: 'list',
    items: rowsOf(runs, isMeant, limit === 0 ? Number.POSITIVE_INFINITY : limit),
    columns,
    noun: 'runs',
  };
}

async function* rowsOf(
  runs: Runs,
  isMeant: (run: Run) => boolean,
  limit: number,
): AsyncGenerator<JsonObject> {
  let count = 0;
  for await (const run of newestRuns(runs, {})) {
    if (!isMeant(run)) continue;
    if (count >= limit) return;
    count += 1;
    yield rowOf(run);
  }
}

function rowOf(run: Run): JsonObject {
  return {
    ...runJson(run),
    account: [...new Set(run.parts.map(({ start }) => start.account.name))].join(', '),
    line: whatOf(run),
    changed: changedText(run),
    ...(run.state === 'finished' ? {} : { trouble: run.state }),
  };
}

/** True for the runs that were asked for. */
function filterOf(
  { person, command, since, until }: InputOf<typeof logOptions>,
  { host, settings }: Context,
): (run: Run) => boolean {
  const nowMs = host.clock.now();
  const sinceMs = since === undefined ? Number.NEGATIVE_INFINITY : momentOf(since, nowMs, '--since');
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : momentOf(until, nowMs, '--until');
  const account = settings.account.value;
  const holds = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());
  return (run) => {
    const { parts, atMs, ci, userId } = run;
    const people = [whoOf(run), userId ?? '', ci?.actor ?? ''];
    return (
      atMs >= sinceMs &&
      atMs <= untilMs &&
      (person === undefined || people.some((each) => holds(each, person))) &&
      (command === undefined || holds(whatOf(run), command)) &&
      (account === undefined ||
        parts.some(({ start }) => [start.account.id, start.account.name, start.owner].includes(account)))
    );
  };
}
