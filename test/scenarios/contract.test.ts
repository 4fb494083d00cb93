import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';

test('telctl openapi prints what is published, in JSON or YAML, without a sign-in', async () => {
  const world = await openWorld({ signIn: 'none' });
  const plain = await world.telctl('openapi');
  expect({ code: plain.code, stderr: plain.stderr, requests: plain.requests }).toEqual({
    code: 0,
    stderr: '',
    requests: [],
  });
  expect(plain.stdout).toBe(readFileSync('schemas/openapi.json', 'utf8'));
  expect(JSON.parse((await world.telctl('openapi -o json')).stdout)).toEqual(JSON.parse(plain.stdout));
  expect((await world.telctl('openapi --documented -o yaml')).stdout).toMatch(/^openapi: 3\.1\.1\n/);
});

test('telctl schema prints what is published, and more with --conventions', async () => {
  const world = await openWorld({ signIn: 'none' });
  expect((await world.telctl('schema users')).stdout).toBe(readFileSync('schemas/users.json', 'utf8'));
  const strict = await world.telctl('schema users --conventions -o json');
  expect(JSON.parse(strict.stdout).required).toEqual(['first_name', 'last_name']);
  const wrong = await world.telctl('schema usrs');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('Did you mean "users"?');
});
