import { expect, test } from 'vitest';
import type { ShownRollout } from '../../../../cli/commands/extension.ts';
import { rolloutView } from './rollout-view.ts';

const counts = { done: 1, unchanged: 0, failed: 0, running: 0, waiting: 2 };

const rollout = (id: string): ShownRollout => ({
  id,
  at: '2026-11-26T10:00:00Z',
  who: 'admin',
  set: 'office',
  state: 'running',
  facts: [],
  counts,
  waves: [counts],
});

test('showing a rollout does not read older rollouts', async () => {
  const read: string[] = [];
  async function* rollouts() {
    for (const id of ['9', '8', '7', '6']) {
      read.push(id);
      yield rollout(id);
    }
  }
  const show = (id: string) => rolloutView({ rollouts }, id, new Map(), '2026-11-26T10:05:00Z');
  expect((await show('8'))?.text).toContain('Rollout 8');
  expect(read).toEqual(['9', '8']);
  expect(await show('5')).toBeUndefined();
});
