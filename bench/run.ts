/**
 * Measures telctl against yardsticks run beside it on the same machine, and prints the table that the README
 * may quote. Ends with 1 where a target is missed. `npm run bench -- startup read` runs some of the parts.
 */
import { cpus } from 'node:os';
import { measureBulk } from './bulk.ts';
import { measureCdrs } from './cdrs.ts';
import { measureCollection } from './collection.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureLimit } from './limit.ts';
import { measureManifest } from './manifest.ts';
import { asTable, isMet, type Measurement } from './measure.ts';
import { measureOneRead } from './one-read.ts';
import { makeWorld, removeWorld } from './processes.ts';
import { measureFirstAnswer, measureThroughput } from './sandbox.ts';
import { startService, stopService } from './service.ts';
import { measureStartup } from './startup.ts';

const wanted = new Set(process.argv.slice(2));
const wants = (part: string): boolean => wanted.size === 0 || wanted.has(part);
const world = makeWorld();
const found: Measurement[] = [];

try {
  if (wants('startup')) found.push(...(await measureStartup(world)));
  if (wants('start')) found.push(await measureFirstAnswer(world));
  if (wants('collection')) found.push(...(await measureCollection()));
  if (wants('cdrs')) found.push(...(await measureCdrs()));
  if (wants('manifest')) found.push(...(await measureManifest()));
  if (wants('limit')) found.push(await measureLimit());
  if (wants('deliveries')) found.push(...(await measureDeliveries()));
  if (['read', 'sandbox', 'bulk'].some(wants)) {
    const service = await startService(world);
    try {
      if (wants('read')) found.push(await measureOneRead(world, service));
      if (wants('sandbox')) found.push(await measureThroughput(world, service));
      if (wants('bulk')) found.push(...(await measureBulk(world, service)));
    } finally {
      await stopService(world);
    }
  }
} finally {
  removeWorld(world);
}

console.log(`Node.js ${process.version}, ${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'})\n`);
console.log(asTable(found));
if (!found.every(isMet)) process.exitCode = 1;
