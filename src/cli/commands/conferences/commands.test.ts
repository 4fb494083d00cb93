import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

async function withConference() {
  const world = await openWorld();
  await world.service('PUT', 'conferences', { name: 'Sales' });
  return world;
}
const bodies = (run: { requests: readonly { method: string; body: unknown }[] }) =>
  run.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);

test('sends an action to one participant, with parameters in a nested object', async () => {
  const world = await withConference();
  const mute = await world.telctl('conferences participants update Sales 3 --action mute');
  expect(mute.code, mute.stderr).toBe(0);
  expect(mute.stderr).toContain('Sent action mute to participant 3 of conference Sales.');
  expect(bodies(mute)).toContainEqual({ data: { action: 'mute' } });
  const play = await world.telctl('conferences participants update Sales 3 --action play --media-id m1');
  expect(bodies(play)).toContainEqual({ data: { action: 'play', data: { media_id: 'm1' } } });
});

test('accepts any object as request body, and a string as response', async () => {
  const world = await withConference();
  const own = await world.telctl('conferences participants update Sales 3 -f -', { stdin: 'wave: 2' });
  expect(own.code, own.stderr).toBe(0);
  expect(bodies(own)).toContainEqual({ data: { wave: 2 } });
  const body = '{"status":"success","data":"ok"}';
  const rule = {
    method: 'PUT',
    path: /participants/,
    fault: { kind: 'rewrite', change: () => body },
  } as const;
  const word = await world.telctl('conferences participants update Sales 3 --action mute -o json', {
    faults: [rule],
  });
  expect([word.code, word.stdout]).toEqual([0, '"ok"\n']);
});

test('requires --action, and lists no participants for an empty conference', async () => {
  const world = await withConference();
  const run = await world.telctl('conferences participants update Sales 3');
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('--action')]);
  const list = await world.telctl('conferences participants list Sales -o json');
  expect([list.code, list.stdout]).toEqual([0, '[]\n']);
  expect((await world.telctl('conferences participants get Sales 3')).code).toBe(5);
});
