import { existsSync } from 'node:fs';
import { type Measurement, race } from './measure.ts';
import { bin, binary, timed, type World } from './processes.ts';

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

/** The help of the single executable against that of the npm package; nothing where none was made. */
export async function measureBinary(world: World): Promise<readonly Measurement[]> {
  if (!existsSync(binary)) return [];
  const argv = ['users', 'list', '--help'];
  return [
    await race({
      name: `binary/telctl ${argv.join(' ')} : that of the npm package`,
      turns: 15,
      ours: () => timed(argv, world, { program: binary }),
      theirs: () => timed([bin, ...argv], world),
      target: { atMost: 3 },
    }),
  ];
}
