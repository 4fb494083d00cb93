import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/cli/command/command.ts';
import { createLines } from '../../support/command-lines.ts';
import { distinctCommands } from '../../support/distinct-commands.ts';
import type { FaultRule } from '../../support/faults.ts';
import {
  chargesWithText,
  invoiceWithText,
  refusalWithText,
  replaceTexts,
  rowText,
  startsWithForgedWord,
} from '../../support/hostile-service.ts';
import { openTerminal } from '../../support/terminal-rows.ts';
import { openWorld } from '../../support/world.ts';

// Text of the service never starts a terminal row at any width, so everything before a question is from telctl.

const mayAsk = ({ effect, path: [noun] }: Command): boolean =>
  effect !== 'read' && effect !== 'local' && noun !== 'sandbox';

const widths = [40, 80, 120] as const;

const answers = [{ to: /\?/, type: '' }];
const answerChanges = (status: number, body: string): readonly FaultRule[] =>
  ['PUT', 'POST', 'PATCH', 'DELETE'].map((method) => ({ method, fault: { kind: 'answer', status, body } }));
/** Returns hostile responses for a command. Charges alternate between both formats, which the same code shows. */
const hostileRules = (position: number): readonly (readonly FaultRule[])[] => [
  [{ fault: { kind: 'rewrite', change: (body) => replaceTexts(body, (text) => text + rowText) } }],
  answerChanges(402, position % 2 === 0 ? chargesWithText(rowText) : invoiceWithText(rowText)),
  answerChanges(400, refusalWithText(rowText)),
];

describe('text of the service never starts a row', () => {
  for (const [at, command] of distinctCommands.filter(mayAsk).entries())
    test(command.path.join(' '), async () => {
      const world = await openWorld();
      for (const { argv, run } of await createLines(command, world))
        for (const [turn, hostility] of hostileRules(at).entries()) {
          // Rotates the widths over commands and hostile responses.
          const width = widths[(Math.floor(at / 2) + turn) % widths.length] ?? 80;
          const terminal = openTerminal(width);
          await world.telctl(argv, {
            ...run,
            ...{ tty: run.stdin === undefined, width, answers },
            faults: [...(run.faults ?? []), ...hostility],
            wrote: (_, chunk) => terminal.write(chunk),
          });
          const rows = await terminal.rows();
          const name = `${width}: telctl ${argv.join(' ')}`;
          expect(rows.filter(startsWithForgedWord), `${name}\n${rows.filter(Boolean).join('\n')}`).toEqual(
            [],
          );
        }
    });
});
