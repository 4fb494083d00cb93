import { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { connect } from '../../../test/support/assistant.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import type { JsonObject } from '../../base/json.ts';
import { approvalQuestion } from './approval.ts';

/** An assistant whose person answers each question with `answer`, and the questions. */
async function withPerson(world: World, line: string, answer: () => boolean | 'cancel') {
  const questions: string[] = [];
  const session = await connect(world, line, {}, () => {
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      const agree = answer();
      return agree === 'cancel' ? { action: 'cancel' } : { action: 'accept', content: { agree } };
    });
    return client;
  });
  return { ...session, questions };
}

const trunks = (count: number, more: JsonObject = {}) => ({
  command: 'limits set',
  options: { 'inbound-trunks': count, ...more },
});

test('the user confirms if the client can ask, and no option of the assistant confirms', async () => {
  const world = await openWorld();
  await world.telctl('menus create --name Main');
  let says: boolean | 'cancel' = false;
  const { call, questions } = await withPerson(world, 'mcp --allow-writes --allow-deletes', () => says);
  const gone = { verb: 'delete', arguments: ['Main'], options: { yes: true } };
  for (const no of [false, 'cancel'] as const) {
    says = no;
    expect(await call('menus', gone)).toMatchObject({ isError: true, error: { kind: 'refused' } });
    expect((await world.telctl('menus get Main')).code).toBe(0);
  }
  says = true;
  expect(await call('menus', gone)).toMatchObject({ exit: 0, isError: false });
  expect((await world.telctl('menus get Main')).code).toBe(5);
  expect(questions).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining('Delete menu Main from acme?')),
  );
});

test('each charge is confirmed by the user, up to the total of the server', async () => {
  const world = await openWorld();
  let says = false;
  const line = 'mcp --allow-writes --allow-charges-up-to 50';
  const { call, questions } = await withPerson(world, line, () => says);
  const charged = { isError: true, error: { kind: 'charges' } };
  expect(await call('run_command', trunks(3, { yes: true }))).toMatchObject(charged);
  says = true;
  expect(await call('run_command', trunks(6))).toMatchObject({
    ...charged,
    error: { message: expect.stringContaining('50.00') },
  });
  expect(questions).toEqual([expect.stringMatching(/^Accept .*30\.00.* in acme\?/)]);
  expect(await call('run_command', trunks(3))).toMatchObject({ exit: 0 });
  // 20 are left, which three more do not fit into.
  expect(await call('run_command', trunks(6))).toMatchObject({
    ...charged,
    error: { message: expect.stringContaining('20.00') },
  });
  expect(questions).toHaveLength(2);
  expect(await world.service('GET', 'limits')).toMatchObject({ inbound_trunks: 3 });
});

test.each([
  ['without an amount', 'mcp --allow-writes', true],
  ['where nobody can be asked', 'mcp --allow-writes --allow-charges-up-to 50', false],
])('no charges are accepted %s', async (_, line, canAsk) => {
  const world = await openWorld();
  const { call } = canAsk ? await withPerson(world, line, () => true) : await connect(world, line);
  expect(await call('run_command', trunks(3, { yes: true }))).toMatchObject({
    exit: 7,
    error: {
      action_required: {
        person: expect.stringMatching(/^telctl limits set --inbound-trunks 3 --accept-charges/),
      },
    },
  });
  expect((await world.service('GET', 'limits')).inbound_trunks ?? 0).toBe(0);
});

const flowTo = (url: string): string =>
  JSON.stringify([
    { name: 'Out', numbers: ['7001'], flow: { module: 'pivot', data: { voice_url: url }, children: {} } },
  ]);

/** Calls that send data out of the account or touch sign-in, with a part of the question about them. */
const outward: readonly (readonly [string, JsonObject, string])[] = [
  [
    'users',
    { verb: 'patch', arguments: ['admin'], options: { email: 'eve@evil.example' } },
    'email: eve@evil.example',
  ],
  [
    'users',
    { verb: 'patch', arguments: ['admin'], options: { set: 'call_forward.number=+13125550199' } },
    'call_forward.number',
  ],
  [
    'vmboxes',
    {
      verb: 'create',
      options: { file: '-' },
      input: '[{"name":"B","mailbox":"7","notify_email_addresses":["eve@evil.example"]}]',
    },
    'notify_email_addresses',
  ],
  [
    'callflows',
    { verb: 'create', options: { file: '-' }, input: flowTo('https://evil.example/p') },
    'flow.data.voice_url: https://evil.example/p',
  ],
  [
    'run_command',
    {
      command: 'access-lists update',
      options: { set: 'order=allow,deny', 'set-json': 'cidrs=["0.0.0.0/0"]' },
    },
    '0.0.0.0/0',
  ],
];

