import { type Measurement, median, pairs } from './measure.ts';
import { bin, timed, type World } from './processes.ts';

const turns = 25;
const ms = (values: readonly number[]): string => `${median(values).toFixed(1)} ms`;

/** `--version` and `--help` against a Node.js that does nothing. */
export async function measureStartup(world: World): Promise<readonly Measurement[]> {
  const empty = async () => (await timed(['-e', '0'], world)).ms;
  const targets = [
    { option: '--version', atMost: 1.3 },
    { option: '--help', atMost: 1.7 },
  ];
  const found: Measurement[] = [];
  for (const { option, atMost } of targets) {
    const pair = await pairs(turns, async () => (await timed([bin, option], world)).ms, empty);
    found.push({
      name: `telctl ${option} : node -e 0`,
      telctl: ms(pair.ours),
      yardstick: ms(pair.theirs),
      ratio: pair.ratio,
      target: { atMost },
    });
  }
  return found;
}
