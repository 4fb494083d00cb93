import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { openWorld, type Run, type World } from '../../support/world.ts';

// Every run uses the same jobs. FUZZ_SEED=random or a number tries others.
const { FUZZ_SEED: given } = process.env;
const seed = given === 'random' ? Math.floor(Math.random() * 1e9) : Number(given ?? 20_261_127);

const office = (names: readonly string[]): string =>
  `menus:\n  main: { name: Main, retries: 3 }\nusers:\n${names
    .map(
      (name) =>
        `  ${name}: { username: ${name}, first_name: ${name}, last_name: Office, password: Passw0rd-1 }\n`,
    )
    .join('')}groups:\n  all: { name: All, endpoints: { ${names
    .map((name) => `"\${users.${name}}": { type: user, weight: 1 }`)
    .join(', ')} } }\n`;

/** Jobs by name. Each changes an account that has a user `eve` and a callflow "Main line". */
const jobs: Readonly<Record<string, (world: World, at: number) => Promise<Run>>> = {
  onboard: ({ telctl }, at) =>
    telctl(`users onboard -f people${at}.csv --credentials phones${at}.csv --yes`, {
      files: { [`people${at}.csv`]: `first_name,last_name,mac\nAnn,No${at},softphone\nBob,No${at},\n` },
    }),
  apply: ({ telctl }, at) =>
    telctl('apply -f office.yaml --yes --max-change-percent 100 --max-deletes 100', {
      files: { 'office.yaml': office(['fay', `gus${at}`]) },
    }),
  delete: ({ telctl }) => telctl('users delete eve --force --yes'),
  patch: ({ telctl }, at) => telctl(['users', 'patch', 'eve', '--set', `last_name=No ${at}`, '--yes']),
  copy: ({ telctl }, at) => telctl(['callflows', 'copy', 'Main line', '--name', `Copy ${at}`, '--yes']),
  offboard: async ({ telctl }) => {
    const users: readonly JsonObject[] = JSON.parse((await telctl('users list -o json')).stdout);
    const leaver = users.map(({ username }) => String(username)).findLast((name) => name !== 'admin');
    return telctl(['users', 'offboard', leaver ?? 'admin', '--yes']);
  },
};

async function openOffice(): Promise<World> {
  const world = await openWorld();
  const eve = await world.addUser({
    username: 'eve',
    first_name: 'Eve',
    last_name: 'Early',
    password: 'Passw0rd-1',
  });
  await world.service('PUT', 'devices', {
    name: "Eve's desk",
    owner_id: String(eve.id),
    sip: { username: 'eve1', password: 'Passw0rd-1' },
  });
  const hangup = { module: 'hangup', data: {}, children: {} };
  const flow = { module: 'user', data: { id: String(eve.id) }, children: { _: hangup } };
  await world.service('PUT', 'callflows', { name: 'Main line', numbers: ['3000'], flow });
  return world;
}

/** Exports the account without passwords and ids of deleted records, which undo cannot restore. */
const exportAccount = async ({ telctl }: World): Promise<string> =>
  (await telctl('export')).stdout
    .replaceAll(/^.*[pP]assword.*\n/gm, '')
    .replaceAll(/"?[0-9a-f]{32}"?( # the id of an? (?:deleted )?object)/g, 'GONE$1');

/** Returns the number of the newest run, or `undefined` if the log is empty. */
async function newestRun({ telctl }: World): Promise<string | undefined> {
  const [first]: readonly JsonObject[] = JSON.parse((await telctl('log --limit 1 -o json')).stdout);
  return first === undefined ? undefined : String(first.id);
}

async function undoRun(world: World, run: string): Promise<string> {
  const undo = await world.telctl(['undo', run, '--yes', '--force']);
  // Undo names values that it cannot restore, such as a password, and exits with code 8.
  expect([0, 8], undo.stderr).toContain(undo.code);
  return (await newestRun(world)) ?? '';
}

test('undoing every job, newest first, restores the account after each step', async () => {
  const job = fc.record({
    name: fc.constantFrom(...Object.keys(jobs)),
    // Undoes the job, undoes the undo, and undoes the job again.
    again: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(job, { minLength: 2, maxLength: 4 }), async (chosen) => {
      const world = await openOffice();
      const done: { run: string; before: string; again: boolean; name: string }[] = [];
      for (const [at, { name, again }] of chosen.entries()) {
        const [before, last] = [await exportAccount(world), await newestRun(world)];
        world.clock.turn(60_000);
        await jobs[name]?.(world, at);
        const run = await newestRun(world);
        if (run !== undefined && run !== last) done.push({ run, before, again, name });
      }
      for (const { run, before, again, name } of done.toReversed()) {
        const after = await exportAccount(world);
        let undo = await undoRun(world, run);
        if (again) {
          const redo = await undoRun(world, undo);
          expect(await exportAccount(world), `${name} was done again`).toBe(after);
          undo = await undoRun(world, redo);
        }
        expect(await exportAccount(world), `${name} was undone`).toBe(before);
      }
    }),
    { numRuns: 8, seed },
  );
});
