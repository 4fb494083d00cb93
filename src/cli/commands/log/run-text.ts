import { isObject, type Json, type JsonObject, omitUndefined } from '../../../base/json.ts';
import { idToken, replaceIds } from '../../../base/wording.ts';
import { kindOfSection } from '../../../engine/manifest/kinds.ts';
import { formatUser } from '../../../engine/state/log.ts';
import type { Rollouts } from '../../../engine/state/rollouts.ts';
import {
  isDone,
  newestRuns,
  type Run,
  type RunState,
  type RunStep,
  type Runs,
  undoneReason,
} from '../../../engine/state/runs.ts';
import { formatWriter } from '../../../engine/state/state.ts';

/** The database user, if any, followed by the name that the process reported in brackets. */
export const runAuthor = (run: Run): string =>
  run.writer === undefined ? formatUser(run) : formatWriter(run.writer, formatUser(run));

export const runTime = ({ atMs }: Run): string => new Date(atMs).toISOString().replace(/\.\d+/, '');

const deeds = new Map([
  ['create', 'created'],
  ['update', 'updated'],
  ['delete', 'deleted'],
]);

function countChanges({ parts, state }: Run): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { planned, begin, end } of parts.flatMap(({ steps }) => steps)) {
    const unknown = begin !== undefined && state !== 'running' ? 'unknown' : 'not begun';
    const word =
      end === undefined ? unknown : end.ok ? (deeds.get(planned.action) ?? 'done') : undoneReason(end);
    if (word !== 'not begun') counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** Summarizes the changes of a run: `2 updated`, or the values of a single change. */
export function changedText(run: Run): string {
  const steps = run.parts.flatMap(({ steps }) => steps);
  const [only] = steps;
  const charges = steps.flatMap(({ end }) =>
    end?.charges === undefined ? [] : [`charges accepted: ${end.charges}`],
  );
  const counts = Object.entries(countChanges(run)).map(([word, count]) => `${count} ${word}`);
  const value = steps.length === 1 && only ? singleChangeText(only) : undefined;
  return [value ?? counts.join(', '), ...charges].join(', ');
}

function singleChangeText(step: RunStep): string | undefined {
  if (step.planned.action !== 'update' || !isDone(step)) return undefined;
  const changes = runChanges(step);
  const [change] = changes;
  return changes.length === 1 && change ? `${change.field} ${change.before} → ${change.after}` : undefined;
}

/** Omits unchanged values and those that the service ignored. */
export function runChanges({ planned, begin, end }: RunStep) {
  const { before, after, unkept = [] } = begin ?? {};
  const old = new Map(leafValues(before));
  const sent = new Map(leafValues(after));
  const isUpdate = planned.action === 'update';
  const fields = isUpdate
    ? [...new Set([...old.keys(), ...unkept])]
    : [...new Set([...old.keys(), ...sent.keys()])];
  const untaken = [...(end?.untaken ?? []), ...(end?.altered ?? [])];
  return fields.flatMap((field) => {
    if (untaken.some((path) => field === path || field.startsWith(`${path}.`))) return [];
    const was = unkept.includes(field) ? 'set' : valueText(old.get(field));
    const is = valueText(sent.get(field));
    return was === is && was !== 'set' ? [] : [{ field, before: was, after: is }];
  });
}

const valueText = (value: Json | undefined): string =>
  typeof value === 'string' ? value : (value ?? null) === null ? '(none)' : JSON.stringify(value);

/** Returns dotted paths and their values. Lists and flows count as one value. */
function leafValues(value: Json | undefined, above = ''): readonly (readonly [string, Json])[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]): readonly (readonly [string, Json])[] => {
    const path = `${above}${key}`;
    if (inner === undefined) return [];
    return isObject(inner) && key !== 'flow' && Object.keys(inner).length > 0
      ? leafValues(inner, `${path}.`)
      : [[path, inner]];
  });
}

export function runJson(run: Run): JsonObject {
  const { run: id, ci, rollout, what, note, undoes, state, parts } = run;
  return {
    id,
    at: runTime(run),
    who: runAuthor(run),
    by: run.writer ?? null,
    user: run.user ?? null,
    user_id: run.userId ?? null,
    machine: run.machine ?? null,
    ...omitUndefined({ ci: ci && { ...ci } }),
    service: parts[0]?.start.account.origin ?? null,
    accounts: parts.map(({ start }) => ({
      id: start.account.id ?? null,
      name: start.account.name,
      ...(rollout === undefined ? {} : { run: start.run }),
    })),
    what,
    command: run.command ?? null,
    ...omitUndefined({ note, rollout, undoes }),
    state,
    counts: { ...countChanges(run) },
  };
}

const worstFirst: readonly RunState[] = [
  'running',
  'unfinished',
  'interrupted',
  'partial',
  'refused',
  'declined',
  'finished',
];

function combineRuns(runs: readonly [Run, ...(readonly Run[])]): Run {
  const [first] = runs;
  const states = new Set(runs.map(({ state }) => state));
  return {
    ...first,
    parts: runs.flatMap(({ parts }) => parts),
    state: worstFirst.find((state) => states.has(state)) ?? first.state,
    damaged: runs.reduce((sum, { damaged }) => sum + damaged, 0),
  };
}

/** Combines consecutive runs of the same rollout into one with several accounts. */
export async function* combineRollouts(runs: AsyncIterable<Run>): AsyncGenerator<Run> {
  let open: [Run, ...Run[]] | undefined;
  for await (const run of runs) {
    const isNext = open !== undefined && run.rollout !== undefined && open[0].rollout === run.rollout;
    if (isNext && open?.[0].what === run.what) open.push(run);
    else {
      if (open) yield combineRuns(open);
      open = [run];
    }
  }
  if (open) yield combineRuns(open);
}

/** Returns a run with the other runs of its rollout, in order. */
export async function readWholeRollout(
  run: Run,
  rollouts: Rollouts,
  read: (id: string) => Promise<Run | undefined>,
): Promise<Run> {
  if (run.rollout === undefined || (await rollouts.read(run.rollout)) === undefined) return run;
  const others: Run[] = [];
  for await (const { runs } of rollouts.accounts(run.rollout))
    for (const id of runs) {
      const other = await read(id);
      if (other && other.what === run.what) others.push(other);
    }
  const [first, ...rest] = others;
  return first ? { ...combineRuns([first, ...rest]), run: run.run } : run;
}

/** Replaces ids by names from the log. Reads the log once, when the first id is replaced. */
export function loggedNames(runs: Runs): (text: string) => Promise<string> {
  let names: Promise<ReadonlyMap<string, string>> | undefined;
  return async (text) => {
    if (!new RegExp(idToken).test(text)) return text;
    names ??= readLoggedNames(runs);
    return replaceIds(text, await names);
  };
}

async function readLoggedNames(runs: Runs): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { parts } of newestRuns(runs, {}))
    for (const { planned, begin, end } of parts.flatMap(({ steps }) => steps)) {
      const id = end?.id ?? begin?.id;
      const word = kindOfSection(planned.kind)?.resource.singular;
      if (id === undefined || names.has(id) || !word || !planned.label.startsWith(`${word} `)) continue;
      const name = planned.label.slice(word.length + 1);
      names.set(id, name.replace(/^"(.*)"$/, '$1'));
    }
  return names;
}
