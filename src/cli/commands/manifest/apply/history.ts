import { type JsonObject, omitUndefined } from '../../../../base/json.ts';
import type { Column } from '../../../../contract/types.ts';
import {
  countsOfRun,
  findRun,
  newestRuns,
  type Run,
  type RunPart,
  type RunStep,
} from '../../../../engine/state/runs.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { plainColumns, type Result } from '../../../command/result.ts';
import { runAuthor, runTime } from '../../log/run-text.ts';
import { openRuns, warnUnreadable } from '../../state/open-state.ts';
import type { runArguments } from '../commands.ts';
import { currentAccount } from './apply-plans.ts';

const runColumns: readonly Column[] = [
  { header: 'RUN', paths: ['run'] },
  { header: 'WHEN', paths: ['at'], show: 'time' },
  ...plainColumns('who', 'what', 'set', 'done', 'failed', 'skipped', 'state'),
];

const stepColumns: readonly Column[] = [
  { header: 'ACCOUNT', paths: ['account'], sparse: true },
  { header: 'ACTION', paths: ['action'] },
  { header: 'OBJECT', paths: ['label'] },
  { header: 'OUTCOME', paths: ['outcome'] },
  { header: 'ID', paths: ['id'], show: 'id' },
  { header: 'REQUEST', paths: ['request_id'] },
  { header: 'CHARGES', paths: ['charges'], sparse: true },
  { header: 'ERROR', paths: ['error'], sparse: true },
];

/** Lists the runs of the account, newest first, or the steps of one. */
export async function showHistory(
  { run: word }: InputOf<Record<never, never>, typeof runArguments>,
  context: Context,
): Promise<Result> {
  const owner = await currentAccount(context);
  const runs = await openRuns(context);
  if (word === undefined) {
    const items: JsonObject[] = [];
    for await (const run of newestRuns(runs, { account: owner }, warnUnreadable(context)))
      if (run.what !== 'command') items.push(runRow(run));
    return { kind: 'list', items, columns: runColumns, noun: 'runs' };
  }
  const run = await findRun(runs, owner, word);
  return {
    kind: 'list',
    items: run.parts.flatMap((part) => part.steps.map((step) => stepRow(run, part, step))),
    columns: stepColumns,
    noun: 'changes',
    message: `${run.what} ${run.run} of ${run.set}: ${run.state}${run.undoes === undefined ? '' : `, reversing ${run.undoes}`}`,
  };
}

function runRow(run: Run): JsonObject {
  const { what, undoes, writer, user, userId, set, state, parts } = run;
  return {
    run: run.run,
    at: runTime(run),
    user: user ?? null,
    ...(userId === undefined ? {} : { user_id: userId }),
    who: runAuthor(run),
    by: writer ?? null,
    what: undoes === undefined ? what : `${what} of ${undoes}`,
    set,
    accounts: parts.map(({ start }) => start.account.name),
    ...countsOfRun(run),
    state,
  };
}

function stepRow({ parts, state }: Run, { start }: RunPart, { planned, begin, end }: RunStep): JsonObject {
  const { key, action, label } = planned;
  const id = end?.id ?? begin?.id;
  const ended = end?.found ? 'found' : end?.ok ? 'done' : 'failed';
  const open = begin !== undefined && state !== 'running' ? 'unknown' : 'skipped';
  return {
    ...(parts.length > 1 ? { account: start.account.name } : {}),
    key,
    label,
    action,
    outcome: end ? ended : open,
    ...omitUndefined({ id, request_id: end?.requestId, charges: end?.charges, error: end?.error?.message }),
  };
}
