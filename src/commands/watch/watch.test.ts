import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../test/support/world.ts';
import { gregorianSeconds } from '../../sandbox/made-values.ts';
import { putOf } from '../../sandbox/placement.ts';

/** Puts a leg into the sandbox that lasts an hour. */
async function somebodyCalls({ sandbox: { store, clock, seed } }: World): Promise<void> {
  const started = gregorianSeconds(clock);
  const times = { createdAt: started + 3600, modifiedAt: started, revision: 0 };
  const body = { call_id: 'c1', call_direction: 'inbound', request: '2001@acme', interaction_id: 'i1' };
  const name = { kind: 'cdrs', scope: seed.accountId, id: '202501-c1' };
  await store.commit([putOf({ ...name, ...times, body, hidden: { started, call: 'c1' } }, 'cdrs')]);
}

test('elsewhere than at a terminal, each change is a line', async () => {
  const world = await openWorld();
  await somebodyCalls(world);
  const ending = new AbortController();
  const run = await world.telctl('watch -o ndjson', {
    interrupted: ending.signal,
    shown: (text) => {
      if (text.includes('leg live')) world.clock.turn(7_200_000);
      if (text.includes('leg ended')) ending.abort();
    },
  });
  expect(run.code, run.stderr).toBe(0);
  const lines = run.stdout.split('\n').filter(Boolean);
  expect(lines.map((line) => JSON.parse(line).what).filter((what) => what !== 'registered')).toEqual([
    'leg live',
    'leg ended',
  ]);
});

test('at a terminal it is one screen, and Ctrl-C leaves the terminal as it was', async () => {
  const world = await openWorld();
  await somebodyCalls(world);
  const ending = new AbortController();
  const run = await world.telctl('watch', {
    tty: true,
    interrupted: ending.signal,
    shown: (text) => {
      if (text.includes('2001')) ending.abort();
    },
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout.startsWith('\u001b[?1049h\u001b[?25l')).toBe(true);
  expect(run.stdout).toContain('inbound  to 2001  ringing');
  expect(run.stdout.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
});
