import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/cli/command/command.ts';
import { outputFormats } from '../../../src/client/session/settings.ts';
import { allCommands, linesFor } from '../../support/command-lines.ts';
import { controlCharacters } from '../../support/control-characters.ts';
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

test('a hostile service gives no other text than a key or a vCard where one is asked for', async () => {
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

/** Errors that are shown by the same code, whatever the command: a third of them for each, by turns. */
const errors = ['in a 400', 'in a 403', 'in a 404', 'in a 409', 'in a 500', 'in a 501'];
const isInTurn = (word: string, position: number): boolean =>
  !errors.includes(word) || errors.indexOf(word) % 3 === position % 3;

/** What a service says in the turn of a command; `HOSTILE=all` says everything to each. */
const hostilitiesOf = (position: number) =>
  process.env.HOSTILE === 'all' ? hostilities : [...hostilities].filter(([word]) => isInTurn(word, position));

/** Of the two ways to change texts one is shown to programs and the other at a terminal, by turns. */
function shownTo(position: number, word: string, fault: Fault) {
  const isForPrograms = word.startsWith('behind') === (position % 2 === 0);
  const isBoth = process.env.HOSTILE === 'all';
  return fault.kind === 'rewrite'
    ? { programs: isBoth || isForPrograms, people: isBoth || !isForPrograms }
    : { programs: false, people: true };
}

const programs = outputFormats.filter((format) => format !== 'table');
let turn = 0;

describe('a hostile service', () => {
  for (const [position, command] of allCommands.filter(speaks).entries())
    test(`is never taken for telctl by ${nameOf(command)}`, async () => {
      const world = await openWorld();
      for (const { argv, answered, run } of await linesFor(command, world))
        for (const [word, fault] of hostilitiesOf(position)) {
          const hostile = { ...run, faults: [...(run.faults ?? []), { fault }] };
          const words = [...argv, ...answered];
          const name = `${word}: telctl ${words.join(' ')}`;
          // What `api` and the text of a template put into a pipe is the body, with its own lines.
          const isText =
            /^notifications (?:system )?text$/.test(command.path.join(' ')) && !/ \d+$/.test(word);
          const isBody = isText || (word === 'as plain text' && command.path[0] === 'api');
          // What people read each time, and the formats of programs by turns.
          turn += 1;
          const byTurns = programs[turn % programs.length] ?? 'json';
          const shown = shownTo(position, word, fault);
          const formats = shown.programs ? (['table', byTurns] as const) : (['table'] as const);
          for (const format of formats.filter((each) => !isBody || /json|yaml/.test(each)))
            hold(await world.telctl([...words, '-o', format], hostile), `${name} -o ${format}`);
          if (shown.people && !/ (?!402)\d+$/.test(word) && run.stdin === undefined)
            hold(
              await world.telctl(words, { ...hostile, tty: true, answers: [{ to: /\?/, type: '' }] }),
              `${name} at a terminal`,
            );
        }
    });
});
