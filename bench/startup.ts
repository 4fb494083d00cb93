import { compareProcesses, type Measurement } from './measure.ts';
import { bin, runTimed, type World } from './processes.ts';

const rounds = 25;

/** Commands that only print stored text, with the time limit of each. */
const lines = [
  { argv: ['--version'], atMost: 1.3 },
  { argv: ['--help'], atMost: 1.55 },
  { argv: ['users', '--help'], atMost: 1.55 },
  { argv: ['users', 'list', '--help'], atMost: 1.55 },
  { argv: [], atMost: 1.55 },
];

/** Compares the version, help pages and the overview with an empty Node.js program. */
export async function measureStartup(world: World): Promise<readonly Measurement[]> {
  const found: Measurement[] = [];
  for (const { argv, atMost } of lines)
    found.push(
      await compareProcesses({
        name: `${['telctl', ...argv].join(' ')} : node -e 0`,
        turns: rounds,
        ours: () => runTimed([bin, ...argv], world),
        theirs: () => runTimed(['-e', '0'], world),
        target: { atMost },
      }),
    );
  return found;
}
