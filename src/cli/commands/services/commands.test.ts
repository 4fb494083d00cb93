import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';

const reseller = ({ url, seed }: World) => ({
  TELCTL_BASE_URL: url,
  TELCTL_USERNAME: 'super',
  TELCTL_PASSWORD: seed.superPassword,
  TELCTL_ACCOUNT_NAME: 'platform',
  TELCTL_ACCOUNT: seed.accountId,
});

test.each([undefined, 'kazoo'] as const)(
  'a reseller assigns, overrides, changes and unassigns plans (%s)',
  async (like) => {
    const world = await openWorld({ like });
    const env = reseller(world);
    const assigned = await world.telctl('services assign plan-a', { env });
    expect(assigned.code, assigned.stderr).toBe(0);
    expect(assigned.stderr).toContain('Assigned plan plan-a to');
    const shown = await world.telctl('services get -o json', { env });
    expect(JSON.parse(shown.stdout).plans).toHaveProperty('plan-a');
    const overrides = JSON.stringify({ limits: { twoway_trunks: { rate: 5 } } });
    const set = await world.telctl('services override -f -', { env, stdin: overrides });
    expect(set.code, set.stderr).toBe(0);
    const read = await world.telctl('services overrides -o json', { env });
    expect(JSON.parse(read.stdout)).toEqual(JSON.parse(overrides));
    const added = await world.telctl(['services', 'update', '--set-json', 'add=["plan-b"]'], { env });
    expect(added.code, added.stderr).toBe(0);
    const unasked = await world.telctl('services unassign plan-a', { env });
    expect([unasked.code, unasked.requests.filter(({ method }) => method === 'DELETE')]).toEqual([2, []]);
    const gone = await world.telctl('services unassign plan-a --yes', { env });
    expect(gone.code, gone.stderr).toBe(0);
    const left = await world.telctl('services get -o json', { env });
    expect(Object.keys(JSON.parse(left.stdout).plans)).toEqual(['plan-b']);
  },
);

test('shows the next billing date to people, and the raw number to programs', async () => {
  const { telctl } = await openWorld();
  const billing_cycle = { next: 63_961_056_000, period: 1, unit: 'month' };
  const body = JSON.stringify({ status: 'success', data: { billing_cycle } });
  const faults = [
    { method: 'GET', path: /services\/summary$/, fault: { kind: 'answer', status: 200, body } as const },
  ];
  const shown = await telctl('services summary', { faults });
  expect(shown.stdout).toMatch(/^ +next +2026-11-0\d/m);
  const { stdout } = await telctl('services summary -o json', { faults });
  expect(JSON.parse(stdout)).toEqual({ billing_cycle });
});
