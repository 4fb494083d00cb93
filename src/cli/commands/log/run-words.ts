import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { claimedBy } from '../../../engine/state/log.ts';
import { isDone, type Run, type RunStep, undoneWord } from '../../../engine/state/runs.ts';
import { byDatabase } from '../../../engine/state/state.ts';

/** Names whoever did it: by the database where there is one, with what the process said of itself in brackets. */
export const whoOf = (run: Run): string =>
  run.writer === undefined ? claimedBy(run) : byDatabase(run.writer, claimedBy(run));

/** Time of its beginning. */
export const whenOf = ({ atMs }: Run): string => new Date(atMs).toISOString().replace(/\.\d+/, '');

/** Words for what became of records. */
const deeds = new Map([
  ['create', 'created'],
  ['update', 'updated'],
  ['delete', 'deleted'],
]);

/** Counts the changes of each kind, those that failed and those that are not known. */
function countsOf({ parts, state }: Run): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { planned, begin, end } of parts.flatMap(({ steps }) => steps)) {
    const unknown = begin !== undefined && state !== 'running' ? 'unknown' : 'not begun';
    const word =
      end === undefined ? unknown : end.ok ? (deeds.get(planned.action) ?? 'done') : undoneWord(end);
    if (word !== 'not begun') counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** Describes the changes of a run in few words: `2 updated`, or the values where there is one. */
export function changedText(run: Run): string {
  const steps = run.parts.flatMap(({ steps }) => steps);
  const [only] = steps;
  const charges = steps.flatMap(({ end }) =>
    end?.charges === undefined ? [] : [`charges accepted: ${end.charges}`],
  );
  const counts = Object.entries(countsOf(run)).map(([word, count]) => `${count} ${word}`);
  const value = steps.length === 1 && only ? oneValue(only) : undefined;
  return [value ?? counts.join(', '), ...charges].join(', ');
}

function oneValue(step: RunStep): string | undefined {
  if (step.planned.action !== 'update' || !isDone(step)) return undefined;
  const changes = changesOf(step);
  const [change] = changes;
  return changes.length === 1 && change ? `${change.field} ${change.before} → ${change.after}` : undefined;
}

/** A value that a step changed, for people. */
export interface Change {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** The values that a step changed; those that were sent as they had been, or were not taken, are left out. */
export function changesOf({ planned, begin, end }: RunStep): readonly Change[] {
  const { before, after, unkept = [] } = begin ?? {};
  const old = new Map(leaves(before));
  const sent = new Map(leaves(after));
  const isUpdate = planned.action === 'update';
  const fields = isUpdate
    ? [...new Set([...old.keys(), ...unkept])]
    : [...new Set([...old.keys(), ...sent.keys()])];
  const untaken = [...(end?.untaken ?? []), ...(end?.altered ?? [])];
  return fields.flatMap((field) => {
    if (untaken.some((path) => field === path || field.startsWith(`${path}.`))) return [];
    const was = unkept.includes(field) ? 'set' : valueInWords(old.get(field));
    const is = valueInWords(sent.get(field));
    return was === is && was !== 'set' ? [] : [{ field, before: was, after: is }];
  });
}

const valueInWords = (value: Json | undefined): string =>
  value === undefined || value === null
    ? '(none)'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** Dotted paths of a value with what stands at them; lists and flows are one value. */
function leaves(value: Json | undefined, above = ''): readonly (readonly [string, Json])[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]): readonly (readonly [string, Json])[] => {
    const path = `${above}${key}`;
    if (inner === undefined) return [];
    return isObject(inner) && key !== 'flow' && Object.keys(inner).length > 0
      ? leaves(inner, `${path}.`)
      : [[path, inner]];
  });
}

export function runJson(run: Run): JsonObject {
  const {
    run: id,
    writer,
    user,
    userId,
    machine,
    ci,
    rollout,
    what,
    command,
    note,
    undoes,
    state,
    parts,
  } = run;
  return {
    id,
    at: whenOf(run),
    who: whoOf(run),
    by: writer ?? null,
    user: user ?? null,
    user_id: userId ?? null,
    machine: machine ?? null,
    ...(ci === undefined ? {} : { ci: { ...ci } }),
    service: parts[0]?.start.account.origin ?? null,
    accounts: parts.map(({ start }) => ({
      id: start.account.id ?? null,
      name: start.account.name,
      ...(rollout === undefined ? {} : { run: start.run }),
    })),
    what,
    command: command ?? null,
    ...(note === undefined ? {} : { note }),
    ...(rollout === undefined ? {} : { rollout }),
    ...(undoes === undefined ? {} : { undoes }),
    state,
    counts: { ...countsOf(run) },
  };
}
