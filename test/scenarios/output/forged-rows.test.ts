import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/cli/command/command.ts';
import { linesFor } from '../../support/command-lines.ts';
import { distinctCommands } from '../../support/distinct-commands.ts';
import type { FaultRule } from '../../support/faults.ts';
import {
  chargesSaying,
  invoiceSaying,
  poisoned,
  refusalSaying,
  rowText,
  startsForged,
} from '../../support/hostile-service.ts';
import { seenTerminal } from '../../support/terminal-rows.ts';
import { openWorld } from '../../support/world.ts';

// No row of a terminal begins with what the service says, whatever its width: what stands above a question is telctl's.

const asks = ({ effect, path: [noun] }: Command): boolean =>
  effect !== 'read' && effect !== 'local' && noun !== 'sandbox';

const widths = [40, 80, 120] as const;

const answers = [{ to: /\?/, type: '' }];
const toChanges = (status: number, body: string): readonly FaultRule[] =>
  ['PUT', 'POST', 'PATCH', 'DELETE'].map((method) => ({ method, fault: { kind: 'answer', status, body } }));
/** What a service says in the turn of a command: charges of either shape are shown by the same code, whatever the command. */
const hostilitiesOf = (position: number): readonly (readonly FaultRule[])[] => [
  [{ fault: { kind: 'rewrite', change: (body) => poisoned(body, (text) => text + rowText) } }],
  toChanges(402, position % 2 === 0 ? chargesSaying(rowText) : invoiceSaying(rowText)),
  toChanges(400, refusalSaying(rowText)),
];

describe('text of the service never starts a row', () => {
  for (const [at, command] of distinctCommands.filter(asks).entries())
    test(command.path.join(' '), async () => {
      const world = await openWorld();
      for (const { argv, run } of await linesFor(command, world))
        for (const [turn, hostility] of hostilitiesOf(at).entries()) {
          // Each command at each width, and each hostility too, in turns.
          const width = widths[(Math.floor(at / 2) + turn) % widths.length] ?? 80;
          const terminal = seenTerminal(width);
          await world.telctl(argv, {
            ...run,
            ...{ tty: run.stdin === undefined, width, answers },
            faults: [...(run.faults ?? []), ...hostility],
            wrote: (_, chunk) => terminal.write(chunk),
          });
          const rows = await terminal.rows();
          const name = `${width}: telctl ${argv.join(' ')}`;
          expect(rows.filter(startsForged), `${name}\n${rows.filter(Boolean).join('\n')}`).toEqual([]);
        }
    });
});
