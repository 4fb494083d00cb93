import { describe, expect, test } from 'vitest';
import { operations } from '../../src/contract/catalogue.ts';
import type { StoreChange } from '../../src/extensions/sandbox/store/store.ts';
import { claimOf } from '../support/claim.ts';
import { type CommandLine, createLines, explainLine } from '../support/command-lines.ts';
import { distinctCommands } from '../support/distinct-commands.ts';
import type { Fault, FaultRule } from '../support/faults.ts';
import { isServedHere, mode } from '../support/mode.ts';
import { openWorld, type Run } from '../support/world.ts';

/** Commands whose changes cannot be read back from the service. */
const unreadable = new Set([
  'api',
  'channels break',
  'channels intercept',
  'channels metaflow',
  'conferences participants update',
  // A phone rings or reloads its settings.
  'devices notify',
  'devices quickcall',
  'devices sync',
  'faxes outbox resubmit',
  'keys reset',
  // Messages are sent later.
  'notifications preview',
  'notifications tell-customers',
  // The service repairs internal data of numbers.
  'numbers fix',
  // Only phones know the state of their lamps.
  'presence reset',
  'presence set',
  'queues eavesdrop',
  'services update',
  'tokens revoke-all',
  'users quickcall',
]);

/** Returns true for a command whose changes cannot be read back from this run's service. */
const isUnreadable = ({ path, operations: [id] = [] }: CommandLine['command']): boolean => {
  const resource = operations.find((each) => each.id === id)?.resource;
  const reads = operations.filter(
    ({ verb, ...each }) => each.resource === resource && (verb === 'get' || verb === 'list'),
  );
  return unreadable.has(path.join(' ')) || !reads.some(isServedHere);
};

/** When the response of a change is lost: before or after the service executed the request. */
const cuts = [
  { cut: 'cut before', fault: { kind: 'cut', by: 'close' }, forGood: false },
  { cut: 'cut after', fault: { kind: 'lose-reply' }, forGood: false },
  { cut: 'cut after, and all requests from there on', fault: { kind: 'lose-reply' }, forGood: true },
] as const satisfies readonly { cut: string; fault: Fault; forGood: boolean }[];

/** Injects the fault at the first change, or at all changes if it is permanent. */
function faultRules({ fault, forGood }: (typeof cuts)[number]): readonly FaultRule[] {
  let met = 0;
  const path = /^(?!.*\/(?:user_auth|api_auth)$)/;
  return [
    { fault: { kind: 'cut', by: 'close' }, when: () => forGood && met > 0 },
    ...(['PUT', 'POST', 'PATCH', 'DELETE'] as const).map((method) => ({
      ...{ method, path, fault },
      when: () => met === 0,
      met: () => {
        met += 1;
      },
    })),
  ];
}

interface FaultyRun {
  readonly line: CommandLine;
  /** Number of lines of the command. */
  readonly lineCount: number;
  readonly run: Run;
  readonly changes: readonly StoreChange[];
}

/** Runs the line of a command in a new world. */
async function runWithFaults(
  command: CommandLine['command'],
  index: number,
  rules: readonly FaultRule[],
): Promise<FaultyRun | undefined> {
  const world = await openWorld();
  const lines = await createLines(command, world);
  const line = lines[index];
  if (!line) return undefined;
  const changes: StoreChange[] = [];
  world.sandbox.store.watch((committed) => changes.push(...committed));
  const faults = [...(line.run.faults ?? []), ...rules];
  const run = await world.telctl([...line.argv, ...line.answered], { ...line.run, faults });
  return { line, lineCount: lines.length, run, changes };
}

/** Commands that may change something at the service. `api` can send any request, so it is included. */
const writeCommands = distinctCommands.filter(
  ({ path, effect }) =>
    path[0] !== 'sandbox' && (path[0] === 'api' || (effect !== 'read' && effect !== 'local')),
);

/**
 * Selects the faults of a line. `EFFECTS=all` selects all. Otherwise the first response of a change is lost, and one
 * other fault is selected in turn. The modes of a service differ only by their responses, so one fault is enough
 * there.
 */
function selectCuts(position: number): readonly (typeof cuts)[number][] {
  if (process.env.EFFECTS === 'all') return cuts;
  if (mode !== undefined) return [position % 4 === 0 ? cuts[2] : cuts[1]];
  return [cuts[1], position % 2 === 0 ? cuts[0] : cuts[2]];
}

describe.each(
  writeCommands.map((command, position) => ({ command, position, name: command.path.join(' ') })),
)('the result of telctl $name', ({ command, position, name }) => {
  test('matches the change in the database', async () => {
    for (let index = 0, count = 1; index < count; index += 1) {
      const whole = await runWithFaults(command, index, []);
      if (whole === undefined) break;
      count = whole.lineCount;
      const { line, run: delivered } = whole;
      if (!line.changes) continue;
      expect(delivered.code, explainLine(line, delivered.stderr)).toBe(0);
      const isStored = whole.changes.length > 0;
      expect(
        isStored || unreadable.has(name),
        `${line.argv.join(' ')} stored nothing. If the service shows nothing of such a change, add "${name}" to \`unseen\` in test/conformance/effects.test.ts.`,
      ).toBe(true);
      for (const cut of selectCuts(position)) {
        const cutRun = await runWithFaults(command, index, faultRules(cut));
        if (!cutRun) throw new Error(`${line.argv.join(' ')} no longer has this line.`);
        const { run } = cutRun;
        const claim = claimOf(run);
        const where = `${line.argv.join(' ')}, ${cut.cut}, said ${claim}: ${run.stderr}`;
        const isChanged = cutRun.changes.length > 0;
        if (claim === 'done' && isStored) expect(isChanged, where).toBe(true);
        if (claim === 'exists') expect(isChanged, where).toBe(true);
        if (claim === 'not done' || claim === 'gone') expect(isChanged, where).toBe(false);
        if (claim === 'unknown') expect(cut.forGood || isUnreadable(command), where).toBe(true);
        expect(claim === 'done' ? [0] : [75, 8], where).toContain(run.code);
      }
    }
  });
});
