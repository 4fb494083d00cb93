/**
 * Measures telctl against yardsticks on the same machine, and prints a table with the targets. Exits with code 1 if a
 * target is missed. `npm run bench -- startup read` runs some parts, and `npm run bench -- --list` lists them. The
 * first word of a name selects all parts that start with it: `fleet`.
 */
import { cpus } from 'node:os';
import { measureList, measureTable } from './collection.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureFleetPlan } from './fleet.ts';
import { measureApply, measureValidate } from './manifest.ts';
import { formatMeasurements, isMet, type Measurement } from './measure.ts';
import { measureOneRead } from './one-read.ts';
import { makeWorld, removeWorld, type World } from './processes.ts';
import { measureFirstAnswer } from './sandbox.ts';
import { type Service, startService, stopService } from './service.ts';
import { measureStartup } from './startup.ts';
import { measureSuite } from './suite.ts';

type Found = Measurement | readonly Measurement[];

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

/** A part of the benchmarks: who benefits, its duration in minutes on two idle cores, and the measurement. */
interface Part {
  readonly benefits: string;
  readonly minutes: number;
  readonly measure: (world: World) => Promise<Found>;
}

const parts = new Map<string, Part>(
  Object.entries({
    startup: { benefits: 'users who read help or complete words', minutes: 1, measure: measureStartup },
    read: {
      benefits: 'scripts that run telctl once per line',
      minutes: 1,
      measure: withService(measureOneRead),
    },
    start: { benefits: 'tests that each start a sandbox', minutes: 1, measure: measureFirstAnswer },
    list: { benefits: 'exports of large accounts', minutes: 1, measure: measureList },
    table: { benefits: 'users with large accounts', minutes: 2, measure: measureTable },
    validate: { benefits: 'CI pipelines', minutes: 1, measure: measureValidate },
    apply: {
      benefits: 'administrators who plan, apply and export large accounts',
      minutes: 10,
      measure: measureApply,
    },
    'fleet-plan': { benefits: 'operators of 10,000 accounts', minutes: 3, measure: measureFleetPlan },
    deliveries: { benefits: 'receivers of webhooks', minutes: 2, measure: withService(measureDeliveries) },
    suite: { benefits: 'contributors to telctl', minutes: 8, measure: measureSuite },
  }),
);

const selected = process.argv.slice(2);
const matchesPart = (part: string, name: string): boolean => part === name || part.startsWith(`${name}-`);
const unknown = selected.find((name) => ![...parts.keys()].some((part) => matchesPart(part, name)));
if (unknown !== undefined) {
  const lines = [...parts].map(
    ([name, { minutes, benefits }]) => `  ${name.padEnd(12)}${`about ${minutes} min`.padEnd(14)}${benefits}`,
  );
  console.log(['Parts:', ...lines].join('\n'));
  process.exit(unknown === '--list' ? 0 : 2);
}

const found: Measurement[] = [];
for (const [name, { minutes, measure }] of parts) {
  if (selected.length > 0 && !selected.some((each) => matchesPart(name, each))) continue;
  console.error(`${name}: about ${minutes} min`);
  const world = makeWorld();
  try {
    found.push(...[await measure(world)].flat());
  } finally {
    removeWorld(world);
  }
}

console.log(`Node.js ${process.version}, ${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'})\n`);
console.log(formatMeasurements(found));
if (!found.every(isMet)) process.exitCode = 1;
