import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { operations } from '../../src/contract/catalogue.ts';
import { allCommands, createLines } from '../support/command-lines.ts';
import type { SentRequest } from '../support/inject-transport.ts';
import { openWorld, type Run, type World } from '../support/world.ts';

const documented = operations.filter(({ source }) => source === 'specification');
const pathPattern = (path: string): RegExp => new RegExp(`^(?:/v2)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** Returns true if the specification lists a request, by method, path and action. */
const isDocumented = ({ method, path, body }: SentRequest): boolean =>
  documented.some(
    (operation) =>
      operation.method === method &&
      pathPattern(operation.path).test(path) &&
      (operation.body?.kind !== 'action' || (isObject(body) && body.action === operation.body.action)),
  );

const formatRequests = (requests: readonly SentRequest[]) =>
  requests.map(({ method, path }) => `${method} ${path}`);

/** Runs each line of a command in a new world. Lines that change something also run with `--dry-run`. */
async function checkEachRun(
  command: Command,
  prepare: (world: World) => Promise<void>,
  check: (run: Run, words: string) => void,
): Promise<void> {
  for (let index = 0, count = 1; index < count; index += 1) {
    for (const more of command.effect === 'read' ? [[]] : [['--dry-run'], []]) {
      const world = await openWorld();
      const lines = await createLines(command, world);
      count = lines.length;
      const line = lines[index];
      if (!line) throw new Error(`${command.path.join(' ')} has no such line`);
      await prepare(world);
      const argv = [...line.argv, ...line.answered, ...more];
      const run = await world.telctl(argv, line.run);
      expect(run.code, `${argv.join(' ')}: ${run.stderr}`).toBe(line.code);
      check(run, argv.join(' '));
    }
  }
}

/** Writes the operations that `conformance` would detect at such a service to each profile. */
async function storeOperations({ folders }: World): Promise<void> {
  const file = join(folders.home, '.config', 'telctl', 'config.json');
  const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isObject(stored) || !isObject(stored.profiles)) throw new Error('no profiles');
  const notOffered = operations.filter(({ source }) => source === 'convention').map(({ id }) => id);
  const learned = {
    conformance: { at: '2025-01-15T09:00:00Z', by: 'test', notOffered, otherShape: [], habits: {} },
  };
  const profiles = Object.entries(stored.profiles).map(([name, profile]) => [
    name,
    isObject(profile) ? { ...profile, learned } : profile,
  ]);
  writeFileSync(file, JSON.stringify({ ...stored, profiles: Object.fromEntries(profiles) }));
}

for (const command of allCommands.filter(({ operations: ids = [] }) => ids.length > 0)) {
  const name = `telctl ${command.path.join(' ')}`;
  test(`${name} works on a service that offers only documented operations`, async () => {
    await checkEachRun(
      command,
      async () => undefined,
      ({ requests }, words) => {
        const others = requests.filter((request) => !isDocumented(request));
        // An optional read is tried once.
        expect(
          others.map(({ method }) => method).filter((method) => method !== 'GET'),
          words,
        ).toEqual([]);
        expect(new Set(formatRequests(others)).size, words).toBe(others.length);
      },
    );
  });

  test(`${name} sends no other operation once the service is known`, async () => {
    await checkEachRun(command, storeOperations, ({ requests }, words) => {
      expect(formatRequests(requests.filter((request) => !isDocumented(request))), words).toEqual([]);
    });
  });
}

test.each([
  ['services update', 'POST', {}],
  ['services update -f empty.json', 'POST', {}],
  ['conferences participants update {id} 1 -f empty.json', 'PUT', {}],
])('telctl %s sends an empty object, which the specification allows', async (line, method, data) => {
  const world = await openWorld();
  const { id } = await world.service('PUT', 'conferences', { name: 'Weekly' });
  const run = await world.telctl(line.replace('{id}', String(id)), { files: { 'empty.json': '{}' } });
  expect(run.requests.at(-1)).toMatchObject({ method, body: { data } });
  expect([0, 5], run.stderr).toContain(run.code);
});

test('a command reports what it cannot read because the service does not offer it', async () => {
  const world = await openWorld();
  const { id } = await world.service('PUT', 'menus', { name: 'Main', retries: 5 });
  const run = await world.telctl(`menus update ${id} --name Second --dry-run`);
  expect(run.code).toBe(0);
  expect(run.stderr).toContain(
    'warning: This service does not offer "Show one menu": the stored fields that would be lost are unknown.',
  );
  expect(run.stdout).toContain('name: Second');
});

test('a command fails if a read is refused for another reason', async () => {
  const world = await openWorld();
  const { id } = await world.service('PUT', 'menus', { name: 'Main' });
  const fault = { kind: 'answer', status: 500, body: '{}' } as const;
  const run = await world.telctl(`menus update ${id} --name Second --yes`, {
    faults: [{ method: 'GET', path: /menus\/[0-9a-f]{32}$/, fault }],
  });
  expect(run.code).toBe(75);
  expect(run.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});
