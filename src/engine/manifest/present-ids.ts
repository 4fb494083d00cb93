import { mapTexts } from '../../base/json.ts';
import { newestRuns, type Run, type RunPart, type Runs } from '../state/runs.ts';
import type { Account } from '../state/state.ts';

/** Returns the new ids of records that undos created again, by their former ids. */
export async function replacedIds(
  runs: Runs,
  { run }: Pick<Run, 'run'>,
  account: Account,
): Promise<ReadonlyMap<string, string>> {
  const present = new Map<string, string>();
  // Newest first, so that a record that was created again twice leads to its last id.
  for await (const later of newestRuns(runs, { account })) {
    if (later.run === run) break;
    for (const { start, steps } of later.what === 'undo' ? later.parts : []) {
      if (start.account.id !== account.accountId || start.account.origin !== account.origin) continue;
      for (const { planned, end } of steps)
        if (planned.replaces !== undefined && end?.ok && end.id !== undefined)
          present.set(planned.replaces, present.get(end.id) ?? end.id);
    }
  }
  return present;
}

export function withPresentIds(part: RunPart, present: ReadonlyMap<string, string>): RunPart {
  if (present.size === 0) return part;
  const presentId = (id: string): string => present.get(id) ?? id;
  const steps = part.steps.map(({ planned, begin, end }) => ({
    planned,
    begin: begin && {
      ...begin,
      ...(begin.id === undefined ? {} : { id: presentId(begin.id) }),
      ...(begin.before === undefined ? {} : { before: mapTexts(begin.before, presentId) }),
      ...(begin.after === undefined ? {} : { after: mapTexts(begin.after, presentId) }),
    },
    end: end && (end.id === undefined ? end : { ...end, id: presentId(end.id) }),
  }));
  return { ...part, steps, formerIds: new Map([...present].map(([before, id]) => [id, before])) };
}
