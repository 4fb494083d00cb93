import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { type JsonObject, omitUndefined } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { Column } from '../../../contract/types.ts';
import { describeCommand, formatUser } from '../../../engine/state/log.ts';
import {
  newestRuns,
  type Run,
  type RunPart,
  type RunStep,
  type Runs,
  readRun,
  undoneReason,
} from '../../../engine/state/runs.ts';
import type { LogFilter } from '../../../engine/state/state.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { readLocalRange } from '../records/account-time.ts';
import { openRuns, warnUnreadable } from '../state/open-state.ts';
import type { showLogOptions, shownRunArguments } from './commands.ts';
import {
  changedText,
  combineRollouts,
  loggedNames,
  readWholeRollout,
  runAuthor,
  runChanges,
  runJson,
  runTime,
} from './run-text.ts';

export async function showRun(
  { id }: InputOf<Record<never, never>, typeof shownRunArguments>,
  context: Context,
): Promise<Result> {
  const runs = await openRuns(context);
  const one = await readRun(runs, id);
  if (!one)
    throw new Failure('not_found', `The log has no run ${JSON.stringify(id)}.`, {
      hint: createHint`${nextStep`log`} lists the runs.`,
    });
  const run = await readWholeRollout(one, (await context.state()).rollouts, (other) => readRun(runs, other));
  const named = loggedNames(runs);
  const lines = await Promise.all(run.parts.map((part) => partLines(run, part, named)));
  return {
    kind: 'text',
    text: [...headLines(run), ...lines.flat()],
    value: {
      ...runJson(run),
      changes: run.parts.flatMap((part) => part.steps.map((step) => stepJson(run, part, step))),
    },
  };
}

const headLines = (run: Run): readonly string[] => [
  `${run.run}  ${describeCommand(run)}`,
  `when   ${runTime(run)}`,
  `who    ${runAuthor(run)}${run.ci?.commit === undefined ? '' : `, commit ${run.ci.commit}`}`,
  ...(run.note === undefined ? [] : [`note   ${run.note}`]),
  ...(run.rollout === undefined
    ? []
    : [`of     rollout ${run.rollout}, ${formatCount(run.parts.length, 'account')}`]),
  ...(run.state === 'finished' ? [] : [`state  ${run.state}`]),
];

const signs = new Map([
  ['create', '+'],
  ['update', '~'],
  ['delete', '-'],
]);

type Naming = ReturnType<typeof loggedNames>;

async function partLines(run: Run, { start, steps }: RunPart, named: Naming): Promise<readonly string[]> {
  const lines = await Promise.all(steps.map((step) => stepLines(run, step, named)));
  return ['', `${start.account.name} at ${start.account.origin}`, ...lines.flat()];
}

async function stepLines(run: Run, step: RunStep, named: Naming): Promise<readonly string[]> {
  const { planned, end } = step;
  const outcome = outcomeOf(run, step);
  const request = end?.requestId === undefined ? '' : `  request ${end.requestId}`;
  const trouble = outcome === 'done' ? '' : `  ${outcome}${end?.error ? `: ${end.error.message}` : ''}`;
  const values = await Promise.all(
    runChanges(step).map(({ field, before, after }) => {
      const { action } = planned;
      const one = action === 'create' ? after : action === 'delete' ? before : `${before} → ${after}`;
      const line = `    ${field}  ${one}`;
      return field === 'id' ? line : named(line);
    }),
  );
  const charges = end?.charges === undefined ? [] : [`    charges accepted: ${end.charges}`];
  const effect = [
    ...(end?.untaken ?? []).map((field) => `    ${field}  ignored by the service`),
    ...(end?.altered ?? []).map((field) => `    ${field}  stored by the service in another form`),
    ...(end?.lost ?? []).map((field) => `    ${field}  also dropped by the service`),
  ];
  return [
    `${signs.get(planned.action) ?? '*'} ${planned.label}${request}${trouble}`,
    ...values,
    ...effect,
    ...charges,
  ];
}

/** `unknown`: the step was sent, but its result was not recorded. */
function outcomeOf({ state }: Run, { begin, end }: RunStep): string {
  if (end) return end.ok ? (end.found ? 'found' : 'done') : undoneReason(end);
  if (begin === undefined) return 'skipped';
  return state === 'running' ? 'running' : 'unknown';
}

function stepJson(run: Run, { start }: RunPart, step: RunStep): JsonObject {
  const { planned, begin, end } = step;
  return omitUndefined({
    account_id: start.account.id ?? null,
    kind: planned.kind,
    action: planned.action,
    label: planned.label,
    outcome: outcomeOf(run, step),
    id: end?.id ?? begin?.id,
    request_id: end?.requestId,
    before: begin?.before,
    after: begin?.after,
    not_kept: begin?.unkept,
    not_taken: end?.untaken,
    altered: end?.altered,
    lost: end?.lost,
    charges: end?.charges,
    error: end?.error && { ...end.error },
  });
}

const columns: readonly Column[] = [
  { header: 'ID', paths: ['id'] },
  { header: 'WHEN', paths: ['at'], show: 'time' },
  { header: 'WHO', paths: ['who'] },
  { header: 'ACCOUNT', paths: ['account'] },
  { header: 'WHAT', paths: ['line'], roomy: true },
  { header: 'CHANGED', paths: ['changed'] },
  { header: 'NOTE', paths: ['note'], sparse: true },
  { header: 'STATE', paths: ['trouble'], sparse: true },
];

