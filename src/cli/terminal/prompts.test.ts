import { afterEach, expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../test/support/clock.ts';
import { fakeHost, makeFolders, type TestFolders } from '../../../test/support/fake-host.ts';
import type { Answer } from '../../../test/support/streams.ts';
import { Failure } from '../../base/failure.ts';
import { openPrompter } from './prompts.ts';

const open: TestFolders[] = [];
afterEach(() => {
  for (const folders of open.splice(0)) folders.remove();
});

function machine(options: { tty: boolean; answers?: readonly Answer[]; interrupted?: AbortSignal }) {
  const folders = makeFolders();
  open.push(folders);
  return fakeHost({ folders, clock: turnedClock(), random: seededRandom(), ...options });
}

const kindOf = (error: unknown): unknown => (error instanceof Failure ? error.kind : error);

test('a question without a terminal fails, and names the option that answers it', async () => {
  const ask = openPrompter(machine({ tty: false }).host, { available: false, yes: false, colored: false });
  const answers = [
    ask.confirm('Delete user alice?', { option: '--yes' }),
    ask.secret('Password', { option: '--password-stdin' }),
    ask.text('Account name', { option: '--account-name' }),
    ask.typed('Type the host name', 'api.example', { option: '--yes-reset' }),
  ];
  for (const [index, answer] of answers.entries()) {
    const error = await answer.catch((thrown: unknown) => thrown);
    expect(kindOf(error)).toBe('usage');
    expect(String(error)).toContain(['--yes', '--password-stdin', '--account-name', '--yes-reset'][index]);
  }
});

test('--yes answers ordinary confirmations, but not typed ones', async () => {
  const ask = openPrompter(machine({ tty: false }).host, { available: false, yes: true, colored: false });
  expect(await ask.confirm('Delete?', { option: '--yes' })).toBe(true);
  expect(kindOf(await ask.confirmExplicitly('Accept charges?').catch((thrown: unknown) => thrown))).toBe(
    'usage',
  );
});

test('asks for a confirmation on stderr, with no as the default', async () => {
  for (const [type, answer] of [
    ['', false],
    ['y', true],
  ] as const) {
    const { host, stdout, stderr } = machine({ tty: true, answers: [{ to: 'Delete user alice?', type }] });
    const ask = openPrompter(host, { available: true, yes: false, colored: false });
    expect(await ask.confirm('Delete user alice?', { option: '--yes' })).toBe(answer);
    expect(stderr()).toContain('Delete user alice? (y/N)');
    expect(stdout()).toBe('');
  }
});

test('does not echo a secret', async () => {
  const { host, stderr } = machine({ tty: true, answers: [{ to: 'Password', type: 'hunter2' }] });
  const ask = openPrompter(host, { available: true, yes: false, colored: false });
  expect(await ask.secret('Password', { option: '--password-stdin' })).toBe('hunter2');
  expect(stderr()).not.toContain('hunter2');
});

test('escapes control characters in a question', async () => {
  const { host, stderr } = machine({ tty: true, answers: [{ to: 'Delete', type: 'n' }] });
  const ask = openPrompter(host, { available: true, yes: false, colored: false });
  await ask.confirm('Delete \u001b]0;owned\u0007?', { option: '--yes' });
  expect(stderr()).toContain('\\u001b]0;owned\\u0007');
});

test('Ctrl-C and an interruption of the command cancel a question', async () => {
  const { host } = machine({ tty: true, interrupted: AbortSignal.abort() });
  const ask = openPrompter(host, { available: true, yes: false, colored: false });
  expect(kindOf(await ask.confirm('Go on?', { option: '--yes' }).catch((thrown: unknown) => thrown))).toBe(
    'interrupted',
  );
  const typed = machine({ tty: true, answers: [{ to: 'Name', type: '\u0003' }] });
  const answer = openPrompter(typed.host, { available: true, yes: false, colored: false })
    .text('Name', { option: '--name' })
    .catch((thrown: unknown) => thrown);
  expect(kindOf(await answer)).toBe('interrupted');
});

test('Ctrl-D cancels any kind of question', async () => {
  const rules = { available: true, yes: false, colored: false };
  const typed = () =>
    openPrompter(machine({ tty: true, answers: [{ to: 'Go', type: '\u0004' }] }).host, rules);
  const option = '--option';
  for (const answer of [
    typed().confirm('Go on?', { option }),
    typed().secret('Go', { option }),
    typed().text('Go', { option }),
    typed().typed('Go', 'word', { option }),
  ]) {
    expect(kindOf(await answer.catch((thrown: unknown) => thrown))).toBe('interrupted');
  }
});
