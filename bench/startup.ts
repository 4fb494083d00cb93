import { type Measurement, race } from './measure.ts';
import { bin, timed, type World } from './processes.ts';

const turns = 25;

/** Lines that do nothing but show a text that is known beforehand, and how long they may take. */
const lines = [
  { argv: ['--version'], atMost: 1.3 },
  { argv: ['--help'], atMost: 1.55 },
  { argv: ['users', '--help'], atMost: 1.55 },
  { argv: ['users', 'list', '--help'], atMost: 1.55 },
  { argv: [], atMost: 1.55 },
];

/** The version, pages of help and the front page against a Node.js that does nothing. */
export async function measureStartup(world: World): Promise<readonly Measurement[]> {
  const found: Measurement[] = [];
  for (const { argv, atMost } of lines)
    found.push(
      await race({
        name: `${['telctl', ...argv].join(' ')} : node -e 0`,
        turns,
        ours: () => timed([bin, ...argv], world),
        theirs: () => timed(['-e', '0'], world),
        target: { atMost },
      }),
    );
  return found;
}
