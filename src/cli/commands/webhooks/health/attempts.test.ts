import { describe, expect, test } from 'vitest';
import { turnedClock } from '../../../../../test/support/clock.ts';
import { logAttempt, minutesAgo } from '../../../../../test/support/logged-attempts.ts';
import { openWorld, type World } from '../../../../../test/support/world.ts';

const dayMs = 86_400_000;

async function made(world: World, name: string, hook = 'channel_create'): Promise<string> {
  const { id } = await world.service('PUT', 'webhooks', { name, hook, uri: `https://${name}.example/` });
  return String(id);
}

describe('with a different service clock', () => {
  const behind = (world: World) => ({ clock: turnedClock(world.clock.now() - 40 * dayMs) });

  test('webhooks health reports the last day by the service clock', async () => {
    const world = await openWorld();
    await logAttempt(world, await made(world, 'crm'));
    const run = await world.telctl('webhooks health', behind(world));
    expect(run).toMatchObject({ code: 8 });
    expect(run.stdout).toMatch(/^crm +channel_create +failing +1 failed +500 from/m);
    expect(run.stderr).toContain('1 of 1 webhook is failing');
  });

  test('webhooks attempts applies --since by the service clock, by name and by id', async () => {
    const world = await openWorld();
    const id = await made(world, 'crm');
    await logAttempt(world, id, { timestamp: minutesAgo(world, 30), event_id: 'old' });
    await logAttempt(world, id, { timestamp: minutesAgo(world, 5), event_id: 'new' });
    for (const word of ['crm', id, '']) {
      const run = await world.telctl(`webhooks attempts ${word} --since 10m -o json`, behind(world));
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(run.stdout)).toMatchObject([{ event_id: 'new' }]);
    }
  });

  test('webhooks attempts --follow continues after the service clock jumps by months', async () => {
    const world = await openWorld();
    const id = await made(world, 'crm');
    await logAttempt(world, id, { event_id: 'a' });
    const stop = new AbortController();
    let looks = 0;
    const own = turnedClock(world.clock.now());
    const sleep = async (): Promise<void> => {
      looks += 1;
      if (looks > 1) return stop.abort();
      world.clock.turn(60 * dayMs);
      await logAttempt(world, id, { event_id: 'b' });
    };
    const run = await world.telctl('webhooks attempts crm --follow -o ndjson', {
      clock: { now: own.now, sleep },
      interrupted: stop.signal,
    });
    expect(run.code).toBe(0);
    const lines = run.stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).event_id)).toEqual(['a', 'b']);
  });
});

describe('webhooks attempts without a name', () => {
  test('shows attempts of all webhooks of the account, with their names', async () => {
    const world = await openWorld();
    await logAttempt(world, await made(world, 'crm'));
    await logAttempt(world, await made(world, 'audit', 'sms'), { result: 'success', hook_event: 'sms' });
    await logAttempt(world, 'f'.repeat(32));
    const run = await world.telctl('webhooks attempts');
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^WEBHOOK +TIME +EVENT +RESULT +STATUS +TRY +LEFT +REASON\n/);
    expect(run.stdout).toMatch(/^audit +2025-01-15 08:59:00Z +sms +success/m);
    expect(run.stdout).toMatch(/^crm +.*failure/m);
    expect(run.stdout).toMatch(/^f{32} +.*failure/m);
    expect(run.stderr).toBe('3 attempts: 1 delivered, 2 failed (2 × 500)\n');
  });

  test('suggests naming one webhook if the service cannot list attempts of all', async () => {
    const world = await openWorld();
    const gone = { fault: { kind: 'answer', status: 404 }, path: /\/webhooks\/attempts$/ } as const;
    const run = await world.telctl('webhooks attempts', { faults: [gone] });
    expect(run).toMatchObject({ code: 5, stdout: '' });
    expect(run.stderr).toContain('telctl webhooks attempts NAME');
  });
});

test('omits empty columns from the table of attempts', async () => {
  const world = await openWorld();
  await logAttempt(world, await made(world, 'crm'));
  const stop = new AbortController();
  const own = turnedClock(world.clock.now());
  const run = await world.telctl('webhooks attempts crm --follow', {
    clock: { now: own.now, sleep: async () => stop.abort() },
    interrupted: stop.signal,
  });
  expect(run.stdout.split('\n', 1)[0]).toMatch(/^TIME +EVENT +RESULT +STATUS +TRY +LEFT +REASON$/);
});
