import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { nouns } from '../../src/cli/registry.ts';
import { outputFormats } from '../../src/session/settings.ts';
import { serveSandbox } from '../support/served-sandbox.ts';
import { openWorld, type Run, type World } from '../support/world.ts';

const commands = (await Promise.all(nouns.map((noun) => noun.commands()))).flat();
const lineOf = ({ path }: Command): string => `telctl ${path.join(' ')}`;
const isRemote = ({ effect, path }: Command): boolean => effect !== 'local' && path[0] !== 'api';

/** A world with a record of each kind that commands can name. */
async function populated(): Promise<World> {
  const world = await openWorld();
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  await world.service('PUT', 'callflows', {
    name: 'Main line',
    numbers: ['100'],
    flow: { module: 'hangup', data: {}, children: {} },
  });
  await world.service('PUT', 'webhooks', {
    name: 'crm',
    uri: 'https://crm.example/hook',
    hook: 'channel_create',
  });
  await world.service('PUT', 'vmboxes', { mailbox: '100', name: 'Alice' });
  await world.service('PUT', 'conferences', { name: 'Sales' });
  return world;
}

const samples = new Map([
  ['users', 'alice'],
  ['callflows', '100'],
  ['webhooks', 'crm'],
  ['vmboxes', '100'],
  ['conferences', 'Sales'],
]);

/** Something for each argument that a command needs. */
function argumentsFor(command: Command): readonly string[] {
  const sample = samples.get(command.path[0]) ?? 'f'.repeat(32);
  return Object.values(command.arguments)
    .filter(({ optional }) => !optional)
    .map(({ choices }) => choices?.[0] ?? sample);
}

const writes = ({ requests }: Run) =>
  requests.filter(({ method, path }) => method !== 'GET' && !/\/(?:user_auth|api_auth)$/.test(path));

describe('what destroys', () => {
  for (const command of commands.filter(({ effect }) => effect === 'destructive')) {
    test(`${lineOf(command)} does nothing without a confirmation`, async () => {
      const world = await populated();
      const run = await world.telctl([...command.path, ...argumentsFor(command)]);
      expect(run.code).not.toBe(0);
      expect(writes(run)).toEqual([]);
    });
  }
});

describe('what changes', () => {
  for (const command of commands.filter((each) => isRemote(each) && each.effect !== 'read')) {
    test(`${lineOf(command)} sends no write with --dry-run`, async () => {
      const world = await populated();
      const run = await world.telctl([...command.path, ...argumentsFor(command), '--dry-run', '--yes']);
      expect(writes(run)).toEqual([]);
    });

    test(`${lineOf(command)} sends no write under a read-only profile`, async () => {
      const world = await populated();
      expect((await world.telctl(`profiles set ${world.profile} --protect read-only`)).code).toBe(0);
      const run = await world.telctl([...command.path, ...argumentsFor(command), '--yes']);
      expect(run.code).not.toBe(0);
      expect(writes(run)).toEqual([]);
    });
  }
});

describe('what lists', () => {
  for (const command of commands.filter(({ path }) => path.at(-1) === 'list')) {
    test(`${lineOf(command)} shows itself in every format`, async () => {
      // Those of the sandbox speak to one that runs.
      const world = command.path[0] === 'sandbox' ? await serveSandbox('--memory') : await populated();
      for (const format of outputFormats) {
        const run = await world.telctl([...command.path, ...argumentsFor(command), '-o', format]);
        expect(run.code, `${format}: ${run.stderr}`).toBe(0);
        if (format === 'json') expect(JSON.parse(run.stdout)).toBeInstanceOf(Array);
      }
    });
  }
});

const oddIds = ['a/b', '..', '%2e%2e', 'two words', 'q?x=1', 'a#b', '100%'];

describe('odd ids', () => {
  const named = commands.filter(
    (command) => isRemote(command) && Object.keys(command.arguments).includes('id'),
  );
  for (const command of named) {
    test(`${lineOf(command)} keeps an odd id in its own segment of the path`, async () => {
      const world = await populated();
      for (const id of oddIds) {
        const rest = argumentsFor(command).slice(1);
        const run = await world.telctl([...command.path, id, ...rest, '--yes']);
        for (const { path } of run.requests) {
          const segments = path.split('/').map(decodeURIComponent);
          const isOwn =
            segments.includes(id) || !segments.some((segment) => id.includes(segment) && segment.length > 1);
          expect(isOwn, `${id} became ${path}`).toBe(true);
          expect(path.split('/')).not.toContain('..');
        }
        expect(run.code, id).not.toBe(0);
      }
    });
  }
});
