import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

test('telctl openapi prints the published document as JSON or YAML without a sign-in', async () => {
  const world = await openWorld({ signIn: 'none' });
  const plain = await world.telctl('openapi');
  expect({ code: plain.code, stderr: plain.stderr, requests: plain.requests }).toEqual({
    code: 0,
    stderr: '',
    requests: [],
  });
  const published = JSON.parse(readFileSync('schemas/openapi.json', 'utf8'));
  expect(JSON.parse(plain.stdout)).toEqual(published);
  expect(JSON.parse((await world.telctl('openapi -o json')).stdout)).toEqual(published);
  expect((await world.telctl('openapi --documented -o yaml')).stdout).toMatch(/^openapi: 3\.1\.1\n/);
});

test('telctl schema prints the published schema, and more with --conventions', async () => {
  const world = await openWorld({ signIn: 'none' });
  expect((await world.telctl('schema users')).stdout).toBe(readFileSync('schemas/users.json', 'utf8'));
  const strict = await world.telctl('schema users --conventions -o json');
  expect(JSON.parse(strict.stdout).required).toEqual(['first_name', 'last_name']);
  const wrong = await world.telctl('schema usrs');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('Did you mean "users"?');
});

/** Lines whose results must match their schemas. Later lines use records of earlier ones. */
const results = [
  [
    'users.create',
    'users create --set username=dora --set first_name=Dora --set last_name=Dole --password-stdin',
  ],
  ['users.list', 'users list'],
  ['users.get', 'users get dora'],
  ['users.patch', 'users patch dora --timezone Europe/Zurich'],
  ['devices.create', 'devices create --name desk --owner dora'],
  ['devices.list', 'devices list'],
  ['vmboxes.create', 'vmboxes create --mailbox 2004 --name Dora'],
  ['callflows.create', 'callflows create --numbers 2004 --answers user:dora'],
  ['callflows.list', 'callflows list'],
  [
    'temporal-rules.create',
    'temporal-rules create --name Open --cycle weekly --days mon-fri --hours 09:00-17:00',
  ],
  ['temporal_rules.list', 'temporal-rules list'],
  ['webhooks.list', 'webhooks list'],
  ['accounts.get', 'accounts get'],
  ['limits.get', 'limits get'],
  ['numbers.list', 'numbers list'],
  ['registrations.list', 'registrations list'],
  ['services.summary', 'services summary'],
  ['users.delete', 'users delete dora --yes --force'],
] as const;

test('telctl schema --result prints the schema of a command result', async () => {
  const world = await openWorld();
  for (const [word, line] of results) {
    const schema = JSON.parse((await world.telctl(`schema --result ${word}`)).stdout);
    const { code, stdout, stderr } = await world.telctl(`${line} -o json`, { stdin: 'a-first-password' });
    expect([line, code === 0 ? '' : stderr]).toEqual([line, '']);
    const check = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    check(JSON.parse(stdout));
    expect([line, check.errors]).toEqual([line, null]);
    check(['neither a record nor a list of them']);
    expect(check.errors).not.toBe(null);
  }
  const { stderr } = await world.telctl('schema --result usrs.list');
  expect(stderr).toContain('Did you mean "users.list"?');
});
