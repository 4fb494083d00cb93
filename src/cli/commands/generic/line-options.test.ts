import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import { operationOf, resources } from '../../../contract/catalogue.ts';
import { requiredFields } from '../../../contract/schema.ts';
import { formFields } from './ask-fields.ts';
import { optionsFor } from './assignments.ts';

async function office() {
  const world = await openWorld();
  const { id: alice = '' } = await world.addUser({ username: 'alice', first_name: 'A', last_name: 'B' });
  const { id: desk = '' } = await world.service('PUT', 'devices', { name: 'Front desk' });
  const json = async (line: string | readonly string[]) => JSON.parse((await world.telctl(line)).stdout);
  return { ...world, alice, desk, json };
}

test('accepts group members of any kind in one option', async () => {
  const { telctl, json, alice, desk } = await office();
  const made = await telctl(['groups', 'create', '--name', 'Sales', '--members', 'alice,Front desk']);
  expect(made.code, made.stderr).toBe(0);
  expect((await json('groups get Sales -o json')).endpoints).toEqual({
    [String(alice)]: { type: 'user' },
    [String(desk)]: { type: 'device' },
  });
  const near = await telctl('groups create --name X --members alise');
  expect(near).toMatchObject({ code: 10, stderr: expect.stringContaining('Did you mean "alice"?') });
  expect(near.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('creates a callflow from numbers and a target', async () => {
  const { telctl, json, alice } = await office();
  const made = await telctl('callflows create --name Sales --numbers 2970,5551230000 --answers user:alice');
  expect(made.code, made.stderr).toBe(0);
  expect(await json('callflows get Sales -o json')).toMatchObject({
    numbers: ['2970', '+15551230000'],
    flow: { module: 'user', data: { id: alice } },
  });
  expect(await telctl('callflows create --name S --numbers 2971 --answers user:alise')).toMatchObject({
    code: 10,
    stderr: expect.stringContaining('Did you mean "alice"?'),
  });
});

test.each([
  ['mon-fri', '09:00-17:00', { wdays: ['monday', 'tuesday', 'wensday', 'thursday', 'friday'] }],
  ['sat,sun', '8-12', { wdays: ['saturday', 'sunday'], time_window_start: 28_800, time_window_stop: 43_200 }],
  ['fri-mon', '0:00-24:00', { wdays: ['monday', 'friday', 'saturday', 'sunday'], time_window_stop: 86_400 }],
  ['1,15-17', '09:00-17:30', { days: [1, 15, 16, 17], time_window_stop: 63_000 }],
])('parses days %s and hours %s of a temporal rule', async (days, hours, wanted) => {
  const { telctl, json } = await office();
  const cycle = /^\d/.test(days) ? 'monthly' : 'weekly';
  const made = await telctl(
    `temporal-rules create --name Open --cycle ${cycle} --days ${days} --hours ${hours}`,
  );
  expect(made.code, made.stderr).toBe(0);
  expect(await json('temporal-rules get Open -o json')).toMatchObject(wanted);
});

test.each([
  ['--days mon-fry', 'is no day. Did you mean "fri"?'],
  ['--days 0-5', '"0-5" is no day'],
  ['--hours 17:00-09:00', 'needs two rules'],
  ['--hours 9-5', 'Did you mean --hours 09:00-17:00?'],
  ['--hours nine-five', 'must be a time range'],
])('rejects a temporal rule with %s before any write', async (option, words) => {
  const { telctl } = await office();
  const run = await telctl(`temporal-rules create --name Open --cycle weekly ${option}`);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(words)]);
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('accepts the numbers of a port in one option', async () => {
  const { telctl, json } = await office();
  const made = await telctl('ports create --name Move --numbers 5551230000,+15551230001');
  expect(made.code, made.stderr).toBe(0);
  expect((await json('ports list -o json'))[0]).toMatchObject({ name: 'Move' });
});

test('accepts a fax document in one option, and suggests the full name of a partial option', async () => {
  const { telctl, json } = await office();
  const line = 'faxes create --from-number +14155550123 --to-number +14155550199';
  const made = await telctl(`${line} --document https://files.acme.example/letter.pdf --dry-run`);
  expect([made.code, made.stdout + made.stderr]).toEqual([0, expect.stringContaining('letter.pdf')]);
  expect((await telctl('faxes create --to +14155550199')).stderr).toContain('Did you mean "--to-number"?');
  expect(await json('faxes list -o json')).toEqual([]);
});

test.each([
  ['conferences create --name Weekly --numbers 3001,3002', { conference_numbers: ['3001', '3002'] }],
  ['callflows create --pattern ^8(.+)$ --answers user:alice', { patterns: ['^8(.+)$'] }],
  [
    'carriers create --name Main --gateways sip1.example,192.0.2.9',
    { gateways: [{ server: 'sip1.example' }, { server: '192.0.2.9' }] },
  ],
  [
    'alerts create --title T --message M --from role:admin --to user:x,all',
    {
      from: [{ type: 'role', value: 'admin' }],
      to: [
        { type: 'user', value: 'x' },
        { type: 'all', value: 'all' },
      ],
    },
  ],
])('%s sends the option values', async (line, body) => {
  const { json } = await office();
  expect(await json(`${line} --dry-run -o json`)).toMatchObject({ requests: [{ body: { data: body } }] });
});

test.each(
  resources.flatMap((resource) =>
    operationOf(resource, 'create') ? [[resource.name, resource] as const] : [],
  ),
)('has an option for each field that the %s form asks for', (_name, resource) => {
  const asked = [
    ...requiredFields(resource, 'create', ['specification', 'convention']),
    ...formFields(resource),
  ];
  expect(asked.filter((field) => optionsFor(resource, field).length === 0)).toEqual([]);
});
