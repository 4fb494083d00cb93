import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/cli/command/command.ts';
import { outputFormats } from '../../../src/client/session/settings.ts';
import { linesFor } from '../../support/command-lines.ts';
import { controlCharacters } from '../../support/control-characters.ts';
import { distinctCommands } from '../../support/distinct-commands.ts';
import type { Fault } from '../../support/faults.ts';
import { forged, hostileText, hostilities, mark } from '../../support/hostile-service.ts';
import { openWorld, type Run } from '../../support/world.ts';

const nameOf = ({ path }: Command): string => `telctl ${path.join(' ')}`;
/** `conformance` asks for everything; its own tests show it hostile texts. */
const speaks = ({ effect, path: [noun = ''] }: Command): boolean =>
  effect !== 'local' && !['sandbox', 'conformance'].includes(noun);

/** Sequences that telctl, its prompts and its second screen write at a terminal. */
const esc = '\u001b';
const own = new RegExp(`\\r?${esc}\\[(?:\\d*[ABCDGHJK]|\\?(?:25|1049)[hl])`, 'g');

/** Holds that what somebody reads is telctl's, or stands in a line that telctl began. */
function hold({ stdout, stderr }: Run, line: string): void {
  for (const [stream, text] of Object.entries({ stdout, stderr })) {
    const seen = text.replaceAll(own, '').replaceAll('\r\n', '\n');
    expect(controlCharacters(seen.replaceAll('\r', '\0')), `${line}: ${stream} is obeyed`).toEqual([]);
    for (const each of seen.split('\n')) {
      // A block of YAML is moved in below its key.
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

/** Errors that are shown by the same code, whatever the command. */
const errors = ['in a 400', 'in a 403', 'in a 404', 'in a 409', 'in a 500', 'in a 501'];

/** One of some words, by turns from command to command. */
const inTurn = <T>(words: readonly T[], position: number): T | undefined => words[position % words.length];

/**
 * What a service says in the turn of a command: one of the errors, and charges only to a command that may be charged for.
 * `HOSTILE=all` says everything to each.
 */
const hostilitiesOf = ({ effect }: Command, position: number) =>
  [...hostilities].filter(
    ([word]) =>
      all ||
      !/ \d+$/.test(word) ||
      word === inTurn(errors, position) ||
      (word === 'in a 402' && effect !== 'read'),
  );

const programs = outputFormats.filter((format) => format !== 'table');

/**
 * How a command shows what the service said, in its turn. Changed texts are shown to programs, as one format and as a
 * table, or at a terminal: one way to change them is shown to the former, and the other to the latter. What stands
 * for a whole reply is shown in one way, by turns. `HOSTILE=all` shows each in every way.
 */
function shownAs(position: number, word: string, fault: Fault): readonly string[] {
  const format = inTurn(programs, position) ?? 'json';
  if (all) return ['table', format, 'terminal'];
  if (fault.kind !== 'rewrite') return [isEven(position) || errors.includes(word) ? 'table' : 'terminal'];
  return word.startsWith('behind') === isEven(position) ? ['table', format] : ['terminal'];
}

const isEven = (position: number): boolean => position % 2 === 0;

describe('a hostile service', () => {
  for (const [position, command] of distinctCommands.filter(speaks).entries())
    test(`is never mistaken for output of telctl by ${nameOf(command)}`, async () => {
      const world = await openWorld();
      for (const { argv, answered, run } of await linesFor(command, world))
        for (const [word, fault] of hostilitiesOf(command, position)) {
          const hostile = { ...run, faults: [...(run.faults ?? []), { fault }] };
          const words = [...argv, ...answered];
          const name = `${word}: telctl ${words.join(' ')}`;
          // What `api` and the text of a template put into a pipe is the body, with its own lines.
          const isText =
            /^notifications (?:system )?text$/.test(command.path.join(' ')) && !/ \d+$/.test(word);
          const isBody = isText || (word === 'as plain text' && command.path[0] === 'api');
          for (const way of shownAs(position, word, fault))
            if (way === 'terminal' && run.stdin === undefined)
              hold(
                await world.telctl(words, { ...hostile, tty: true, answers: [{ to: /\?/, type: '' }] }),
                `${name} at a terminal`,
              );
            else {
              const format = way === 'terminal' ? 'table' : way;
              if (isBody && !/json|yaml/.test(format)) continue;
              hold(await world.telctl([...words, '-o', format], hostile), `${name} -o ${format}`);
            }
        }
    });
});
