import { expect, test } from 'vitest';
import type { Command } from '../../src/cli/command/command.ts';
import { operations } from '../../src/contract/catalogue.ts';
import { distinctCommands } from '../support/distinct-commands.ts';
import { isRemote, nameOf } from '../support/each-line.ts';
import { throughValidatingProxy } from '../support/validating-proxy.ts';
import { openWorld } from '../support/world.ts';

throughValidatingProxy();

/** Returns true for a command that an account administrator cannot use. */
const needsSuper = (command: Command): boolean =>
  operations.some(({ id, role }) => id === command.operations?.[0] && role === 'super');

const ofOne = distinctCommands.filter(
  (command) => isRemote(command) && Object.keys(command.arguments).includes('id'),
);

/** Ids that every command is tried with. They reveal a path without escapes. */
const alwaysTried = ['100%', '..'];
const triedInTurn = ['a/b', '%2e%2e', 'two words', 'q?x=1', 'a#b'];

for (const [position, command] of ofOne.entries()) {
  test(`${nameOf(command)} encodes an unusual id as one path segment`, async () => {
    const world = await openWorld();
    for (const id of [...alwaysTried, triedInTurn[position % triedInTurn.length] ?? '']) {
      const run = await world.telctl([...command.path, id, '--yes']);
      for (const { path } of run.requests) {
        const segments = path.split('/').map(decodeURIComponent);
        const isOwn =
          segments.includes(id) || !segments.some((segment) => id.includes(segment) && segment.length > 1);
        expect(isOwn, `${id} became ${path}`).toBe(true);
        expect(path.split('/')).not.toContain('..');
      }
      const refusals = [2, 5, 10, ...(needsSuper(command) ? [4] : [])];
      expect(refusals, `${id}: ${run.code} ${run.stderr}`).toContain(run.code);
    }
  });
}
