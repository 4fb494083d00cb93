import type { Context } from '../command/context.ts';
import { kindOf } from '../manifest/kinds.ts';
import { openState } from '../state/open-state.ts';
import type { Runs } from '../state/runs.ts';
import type { State } from '../state/state.ts';
import { folderOf } from '../state/state-folder.ts';

const dayMs = 86_400_000;

/** Opens what telctl remembers between runs. */
export const stateOf = ({ host, settings }: Pick<Context, 'host' | 'settings'>): State =>
  openState({
    host,
    folder: folderOf(host, settings.state.value),
    knows: (kind) => kindOf(kind) !== undefined,
    keepMs: settings.logDays.value * dayMs,
  });

/** The log, and what tells which of its runs go on. */
export async function runsOf({ host, state }: Pick<Context, 'host' | 'state'>): Promise<Runs> {
  return { log: (await state()).log, processes: host.processes };
}
