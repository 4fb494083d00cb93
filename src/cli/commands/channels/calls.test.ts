import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsIn } from '../../../../test/support/calls-in.ts';
import { openWorld } from '../../../../test/support/world.ts';

/** An office in which alice is called at 2001, recorded; calls come past telctl. */
async function office() {
  const world = await openWorld();
  const alice = await world.addUser({
    username: 'alice',
    first_name: 'A',
    last_name: 'B',
    presence_id: '2001',
  });
  const ring = { module: 'user', data: { id: String(alice.id) }, children: {} };
  await world.service('PUT', 'devices', {
    name: 'Desk',
    sip: { username: 'desk', password: 'first-sign-in' },
  });
  const flow = { module: 'record_call', data: { action: 'start' }, children: { _: ring } };
  await world.service('PUT', 'callflows', { name: 'Alice', numbers: ['2001'], flow });
  await world.service('PUT', 'groups', {
    name: 'Sales',
    endpoints: { [String(alice.id)]: { type: 'user' } },
  });
  const call = callsIn(world);
  return { ...world, call: (durationS: number) => call('admin', '2001', { durationS }) };
}

const parsed = (text: string) => JSON.parse(text);

test('lists live calls by owner, and watches and controls them', async () => {
  const { telctl, call, clock } = await office();
  const list = async (...more: string[]) =>
    parsed((await telctl(['channels', 'list', '-o', 'json', ...more])).stdout);
  await call(600);
  clock.turn(10_000);
  const all = await list();
  expect(all).toHaveLength(2);
  const [ofAlice] = await list('--user', 'alice');
  expect(await list('--group', 'Sales')).toEqual([ofAlice]);
  expect(await list('--device', 'Desk')).toEqual([]);
  const shown = await telctl(['channels', 'get', ofAlice.uuid, '-o', 'json']);
  expect(parsed(shown.stdout)).toMatchObject({ call_id: ofAlice.uuid, call_direction: 'outbound' });
  const held = await telctl(['channels', 'metaflow', ofAlice.uuid, 'hold', '--data', '{"a":1}']);
  expect([held.code, held.stderr]).toEqual([0, expect.stringContaining('Sent the step hold')]);
  const ending = new AbortController();
  const watch = await telctl('channels list --watch -o ndjson', {
    interrupted: ending.signal,
    shown: (text) => {
      const lines = text.split('\n').filter(Boolean);
      if (lines.length === 2) clock.turn(3_600_000);
      if (lines.length >= 4) ending.abort();
    },
  });
  expect(watch.code, watch.stderr).toBe(0);
  const events = watch.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => parsed(line).event);
  expect(events).toEqual(['live', 'live', 'ended', 'ended']);
  await call(600);
  const [leg] = await list();
  const dry = await telctl(['channels', 'hangup', leg.uuid, '--dry-run', '-o', 'json']);
  expect(dry.stdout).toContain('hangup');
  expect((await telctl(['channels', 'hangup', leg.uuid])).code).toBe(0);
  expect(await list()).toEqual([]);
  expect((await telctl(['channels', 'hangup', leg.uuid])).code).toBe(5);
});

test('reads more than a month of call records in several requests, and summarizes them', async () => {
  const { telctl, call, clock, seed } = await office();
  await call(60);
  clock.turn(40 * 86_400_000);
  await call(30);
  clock.turn(86_400_000);
  const list = await telctl('cdrs list --since 60d -o ndjson');
  expect(list.code, list.stderr).toBe(0);
  const rows = list.stdout.split('\n').filter(Boolean).map(parsed);
  expect(rows.map(({ duration_seconds: seconds }) => seconds)).toEqual([60, 60, 30, 30]);
  expect(list.requests.filter(({ path }) => path.includes('/cdrs')).length).toBe(2);
  const csv = await telctl('cdrs list --since 2d --direction inbound -o csv');
  expect(csv.stdout.trim().split('\n').filter(Boolean)).toHaveLength(2);
  expect((await telctl('cdrs list --cause USER_BUSY -o json')).stdout).toBe('[]\n');
  expect(parsed((await telctl('cdrs list --user alice --calls -o json')).stdout)).toHaveLength(1);
  const summary = await telctl('cdrs summary --since 60d --direction outbound -o json');
  expect(parsed(summary.stdout)).toEqual([
    expect.objectContaining({ name: 'alice', legs: 2, answered: 2, seconds: 90, billed: 78 }),
  ]);
  const days = await telctl('cdrs summary --by day --since 60d -o json');
  expect(parsed(days.stdout)).toMatchObject([{ legs: 2 }, { legs: 2 }]);
  expect(parsed((await telctl('cdrs summary --by carrier -o json')).stdout)).toEqual([]);
  const [{ id }] = rows;
  const legs = parsed((await telctl(['cdrs', 'legs', id, '-o', 'json'])).stdout);
  expect(legs).toMatchObject([{ call_direction: 'inbound' }, { call_direction: 'outbound' }]);
  expect(legs[0].custom_channel_vars.account_id).toBe(seed.accountId);
});

test('downloads a recording to standard output or to an owner-only file', async () => {
  const { telctl, call, clock, folders } = await office();
  await call(20);
  clock.turn(60_000);
  const [recording] = parsed((await telctl('recordings list -o json')).stdout);
  expect(parsed((await telctl('recordings list --user alice -o json')).stdout)).toEqual([]);
  const path = join(folders.cwd, 'call.mp3');
  const saved = await telctl(['recordings', 'download', recording.id, 'call.mp3']);
  expect([saved.code, saved.stderr]).toEqual([0, expect.stringContaining('Wrote call.mp3: audio/mpeg')]);
  expect(readFileSync(path).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xe3]));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const piped = await telctl(['recordings', 'download', recording.id, '-']);
  expect([piped.code, piped.stdout.length > 1000]).toEqual([0, true]);
  expect((await telctl(['recordings', 'download', recording.id, '-'], { tty: true })).code).toBe(2);
  expect((await telctl(['recordings', 'delete', recording.id, '--yes'])).code).toBe(0);
  expect((await telctl(['recordings', 'download', recording.id, 'x.mp3'])).code).toBe(5);
});
