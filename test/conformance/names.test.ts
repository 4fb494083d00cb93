import { describe, expect, test } from 'vitest';
import { createLines } from '../support/command-lines.ts';
import { distinctCommands } from '../support/distinct-commands.ts';
import { openWorld } from '../support/world.ts';

/** Commands of a sandbox need a running one, and `mcp` speaks a protocol. */
const commands = distinctCommands.filter(({ path: [noun] }) => noun !== 'sandbox' && noun !== 'mcp');

describe('-o name prints what was found or explains why it does not', () => {
  for (const command of commands) {
    test(`telctl ${command.path.join(' ')}`, async () => {
      const world = await openWorld();
      for (const { argv, run, answered } of await createLines(command, world)) {
        const line = [...argv, ...answered];
        const named = await world.telctl([...line, '-o', 'name'], run);
        if (named.stdout.trim() !== '') continue;
        if (named.code === 2) {
          expect(named.stderr).toMatch(/-o name cannot print it|cannot be written as name/);
          continue;
        }
        // A change always reports its result. A read with an empty `-o name` must have no records as JSON.
        if ((command.effect !== 'read' && command.effect !== 'local') || named.stderr.trim() !== '') {
          expect(named.stderr).not.toBe('');
          continue;
        }
        const json = await world.telctl([...line, '-o', 'json'], run);
        expect(JSON.parse(json.stdout), json.stderr).toEqual([]);
      }
    });
  }
});
