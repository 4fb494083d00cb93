/**
 * Measures telctl against yardsticks run beside it on the same machine, and prints a table with the targets. Ends with 1
 * where one is missed. `npm run bench -- startup read` runs some of the parts, `npm run bench -- --list` names them; the
 * beginning of names (`fleet`) means all of these.
 */
import { cpus } from 'node:os';
import { measureList, measureTable } from './collection.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureFleetPlan } from './fleet.ts';
import { measureApply, measureValidate } from './manifest.ts';
import { asTable, isMet, type Measurement } from './measure.ts';
import { measureOneRead } from './one-read.ts';
import { makeWorld, removeWorld, type World } from './processes.ts';
import { measureFirstAnswer } from './sandbox.ts';
import { type Service, startService, stopService } from './service.ts';
import { measureStartup } from './startup.ts';
import { measureSuite } from './suite.ts';

type Found = Measurement | readonly Measurement[];

/** Runs something against a sandbox in memory. */
const withService =
  (work: (world: World, service: Service) => Promise<Found>) =>
  async (world: World): Promise<Found> => {
    const service = await startService(world);
    try {
      return await work(world, service);
    } finally {
      await stopService(world);
    }
  };

/** A part: who feels it, its minutes on two idle cores, rounded up, and what it measures. */
interface Part {
  readonly who: string;
  readonly minutes: number;
  readonly measure: (world: World) => Promise<Found>;
}

const parts = new Map<string, Part>(
  Object.entries({
    startup: { who: 'whoever asks for help or completes a word', minutes: 1, measure: measureStartup },
    read: { who: 'scripts that ask once for each line', minutes: 1, measure: withService(measureOneRead) },
    start: { who: 'tests that start a sandbox each', minutes: 1, measure: measureFirstAnswer },
    list: { who: 'exports of large accounts', minutes: 1, measure: measureList },
    table: { who: 'whoever looks through ten thousand users', minutes: 2, measure: measureTable },
    validate: { who: 'pipelines, at each push', minutes: 1, measure: measureValidate },
    apply: { who: 'whoever moves an account: plan, apply, export', minutes: 10, measure: measureApply },
    'fleet-plan': { who: 'operators of 10,000 accounts', minutes: 3, measure: measureFleetPlan },
    deliveries: { who: 'receivers of webhooks', minutes: 2, measure: withService(measureDeliveries) },
    suite: { who: 'whoever changes telctl', minutes: 8, measure: measureSuite },
  }),
);

const named = process.argv.slice(2);
const isMeant = (part: string, name: string): boolean => part === name || part.startsWith(`${name}-`);
const unknown = named.find((name) => ![...parts.keys()].some((part) => isMeant(part, name)));
if (unknown !== undefined) {
  const lines = [...parts].map(
    ([name, { minutes, who }]) => `  ${name.padEnd(12)}${`about ${minutes} min`.padEnd(14)}${who}`,
  );
  console.log(['Parts:', ...lines].join('\n'));
  process.exit(unknown === '--list' ? 0 : 2);
}

const found: Measurement[] = [];
for (const [name, { minutes, measure }] of parts) {
  if (named.length > 0 && !named.some((each) => isMeant(name, each))) continue;
  console.error(`${name}: about ${minutes} min`);
  const world = makeWorld();
  try {
    found.push(...[await measure(world)].flat());
  } finally {
    removeWorld(world);
  }
}

console.log(`Node.js ${process.version}, ${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'})\n`);
console.log(asTable(found));
if (!found.every(isMet)) process.exitCode = 1;
