import { type OutsideValues, replaceOutsideValues } from '../../base/outside-values.ts';
import type { LogLine } from './log.ts';
import type { State } from './state.ts';

/**
 * Returns a state that records the source of a value from outside instead of the value. Ledgers only contain hashes,
 * and plans contain the values as shown.
 */
export function gatedState(state: State, outside: OutsideValues): State {
  const { log, rollouts } = state;
  const show = <T>(given: T): T => replaceOutsideValues(given, outside);
  return {
    ...state,
    log: {
      ...log,
      async begin() {
        const run = await log.begin();
        return { ...run, write: (line) => run.write(recordedLine(line, outside)) };
      },
    },
    rollouts: {
      ...rollouts,
      change: (id, change) => rollouts.change(id, (now) => show(change(now))),
      put: (id, account) => rollouts.put(id, show(account)),
    },
  };
}

/** Keeps keys, ids and old values, because `undo` and `apply --resume` need them. */
function recordedLine(line: LogLine, outside: OutsideValues): LogLine {
  if (outside.size === 0) return line;
  const show = <T>(given: T): T => replaceOutsideValues(given, outside);
  switch (line.line) {
    case 'start': {
      const { account, steps, command, note } = line;
      return {
        ...line,
        ...show({ command, note }),
        account: { ...account, name: show(account.name) },
        steps: steps.map((step) => ({ ...step, label: show(step.label) })),
      };
    }
    case 'begin': {
      const { step, after } = line;
      return {
        ...line,
        ...(step && { step: { ...step, label: show(step.label) } }),
        ...(after !== undefined && { after: show(after) }),
      };
    }
    case 'end':
      return line.error === undefined ? line : { ...line, error: show(line.error) };
    case 'finish':
      return line;
  }
}
