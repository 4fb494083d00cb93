import type { Context } from '../../command/context.ts';
import { isUntaken } from '../../manifest/apply/report.ts';
import type { RunParts } from '../../manifest/apply/run-plan.ts';

const deeds = { create: 'created', update: 'updated', delete: 'deleted' } as const;

/**
 * Tells of a run as it goes: a bar at a terminal, elsewhere a line for each thing that was done. What failed is told
 * at the end.
 */
export function reportOf({ host, notices }: Context): RunParts['told'] {
  const isTerminal = host.stderr.isTTY === true;
  return (result, over, total) => {
    const { step, outcome, charges, untaken = [] } = result;
    if (outcome === 'done' || outcome === 'found') {
      const deed =
        step.releases !== undefined
          ? 'made room with'
          : step.completes !== undefined
            ? 'completed'
            : step.action === 'create' || step.action === 'delete'
              ? deeds[step.action]
              : deeds.update;
      const found = outcome === 'found' ? ' (no reply came; it was there when looked for)' : '';
      const accepted = charges === undefined ? '' : ` (charges accepted: ${charges})`;
      if (untaken.length > 0) notices.warn(`${step.label}: ${untaken.join(', ')} not taken by the service`);
      if (isUntaken(result)) return notices.progress(over, total, step.kind);
      if (!isTerminal || found !== '' || accepted !== '')
        notices.say(`${deed} ${step.label}${found}${accepted}`);
    }
    notices.progress(over, total, step.kind);
  };
}
