import { expect, test } from 'vitest';
import { controlCharacters } from '../../support/control-characters.ts';
import type { Fault } from '../../support/faults.ts';
import { openWorld } from '../../support/world.ts';

const users = /\/users$/;
const answerWith = (status: number, body: string, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status,
  body,
  headers,
});
const serverError = answerWith(500, '{"code":"500","message":"datastore_fault","request_id":"r-500"}');

test('an unreachable server exits with code 75 and is named', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list', { faults: [{ fault: { kind: 'refuse' } }] });
  expect(run.code).toBe(75);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain(world.url);
  expect(run.stderr).toContain('connection refused');
});

test('an HTML response of a proxy is recognized', async () => {
  const world = await openWorld();
  const fault = answerWith(200, '<html><body>Welcome to the hotel</body></html>', {
    'content-type': 'text/html',
  });
  const run = await world.telctl('users list', { faults: [{ path: users, fault }] });
  expect(run.code).toBe(1);
  expect(run.stdout).toBe('');
  expect(run.stderr).toMatch(/HTML/i);
  expect(run.stderr).not.toContain('SyntaxError');
});

test('an empty body is not an empty list', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list -o json', {
    faults: [{ path: users, fault: answerWith(200, '') }],
  });
  expect(run.code).toBe(1);
  expect(run.stdout).toBe('');
  expect(JSON.parse(run.stderr).error.kind).toMatch(/failed|unavailable/);
});

test('a truncated body is an error', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list', {
    faults: [{ path: users, fault: { kind: 'truncate', afterBytes: 40 } }],
  });
  expect(run.code).toBe(75);
  expect(run.stdout).toBe('');
  expect(run.stderr).not.toContain('SyntaxError');
});

test('a body with truncated JSON is an error', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list', {
    faults: [{ path: users, fault: { kind: 'rewrite', change: (body) => body.slice(0, body.length / 2) } }],
  });
  expect(run.code).toBe(1);
  expect(run.stdout).toBe('');
  expect(run.stderr).not.toContain('SyntaxError');
});

test('JSON without an envelope is an error', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list', {
    faults: [{ path: users, fault: answerWith(200, '["not","it"]') }],
  });
  expect(run.code).toBe(1);
  expect(run.stdout).toBe('');
  expect(run.stderr).toMatch(/envelope|not.*answer|expected/i);
});

test('429 with Retry-After in seconds is retried after the wait', async () => {
  const world = await openWorld();
  const fault = answerWith(429, '{"code":"429","message":"too_many_requests"}', { 'retry-after': '7' });
  const run = await world.telctl('users list -o name', { faults: [{ path: users, times: 1, fault }] });
  expect(run.code, run.stderr).toBe(0);
  expect(run.slept).toContain(7000);
});

test('429 with Retry-After as a date is retried after the wait', async () => {
  const world = await openWorld();
  const date = new Date(world.clock.now() + 9000).toUTCString();
  const fault = answerWith(429, '{"code":"429","message":"too_many_requests"}', { 'retry-after': date });
  const run = await world.telctl('users list -o name', { faults: [{ path: users, times: 1, fault }] });
  expect(run.code, run.stderr).toBe(0);
  expect(run.slept).toContain(9000);
});

test('500 and then 200 on a read succeeds', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list -o name', {
    faults: [{ path: users, times: 1, fault: serverError }],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain('admin');
  expect(run.requests.filter(({ path }) => users.test(path))).toHaveLength(2);
});

test('500 on a create is not retried', async () => {
  const world = await openWorld();
  const run = await world.telctl('users create --username dora --first-name Dora --last-name Dean', {
    faults: [{ method: 'PUT', path: users, times: 1, fault: serverError }],
  });
  expect(run.code).toBe(1);
  expect(run.requests.filter(({ method, path }) => method === 'PUT' && users.test(path))).toHaveLength(1);
});

test('a create with a lost reply is not sent again', async () => {
  const world = await openWorld();
  const run = await world.telctl('users create --username dora --first-name Dora --last-name Dean', {
    faults: [{ method: 'PUT', path: users, times: 1, fault: { kind: 'lose-reply' } }],
  });
  expect(run.requests.filter(({ method, path }) => method === 'PUT' && users.test(path))).toHaveLength(1);
  expect(run.code).toBe(75);
});

test('retries end, and the failure has the request id', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list --retries 2 -o json', {
    faults: [{ path: users, fault: serverError }],
  });
  expect(run.requests.filter(({ path }) => users.test(path))).toHaveLength(3);
  expect(JSON.parse(run.stderr).error).toMatchObject({ status: 500, request_id: 'r-500' });
});

test('a redirect is not followed and receives no token', async () => {
  const world = await openWorld();
  const fault = answerWith(302, '', { location: 'https://elsewhere.example/users' });
  const run = await world.telctl('users list', { faults: [{ path: users, fault }] });
  expect(run.code).toBe(1);
  expect(run.requests.filter(({ path }) => users.test(path))).toHaveLength(1);
  expect(run.stderr).toContain('elsewhere.example');
});

test('escape sequences in records do not reach a terminal', async () => {
  const world = await openWorld();
  await world.addUser({
    username: 'mallory',
    first_name: '\u001b]0;owned\u0007\u001b[31mMal',
    last_name: 'lory\u202egnp.exe\r\nadmin',
  });
  for (const format of ['table', 'yaml', 'csv', 'name', 'json', 'ndjson']) {
    const run = await world.telctl(`users list -o ${format}`, { tty: true });
    expect(run.code, run.stderr).toBe(0);
    expect(controlCharacters(run.stdout)).toEqual([]);
  }
  const shown = await world.telctl('users get mallory', { tty: true });
  expect(controlCharacters(shown.stdout + shown.stderr)).toEqual([]);
});

test('escape sequences in error messages do not reach a terminal', async () => {
  const world = await openWorld();
  const fault = answerWith(
    400,
    JSON.stringify({
      code: '400',
      message: 'bad \u001b[2J\u001b]8;;http://x\u0007',
      request_id: '\u001b[1m',
    }),
  );
  const run = await world.telctl('users list', { tty: true, faults: [{ path: users, fault }] });
  expect(run.code).toBe(10);
  expect(run.stderr).toContain('bad');
  expect(controlCharacters(run.stderr)).toEqual([]);
});
