/**
 * Measures telctl against yardsticks run beside it on the same machine, and prints a table with the targets. Ends with 1
 * where one is missed. `npm run bench -- startup read` runs some of the parts, `npm run bench -- --list` names them; the
 * beginning of names (`fleet`) means all of these.
 */
import { cpus } from 'node:os';
import { measureBulk } from './bulk.ts';
import { measureCdrs } from './cdrs.ts';
import { measureCollection, measureTable } from './collection.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureFleetApply, measureFleetPlan, measureFleetState, measureFleetWorkers } from './fleet.ts';
import { measureLimit } from './limit.ts';
import { measureApply, measureGrowth, measureValidate } from './manifest.ts';
import { asTable, isMet, type Measurement } from './measure.ts';
import { measureOneRead } from './one-read.ts';
import { makeWorld, removeWorld, type World } from './processes.ts';
import { measureFirstAnswer, measureThroughput } from './sandbox.ts';
import { type Service, startService, stopService } from './service.ts';
import { measureBinary, measureStartup } from './startup.ts';
import { measureTraffic } from './traffic.ts';

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

/** A part: its minutes on a machine of two cores that does nothing else, rounded up, and what it measures. */
interface Part {
  readonly minutes: number;
  readonly measure: (world: World) => Promise<Found>;
}

const parts = new Map<string, Part>(
  Object.entries({
    startup: { minutes: 1, measure: measureStartup },
    binary: { minutes: 1, measure: measureBinary },
    read: { minutes: 1, measure: withService(measureOneRead) },
    start: { minutes: 1, measure: measureFirstAnswer },
    table: { minutes: 2, measure: measureTable },
    validate: { minutes: 1, measure: measureValidate },
    apply: { minutes: 10, measure: measureApply },
    growth: { minutes: 5, measure: measureGrowth },
    'fleet-plan': { minutes: 3, measure: measureFleetPlan },
    'fleet-apply': { minutes: 1, measure: measureFleetApply },
    'fleet-workers': { minutes: 1, measure: measureFleetWorkers },
    'fleet-state': { minutes: 3, measure: measureFleetState },
    limit: { minutes: 1, measure: measureLimit },
    bulk: { minutes: 1, measure: withService(measureBulk) },
    sandbox: { minutes: 1, measure: withService(measureThroughput) },
    deliveries: { minutes: 5, measure: measureDeliveries },
    collection: { minutes: 3, measure: measureCollection },
    cdrs: { minutes: 2, measure: measureCdrs },
    traffic: { minutes: 1, measure: measureTraffic },
  }),
);

const named = process.argv.slice(2);
const isMeant = (part: string, name: string): boolean => part === name || part.startsWith(`${name}-`);
const unknown = named.find((name) => ![...parts.keys()].some((part) => isMeant(part, name)));
if (unknown !== undefined) {
  const lines = [...parts].map(([name, { minutes }]) => `  ${name.padEnd(15)}about ${minutes} min`);
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
