import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import { resources } from '../../../contract/catalogue.ts';
import { explainField } from './field-page.ts';
import { findSubject } from './find-subject.ts';

const explained = async (path: string) => {
  const world = await openWorld({ signIn: 'none' });
  return world.telctl(`explain ${path}`);
};

test('shows fields and operations of a resource with sources, without a sign-in', async () => {
  const { code, stdout, requests } = await explained('users');
  expect(code).toBe(0);
  expect(requests).toEqual([]);
  expect(stdout).toMatch(/^ {2}username +string +Name to sign in with/m);
  expect(stdout).toMatch(
    /^ {2}users\.patch +PATCH +\/accounts\/\{account_id\}\/users\/\{user_id\} +specification$/m,
  );
  expect(stdout).toMatch(/^ {2}users\.list +GET .* convention$/m);
});

test('shows the rules of a field with sources, its option and its operations', async () => {
  const { stdout } = await explained('webhooks.retries');
  expect(stdout).toBe(`webhooks.retries: integer

Number of retries after a failure.

  Allowed   at least 0 (convention)
            at most 4 (convention)
  Default   2 (specification)
  Option    --retries
  Taken by  webhooks.create, webhooks.update, webhooks.patch
  Source    Resources and their fields, Webhook subscription
`);
});

test('marks secret, read-only, beta and reference fields', async () => {
  expect((await explained('users.password')).stdout).toMatch(/Secret +masked[\s\S]*Access +write only/);
  expect((await explained('users.id')).stdout).toMatch(/Access +read only/);
  expect((await explained('limits.calls')).stdout).toMatch(/Support +beta/);
  expect((await explained('vmboxes.owner_id')).stdout).toMatch(/Refers to +the id of a record of users/);
});

test('accepts paths with and without the keys of lists, maps and nested callflow steps', () => {
  const pathOf = (path: string) => {
    const subject = findSubject(path);
    return subject.kind === 'field' ? explainField(subject).path : subject.kind;
  };
  expect(pathOf('callflows.flow.children.module')).toBe('callflows.flow.children.*.module');
  expect(pathOf('callflows.flow.children._.children.1.data')).toBe(
    'callflows.flow.children._.children.1.data',
  );
  expect(pathOf('users.profile.addresses.types')).toBe('users.profile.addresses.*.types');
  expect(pathOf('users.dial_plan.system')).toBe('users.dial_plan.system');
});

test('explains an operation with request and response, and a field of its body', async () => {
  const { stdout } = await explained('limits.set');
  expect(stdout).toMatch(/Request +POST \/accounts\/\{account_id\}\/limits/);
  expect(stdout).toMatch(/accept_charges +boolean/);
  expect((await explained('limits.set.accept_charges')).stdout).toMatch(/Taken by +limits\.set/);
});

test.each([
  ['usrs', 'There is no resource "usrs". Did you mean "users"?'],
  ['users.usernam', 'users has no field "usernam". Did you mean "users.username"?'],
  [
    'user.caller_id.externl',
    'user.caller_id has no field "externl". Did you mean "user.caller_id.external"?',
  ],
  ['users.vcrd', 'users has no field "vcrd". Did you mean "users.vcard"?'],
  ['users.username.length', 'users.username has no field "length".'],
  ['users.__proto__', 'users has no field "__proto__".'],
])('reports unknown path %s, with a suggestion if one is close', async (path, message) => {
  const { code, stdout, stderr } = await explained(path);
  expect({ code, stdout, first: stderr.split('\n')[0] }).toEqual({ code: 2, stdout: '', first: message });
});

test('prints a field as data with -o json', async () => {
  const { stdout } = await explained('webhooks.http_verb -o json');
  expect(JSON.parse(stdout)).toMatchObject({
    kind: 'field',
    path: 'webhooks.http_verb',
    type: 'string',
    rules: [{ rule: 'enum', target: ['get', 'post', 'put'], source: 'specification' }],
    default: { value: 'post', source: 'specification' },
  });
});

test('explains every resource and each of its operations', async () => {
  const world = await openWorld({ signIn: 'none' });
  for (const { name, operations } of resources) {
    for (const path of [name, ...operations.map(({ id }) => id)]) {
      const { code, stderr } = await world.telctl(`explain ${path}`);
      expect(code, `${path}: ${stderr}`).toBe(0);
    }
  }
});

test('explains a callflow module by name', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const run = await telctl('explain callflows.flow.children.record_call.time_limit -o json');
  expect(JSON.parse(run.stdout)).toMatchObject({
    path: 'callflows.flow.children.*.record_call.time_limit',
    type: 'integer',
    default: { value: 3600, source: 'convention' },
    rules: [
      { rule: 'minimum', target: 5 },
      { rule: 'maximum', target: 10_800 },
    ],
  });
  expect((await telctl('explain callflows.flow')).stdout).toMatch(/voicemail/);
  expect((await telctl('explain callflows.flow.voicemial')).stderr).toContain(
    'Did you mean "callflows.flow.voicemail"?',
  );
});