const usualLimit = 50;
const followedLimit = 10;
const pollIntervalMs = 1000;
const widths = [5, 20, 24, 14, 40];

export async function listRuns(input: InputOf<typeof showLogOptions>, context: Context): Promise<Result> {
  const runs = await openRuns(context);
  const state = await context.state();
  if (input.by !== undefined && (await state.user()) === undefined)
    throw new Failure('usage', `--by selects a database user, but the state ${state.shown} is in files.`, {
      hint: createHint`To search the names that processes reported: ${nextStep`log --person NAME`}.`,
    });
  const meant = await readRunFilter(input, context);
  const { account } = context.settings;
  if (account.value !== undefined && account.source === 'environment')
    context.notices.say(`Showing only runs of ${account.value}, because TELCTL_ACCOUNT is set.`);
  const limit = input.limit ?? (input.follow ? followedLimit : usualLimit);
  const atMost = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  return {
    kind: 'list',
    items: input.follow
      ? followRuns(context, runs, meant, atMost)
      : runRows(combineRollouts(filterRuns(runs, meant, warnUnreadable(context))), atMost, loggedNames(runs)),
    columns,
    noun: 'runs',
    ...(input.follow ? { live: widths } : {}),
  };
}

/** Prints the last runs, then new runs when they end, oldest first. Ctrl-C ends it with success. */
async function* followRuns(
  { host, notices }: Context,
  runs: Runs,
  meant: RunFilter,
  limit: number,
): AsyncGenerator<JsonObject> {
  let newest = await runs.log.last();
  const last: string[] = [];
  for await (const run of filterRuns(runs, meant, warnUnreadable({ notices }))) {
    if (last.length >= limit) break;
    last.unshift(run.run);
  }
  const open = new Set(last);
  try {
    while (true) {
      for (const id of await runs.log.ids(newest)) {
        open.add(id);
        newest = id;
      }
      for (const id of open) {
        const run = await readRun(runs, id);
        // A run without a line is about to start.
        if (run === undefined || run.state === 'running') continue;
        open.delete(id);
        if (meant.matches(run)) yield logRow(run, loggedNames(runs));
      }
      await host.clock.sleep(pollIntervalMs, host.interrupted);
    }
  } catch (error) {
    if (!host.interrupted.aborted) throw error;
  }
}

async function* runRows(runs: AsyncIterable<Run>, limit: number, named: Naming): AsyncGenerator<JsonObject> {
  let count = 0;
  for await (const run of runs) {
    yield logRow(run, named);
    count += 1;
    if (count >= limit) return;
  }
}

async function* filterRuns(
  runs: Runs,
  { filter, matches }: RunFilter,
  unreadable: (run: string) => void,
): AsyncGenerator<Run> {
  for await (const run of newestRuns(runs, filter, unreadable)) if (matches(run)) yield run;
}

function accountNames({ parts, rollout }: Run): string {
  const names = [...new Set(parts.map(({ start }) => start.account.name))];
  return rollout !== undefined && names.length > 1 ? formatCount(names.length, 'account') : names.join(', ');
}

async function logRow(run: Run, named: Naming): Promise<JsonObject> {
  return {
    ...runJson(run),
    account: accountNames(run),
    line:
      run.rollout === undefined ? describeCommand(run) : `rollout ${run.rollout}: ${describeCommand(run)}`,
    changed: await named(changedText(run)),
    ...(run.state === 'finished' ? {} : { trouble: run.state }),
  };
}

const mentionsObject = ({ planned: { key, label }, begin, end }: RunStep, text: string): boolean =>
  [key, label, begin?.id ?? '', end?.id ?? ''].some((each) =>
    each.toLowerCase().includes(text.toLowerCase()),
  );

interface RunFilter {
  readonly filter: LogFilter;
  readonly matches: (run: Run) => boolean;
}

async function readRunFilter(
  { by, person, pipeline, object, command, since, until }: InputOf<typeof showLogOptions>,
  context: Context,
): Promise<RunFilter> {
  const typed = { from: since, to: until, options: ['--since', '--until'] } as const;
  const { fromMs: sinceMs, toMs: untilMs } = await readLocalRange(context, typed);
  const account = context.settings.account.value;
  const containsText = (text: string, part: string): boolean =>
    text.toLowerCase().includes(part.toLowerCase());
  const words = [person, command, pipeline].flatMap((each) => each ?? []);
  const filter: LogFilter = { words, ...omitUndefined({ by, sinceMs, untilMs }) };
  const matchesSelection = (run: Run): boolean => {
    const { parts, atMs, ci, userId } = run;
    const people = [formatUser(run), userId ?? '', ci?.actor ?? ''];
    return (
      (by === undefined || run.writer === by) &&
      (sinceMs === undefined || atMs >= sinceMs) &&
      (untilMs === undefined || atMs <= untilMs) &&
      (person === undefined || people.some((each) => containsText(each, person))) &&
      (pipeline === undefined || ci?.id === pipeline) &&
      (object === undefined ||
        parts.some(({ steps }) => steps.some((step) => mentionsObject(step, object)))) &&
      (command === undefined || containsText(describeCommand(run), command)) &&
      (account === undefined ||
        parts.some(({ start }) => [start.account.id, start.account.name, start.owner].includes(account)))
    );
  };
  return { filter, matches: matchesSelection };
}
