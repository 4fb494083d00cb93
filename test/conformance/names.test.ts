import { describe, expect, test } from 'vitest';
import { linesFor } from '../support/command-lines.ts';
import { distinctCommands } from '../support/distinct-commands.ts';
import { openWorld } from '../support/world.ts';

/** Those of a sandbox speak to one that runs; to an assistant, a protocol is spoken. */
const commands = distinctCommands.filter(({ path: [noun] }) => noun !== 'sandbox' && noun !== 'mcp');

describe('-o name prints what was found or explains why it does not', () => {
  for (const command of commands) {
    test(`telctl ${command.path.join(' ')}`, async () => {
      const world = await openWorld();
      for (const { argv, run, answered } of await linesFor(command, world)) {
        const line = [...argv, ...answered];
        const named = await world.telctl([...line, '-o', 'name'], run);
        if (named.stdout.trim() !== '') continue;
        if (named.code === 2) {
          expect(named.stderr).toMatch(/-o name cannot print it|cannot be written as name/);
          continue;
        }
        // What was done is said, and nothing that was found is left out: the same as JSON holds no record.
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
