import { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { connect } from '../../../../test/support/assistant.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import type { JsonObject } from '../../../base/json.ts';

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

test('where the person can be asked, confirmations are asked there, and no option of the assistant answers', async () => {
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

test('charges are asked each time, and only up to the amount of the line, in all', async () => {
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
