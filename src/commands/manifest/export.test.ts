import { describe, expect, it } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';

describe('telctl export', () => {
  it('writes names instead of ids', async () => {
    const world = await openWorld();
    const alice = await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
    await world.service('PUT', 'callflows', {
      name: 'Main line',
      numbers: ['+14155550100'],
      flow: { module: 'user', data: { id: alice.id ?? '' }, children: {} },
    });
    const run = await world.telctl('export');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('id: "${users.alice}"');
  });
});
