import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

async function withMessages(count: number, options: Parameters<typeof openWorld>[0] = {}) {
  const world = await openWorld(options);
  const box = await world.service('PUT', 'vmboxes', { mailbox: '100', name: 'Alice' });
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const made = await world.service('PUT', `vmboxes/${box.id}/messages`, { caller_id_number: `20${index}` });
    ids.push(String(made.media_id ?? made.id));
  }
  return { world, ids };
}

// Services in the field give messages no `id`: the recording's is it.
test.each([undefined, 'kazoo'] as const)(
  'lists messages by folder, and shows and moves them (%s)',
  async (like) => {
    const { world, ids } = await withMessages(2, like === undefined ? {} : { like });
    const [first = ''] = ids;
    const all = await world.telctl('vmboxes messages list 100 -o name');
    expect(all.code, all.stderr).toBe(0);
    expect(all.stdout.trim().split('\n').toSorted()).toEqual(ids.toSorted());
    const moved = await world.telctl(['vmboxes', 'messages', 'move', '100', first, '--folder', 'saved']);
    expect(moved.code, moved.stderr).toBe(0);
    expect(moved.stderr).toContain(`Moved message ${first} (saved).`);
    const saved = await world.telctl('vmboxes messages list 100 --folder saved -o json');
    expect(JSON.parse(saved.stdout)).toMatchObject([{ folder: 'saved', caller_id_number: '200' }]);
    const shown = await world.telctl(['vmboxes', 'messages', 'get', '100', first, '-o', 'json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ folder: 'saved' });
  },
);

test('deletes several messages after one question, and exits with code 8 if one is missing', async () => {
  const { world, ids } = await withMessages(2);
  const line = ['vmboxes', 'messages', 'delete', '100', ...ids, `202501-${'f'.repeat(32)}`];
  const declined = await world.telctl(line, {
    tty: true,
    answers: [{ to: /Delete 3 messages of vmbox 100/, type: 'n' }],
  });
  expect(declined.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  const run = await world.telctl([...line, '--yes']);
  expect(run.code, run.stderr).toBe(8);
  expect(run.stderr).toContain('Deleted 2 messages.');
  expect(run.stderr).toContain('1 of 3 messages was not deleted.');
});

test('requires a folder to move messages', async () => {
  const { world, ids } = await withMessages(1);
  const run = await world.telctl(['vmboxes', 'messages', 'move', '100', ...ids]);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('--folder')]);
});
