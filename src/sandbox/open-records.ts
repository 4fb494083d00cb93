import { Failure, leadsOn, nextStep } from '../base/failure.ts';
import type { Host } from '../base/host/host.ts';
import { messageOf } from '../base/wording.ts';
import { seedSetting } from './control/snapshots.ts';
import { turnedClock } from './control/turned-clock.ts';
import { parseSeed, statedBy } from './running.ts';
import { isSeeded, type Seed, seedSandbox } from './seed.ts';
import { openStore } from './store/store.ts';
import { allSandboxPaths, databaseIn, type Keeping, nameOption, seedIn } from './target.ts';

/** SQLite's number for a database that another process holds. */
const sqliteBusy = 5;

/** Returns the failure for records that are in use: by which sandbox, and how to end it. */
function usedBy(host: Host, folder: string, cause: unknown): Failure {
  const holder = allSandboxPaths(host)
    .map((paths) => ({ paths, state: statedBy(host, paths) }))
    .find(({ state }) => state?.folder === folder && host.processes.isAlive(state.pid));
  const elsewhere = 'or give another folder with --data';
  if (!holder?.state)
    return new Failure('failed', `another sandbox uses the records in ${folder}.`, {
      hint: `End the process that has ${databaseIn(folder)} open, ${elsewhere}.`,
      cause,
    });
  const { paths, state } = holder;
  return new Failure(
    'failed',
    `the sandbox ${paths.name} (process ${state.pid}) uses the records in ${folder}.`,
    { hint: leadsOn`${nextStep`sandbox stop ${nameOption(paths)}`}, ${elsewhere}.`, cause },
  );
}

/** Opens the records, making them where there are none. */
function openRecords(host: Host, keeping: Keeping) {
  if (keeping.kind === 'memory') return openStore(':memory:');
  const path = databaseIn(keeping.folder);
  try {
    // Made empty first, so that the database and all beside it are the owner's alone.
    if (host.files.sizeOf(path) === undefined) host.files.writePrivate(path, '');
    return openStore(path);
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)
      throw usedBy(host, keeping.folder, error);
    throw unusable(keeping.folder, error);
  }
}

/** The failure for a database that is damaged, none, of a newer telctl, or on a full disk. */
const unusable = (folder: string, cause: unknown): Failure =>
  new Failure('failed', `${databaseIn(folder)} cannot be used: ${messageOf(cause)}.`, {
    hint: `Mend that, or give another folder with --data; with ${folder} out of the way it begins anew.`,
    cause,
  });

/** Keeps the clear secrets of whom a database was seeded with beside it. */
export function keepSeed({ files }: Host, keeping: Keeping, seed: Seed): void {
  if (keeping.kind === 'folder')
    files.writePrivate(seedIn(keeping.folder), `${JSON.stringify(seed, null, 2)}\n`);
}

/** The seed kept beside a database; a database without one cannot be signed in to. */
function keptSeed({ files }: Host, folder: string): Seed {
  const path = seedIn(folder);
  const text = files.readText(path)?.text;
  const seed = text === undefined ? undefined : parseSeed(text);
  if (seed !== undefined) return seed;
  const why = text === undefined ? 'missing' : 'damaged';
  throw new Failure('failed', `${path} is ${why}: nobody knows the passwords of that sandbox.`, {
    hint: leadsOn`Begin anew with: ${nextStep`sandbox reset`}, or give another folder with --data.`,
  });
}

/** Opens the records of a sandbox and its clock; empty ones are seeded. Throws `Failure` where they cannot be had. */
export async function openSeeded(host: Host, keeping: Keeping, apiKey?: string) {
  const store = openRecords(host, keeping);
  try {
    const clock = await turnedClock(host.clock, store);
    const isNew = keeping.kind === 'memory' || !(await isSeeded(store));
    // A snapshot brings its seed along; the process may have died before it was kept beside the database.
    const brought = isNew ? undefined : parseSeed((await store.setting(seedSetting)) ?? '');
    const seed: Seed = isNew
      ? await seedSandbox(store, { clock, random: host.random, apiKey })
      : brought === undefined
        ? keptSeed(host, keeping.folder)
        : brought;
    if (isNew || brought !== undefined) keepSeed(host, keeping, seed);
    return { store, clock, seed };
  } catch (error) {
    await store.close();
    // What is damaged further inside shows when it is read.
    const isDatabase = error instanceof Error && 'errcode' in error;
    throw isDatabase && keeping.kind === 'folder' ? unusable(keeping.folder, error) : error;
  }
}
