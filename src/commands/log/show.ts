import { Failure } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { type Run, type RunPart, type RunStep, readRun } from '../../state/runs.ts';
import { runsOf } from '../open-state.ts';
import type { shownRunArguments } from './commands.ts';
import { changesOf, runJson, whatOf, whenOf, whoOf } from './run-words.ts';

/** Shows one run: who, when and where, and each change with its values. */
export async function showRun(
  { id }: InputOf<Record<never, never>, typeof shownRunArguments>,
  context: Context,
): Promise<Result> {
  const run = await readRun(await runsOf(context), id);
  if (!run)
    throw new Failure('not_found', `There is no run ${JSON.stringify(id)} in the log.`, {
      hint: 'telctl log lists the runs.',
    });
  return {
    kind: 'text',
    text: [...head(run), ...run.parts.flatMap((part) => partLines(run, part))],
    value: {
      ...runJson(run),
      changes: run.parts.flatMap((part) => part.steps.map((step) => stepJson(run, part, step))),
    },
  };
}

const head = (run: Run): readonly string[] => [
  `${run.run}  ${whatOf(run)}`,
  `when   ${whenOf(run)}`,
  `who    ${whoOf(run)}${run.ci?.commit === undefined ? '' : `, commit ${run.ci.commit}`}`,
  ...(run.note === undefined ? [] : [`note   ${run.note}`]),
  ...(run.state === 'finished' ? [] : [`state  ${run.state}`]),
];

const signs = new Map([
  ['create', '+'],
  ['update', '~'],
  ['delete', '-'],
]);

const partLines = (run: Run, part: RunPart): readonly string[] => [
  '',
  `${part.start.account.name} at ${part.start.account.origin}`,
  ...part.steps.flatMap((step) => stepLines(run, step)),
];

function stepLines(run: Run, step: RunStep): readonly string[] {
  const { planned, end } = step;
  const outcome = outcomeOf(run, step);
  const request = end?.requestId === undefined ? '' : `  request ${end.requestId}`;
  const trouble = outcome === 'done' ? '' : `  ${outcome}${end?.error ? `: ${end.error.message}` : ''}`;
  const values = changesOf(step).map(({ field, before, after }) => {
    if (planned.action === 'create') return `    ${field}  ${after}`;
    return planned.action === 'delete' ? `    ${field}  ${before}` : `    ${field}  ${before} → ${after}`;
  });
  const charges = end?.charges === undefined ? [] : [`    charges accepted: ${end.charges}`];
  return [`${signs.get(planned.action) ?? '*'} ${planned.label}${request}${trouble}`, ...values, ...charges];
}

/** Returns the outcome of a step. `unknown`: it was sent, and nobody has noted how it ended. */
function outcomeOf({ state }: Run, { begin, end }: RunStep): string {
  if (end) return end.ok ? (end.found ? 'found' : 'done') : 'failed';
  if (begin === undefined) return 'skipped';
  return state === 'running' ? 'running' : 'unknown';
}

function stepJson(run: Run, { start }: RunPart, step: RunStep): JsonObject {
  const { planned, begin, end } = step;
  const known: readonly (readonly [string, Json | undefined])[] = [
    ['id', end?.id ?? begin?.id],
    ['request_id', end?.requestId],
    ['before', begin?.before],
    ['after', begin?.after],
    ['not_kept', begin?.unkept === undefined ? undefined : [...begin.unkept]],
    ['charges', end?.charges],
    ['error', end?.error && { ...end.error }],
  ];
  return {
    account_id: start.account.id ?? null,
    kind: planned.kind,
    action: planned.action,
    label: planned.label,
    outcome: outcomeOf(run, step),
    ...Object.fromEntries(known.filter(([, value]) => value !== undefined)),
  };
}