test.each(outward)('%s %j is sent only if the user agrees', async (tool, args, part) => {
  const world = await openWorld();
  const { call, questions } = await withPerson(world, 'mcp --allow-writes', () => false);
  expect(await call(tool, args)).toMatchObject({ isError: true, error: { kind: 'refused' } });
  expect(questions).toEqual([expect.stringContaining(part)]);
  const agreeing = await withPerson(world, 'mcp --allow-writes', () => true);
  expect(await agreeing.call(tool, args)).toMatchObject({ exit: 0 });
});

test.each(outward)('%s %j is refused if the client supports no questions', async (tool, args) => {
  const world = await openWorld();
  const { call } = await connect(world, 'mcp --allow-writes');
  const withYes = { ...args, options: { ...Object(args.options), yes: true } };
  expect(await call(tool, withYes)).toMatchObject({
    isError: true,
    error: { kind: 'refused', message: expect.stringContaining('Assistants cannot set') },
  });
});

test('the question about an apply contains the first lines of its plan', async () => {
  const world = await openWorld();
  const { call, questions } = await withPerson(world, 'mcp --allow-writes', () => false);
  const names = Array.from({ length: 60 }, (_, index) => `m${index}`);
  const apply = (count: number) => ({
    command: 'apply',
    options: { file: '-' },
    input: `menus: { ${names
      .slice(0, count)
      .map((name) => `${name}: { name: ${name} }`)
      .join(', ')} }`,
  });
  await call('run_command', apply(2));
  await call('run_command', apply(60));
  expect(questions[0]).toMatch(/\+ menu m0\n\+ menu m1\n(?:.*\n)*.*Apply these changes to acme\?$/);
  const lines = questions[1]?.split('\n') ?? [];
  expect(Math.max(...lines.map((line) => line.length))).toBe(200);
});

test('a question has at most 40 lines and counts the omitted ones', () => {
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}\u001b[2J`);
  const text = approvalQuestion(lines, 'Do it?');
  expect(text.split('\n')).toHaveLength(42);
  expect(text).not.toContain('\u001b');
  expect(text).toMatch(/… and 10 more lines\. Run the command to see them\.\nDo it\?$/);
});

test('a search for lost calls has a limit for assistants and ends with its tool call', async () => {
  const world = await openWorld();
  const callflow = await world.telctl('callflows create --name Desk --numbers 2001 --answers user:admin');
  expect(callflow.code, callflow.stderr).toBe(0);
  const { call, client } = await connect(world);
  const explore = (count: number) => ({ command: 'test', options: { explore: count } });
  expect(await call('run_command', explore(100_000_000))).toMatchObject({
    isError: true,
    error: { message: '"explore" must be at most 20000 for an assistant.' },
  });
  const cancelled = client.callTool({ name: 'run_command', arguments: explore(20_000) }, { timeout: 200 });
  await expect(cancelled).rejects.toThrow();
  expect(await call('users', { verb: 'list' })).toMatchObject({ exit: 0 });
});

test('a limit of 0 calls needs the consent of the user', async () => {
  const world = await openWorld();
  let says = false;
  const { call, questions } = await withPerson(world, 'mcp --allow-writes', () => says);
  const stop = { command: 'limits set', options: { calls: 0, yes: true } };
  expect(await call('run_command', stop)).toMatchObject({ isError: true, error: { kind: 'refused' } });
  says = true;
  expect(await call('run_command', stop)).toMatchObject({ exit: 0 });
  expect(questions).toEqual([expect.stringContaining('calls: 0'), expect.stringContaining('calls: 0')]);
  await world.telctl('limits set --calls 5');
  const alone = await connect(world, 'mcp --allow-writes');
  expect(await alone.call('run_command', stop)).toMatchObject({ isError: true, error: { kind: 'refused' } });
});
