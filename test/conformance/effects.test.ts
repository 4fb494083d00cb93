import { describe, expect, test } from 'vitest';
import { operations } from '../../src/contract/catalogue.ts';
import type { StoreChange } from '../../src/extensions/sandbox/store/store.ts';
import { claimOf } from '../support/claim.ts';
import { aboutLine, type CommandLine, linesFor } from '../support/command-lines.ts';
import { distinctCommands } from '../support/distinct-commands.ts';
import type { Fault, FaultRule } from '../support/faults.ts';
import { isServedHere, mode } from '../support/mode.ts';
import { openWorld, type Run } from '../support/world.ts';

/** Commands of whose changes the service shows nothing, so that nobody can look what became of them. */
const unseen = new Set([
  'api',
  'channels break',
  'channels intercept',
  'channels metaflow',
  'conferences participants update',
  // A phone rings, or is told to fetch its settings.
  'devices notify',
  'devices quickcall',
  'devices sync',
  'faxes outbox resubmit',
  'keys reset',
  // Mails go out later.
  'notifications preview',
  'notifications tell-customers',
  // The service repairs what it keeps beside the numbers.
  'numbers fix',
  // Phones are told; what their lamps show, they alone know.
  'presence reset',
  'presence set',
  'queues eavesdrop',
  'services update',
  'tokens revoke-all',
  'users quickcall',
]);

/** True for a command of whose changes this run's service shows nothing. */
const isUnseen = ({ path, operations: [id] = [] }: CommandLine['command']): boolean => {
  const resource = operations.find((each) => each.id === id)?.resource;
  const reads = operations.filter(
    ({ verb, ...each }) => each.resource === resource && (verb === 'get' || verb === 'list'),
  );
  return unseen.has(path.join(' ')) || !reads.some(isServedHere);
};

/** Point at which the reply of a change is lost: the request before or after the service carried it out. */
const cuts = [
  { cut: 'cut before', fault: { kind: 'cut', by: 'close' }, forGood: false },
  { cut: 'cut after', fault: { kind: 'lose-reply' }, forGood: false },
  { cut: 'cut after, and all requests from there on', fault: { kind: 'lose-reply' }, forGood: true },
] as const satisfies readonly { cut: string; fault: Fault; forGood: boolean }[];

/** Strikes the first request that changes something, and where it is for good all that follow. */
function rulesOf({ fault, forGood }: (typeof cuts)[number]): readonly FaultRule[] {
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

interface Struck {
  readonly line: CommandLine;
  /** Number of lines that the command has. */
  readonly of: number;
  readonly run: Run;
  /** All that was written to the database meanwhile. */
  readonly changes: readonly StoreChange[];
}

/** Runs the line of a command in a world of its own. */
async function strike(
  command: CommandLine['command'],
  index: number,
  rules: readonly FaultRule[],
): Promise<Struck | undefined> {
  const world = await openWorld();
  const lines = await linesFor(command, world);
  const line = lines[index];
  if (!line) return undefined;
  const changes: StoreChange[] = [];
  world.sandbox.store.watch((committed) => changes.push(...committed));
  const faults = [...(line.run.faults ?? []), ...rules];
  const run = await world.telctl([...line.argv, ...line.answered], { ...line.run, faults });
  return { line, of: lines.length, run, changes };
}

/** Commands that may change something at the service; `api` does as it is told. */
const writing = distinctCommands.filter(
  ({ path, effect }) =>
    path[0] !== 'sandbox' && (path[0] === 'api' || (effect !== 'read' && effect !== 'local')),
);

/**
 * `EFFECTS=all` makes every cut in every line; otherwise each line is cut after the change, and in one other way. In the
 * modes of a service, which differ by what it answers, it is cut after the change or, in turn, for good from there on.
 */
function cutsOf(position: number): readonly (typeof cuts)[number][] {
  if (process.env.EFFECTS === 'all') return cuts;
  if (mode !== undefined) return [position % 4 === 0 ? cuts[2] : cuts[1]];
  return [cuts[1], position % 2 === 0 ? cuts[0] : cuts[2]];
}

describe.each(writing.map((command, position) => ({ command, position, name: command.path.join(' ') })))(
  'the result of telctl $name',
  ({ command, position, name }) => {
    test('matches the change in the database', async () => {
      for (let index = 0, count = 1; index < count; index += 1) {
        const whole = await strike(command, index, []);
        if (whole === undefined) break;
        count = whole.of;
        const { line, run: delivered } = whole;
        if (!line.changes) continue;
        expect(delivered.code, aboutLine(line, delivered.stderr)).toBe(0);
        const isStored = whole.changes.length > 0;
        expect(
          isStored || unseen.has(name),
          `${line.argv.join(' ')} stored nothing. If the service shows nothing of such a change, add "${name}" to \`unseen\` in test/conformance/effects.test.ts.`,
        ).toBe(true);
        for (const cut of cutsOf(position)) {
          const struck = await strike(command, index, rulesOf(cut));
          if (!struck) throw new Error(`${line.argv.join(' ')} has no such line any more.`);
          const { run } = struck;
          const claim = claimOf(run);
          const where = `${line.argv.join(' ')}, ${cut.cut}, said ${claim}: ${run.stderr}`;
          const isChanged = struck.changes.length > 0;
          if (claim === 'done' && isStored) expect(isChanged, where).toBe(true);
          if (claim === 'exists') expect(isChanged, where).toBe(true);
          if (claim === 'not done' || claim === 'gone') expect(isChanged, where).toBe(false);
          if (claim === 'unknown') expect(cut.forGood || isUnseen(command), where).toBe(true);
          expect(claim === 'done' ? [0] : [75, 8], where).toContain(run.code);
        }
      }
    });
  },
);
