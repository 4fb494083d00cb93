import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/cli/command/command.ts';
import { outputFormats } from '../../../src/client/session/settings.ts';
import { createLines } from '../../support/command-lines.ts';
import { controlCharacters } from '../../support/control-characters.ts';
import { distinctCommands } from '../../support/distinct-commands.ts';
import type { Fault } from '../../support/faults.ts';
import { forged, hostileText, hostilities, mark } from '../../support/hostile-service.ts';
import { openWorld, type Run } from '../../support/world.ts';

const nameOf = ({ path }: Command): string => `telctl ${path.join(' ')}`;
/** `conformance` calls all operations and has its own tests with hostile texts. */
const callsService = ({ effect, path: [noun = ''] }: Command): boolean =>
  effect !== 'local' && !['sandbox', 'conformance'].includes(noun);

/** Control sequences that telctl and its prompts write to a terminal. */
const esc = '\u001b';
const own = new RegExp(`\\r?${esc}\\[(?:\\d*[ABCDGHJK]|\\?(?:25|1049)[hl])`, 'g');

/** Expects that all output is from telctl or on a line that telctl started. */
function expectNoForgery({ stdout, stderr }: Run, line: string): void {
  for (const [stream, text] of Object.entries({ stdout, stderr })) {
    const seen = text.replaceAll(own, '').replaceAll('\r\n', '\n');
    expect(controlCharacters(seen.replaceAll('\r', '\0')), `${line}: ${stream} is obeyed`).toEqual([]);
    for (const each of seen.split('\n')) {
      // YAML blocks are indented below their key.
      const start = line.endsWith('yaml') ? each : each.trimStart();
      const taken = forged.find((sentence) => start.startsWith(sentence));
      expect(taken, `${line}: ${stream} says ${each}`).toBeUndefined();
      if (stream === 'stderr') expect(each.startsWith(mark), `${line}: stderr begins: ${each}`).toBe(false);
    }
  }
}

test('a hostile service can return text only for keys and vCards', async () => {
  const world = await openWorld();
  const user = await world.addUser({ username: 'ann', first_name: 'Ann', last_name: 'Archer' });
  const { stdout: key } = await world.telctl('keys list -o name');
  const pem = await world.telctl(['keys', 'get', key.trim(), '--pem']);
  for (const [words, body] of [
    [['keys', 'get', key.trim(), '--pem'], `${pem.stdout}${hostileText}`],
    [['users', 'vcard', String(user.id)], `BEGIN:VCARD\r\nFN:Ann\r\n${hostileText}\r\nEND:VCARD\r\n`],
  ] as const) {
    const headers = { 'content-type': 'text/plain' };
    const path = /vcard|keys\/0+$|auth\/keys/;
    const faults = [{ path, fault: { kind: 'answer', status: 200, headers, body } }] as const;
    const done = await world.telctl(words, { faults });
    expect([done.code, done.stdout], words.join(' ')).toEqual([1, '']);
  }
});

const all = process.env.HOSTILE === 'all';

/** Errors that the same code shows for every command. */
const errors = ['in a 400', 'in a 403', 'in a 404', 'in a 409', 'in a 500', 'in a 501'];

const selectInTurn = <T>(words: readonly T[], position: number): T | undefined =>
  words[position % words.length];

/**
 * Selects the hostile responses for a command: one of the errors, and charges for commands that may be charged.
 * `HOSTILE=all` selects all.
 */
const selectHostilities = ({ effect }: Command, position: number) =>
  [...hostilities].filter(
    ([word]) =>
      all ||
      !/ \d+$/.test(word) ||
      word === selectInTurn(errors, position) ||
      (word === 'in a 402' && effect !== 'read'),
  );

const programs = outputFormats.filter((format) => format !== 'table');

/**
 * Selects output formats for a command that shows hostile text. A changed text is tried in two formats or at a terminal,
 * alternating. A replaced response is tried in one of them. `HOSTILE=all` selects all.
 */
function selectFormats(position: number, word: string, fault: Fault): readonly string[] {
  const format = selectInTurn(programs, position) ?? 'json';
  if (all) return ['table', format, 'terminal'];
  if (fault.kind !== 'rewrite') return [isEven(position) || errors.includes(word) ? 'table' : 'terminal'];
  return word.startsWith('behind') === isEven(position) ? ['table', format] : ['terminal'];
}

const isEven = (position: number): boolean => position % 2 === 0;

describe('a hostile service', () => {
  for (const [position, command] of distinctCommands.filter(callsService).entries())
    test(`is never mistaken for output of telctl by ${nameOf(command)}`, async () => {
      const world = await openWorld();
      for (const { argv, answered, run } of await createLines(command, world))
        for (const [word, fault] of selectHostilities(command, position)) {
          const hostile = { ...run, faults: [...(run.faults ?? []), { fault }] };
          const words = [...argv, ...answered];
          const name = `${word}: telctl ${words.join(' ')}`;
          // `api` and template texts write the response body with its own lines to a pipe.
          const isText =
            /^notifications (?:system )?text$/.test(command.path.join(' ')) && !/ \d+$/.test(word);
          const isBody = isText || (word === 'as plain text' && command.path[0] === 'api');
          for (const way of selectFormats(position, word, fault))
            if (way === 'terminal' && run.stdin === undefined)
              expectNoForgery(
                await world.telctl(words, { ...hostile, tty: true, answers: [{ to: /\?/, type: '' }] }),
                `${name} at a terminal`,
              );
            else {
              const format = way === 'terminal' ? 'table' : way;
              if (isBody && !/json|yaml/.test(format)) continue;
              expectNoForgery(await world.telctl([...words, '-o', format], hostile), `${name} -o ${format}`);
            }
        }
    });
});
