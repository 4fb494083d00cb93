import { expect, test } from 'vitest';
import type { FaultRule } from '../../../../test/support/faults.ts';
import { openWorld } from '../../../../test/support/world.ts';

const password = 'carrier-secret-77';
const carrier = {
  name: 'Acme Carrier',
  gateways: [{ server: 'sip.carrier.example', username: 'acme', password }],
  rules: ['^\\+1(\\d{10})$'],
};

test('hides carrier passwords, and a manifest without them plans no changes', async () => {
  const world = await openWorld();
  const made = await world.telctl('carriers create -f carrier.json', {
    files: { 'carrier.json': JSON.stringify(carrier) },
  });
  expect(made.code, made.stderr).toBe(0);
  const shown = await world.telctl(['carriers', 'get', 'Acme Carrier', '-o', 'json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({ weight_cost: 50, gateways: [{ port: 5060 }] });
  expect(shown.stdout).not.toContain(password);
  const [{ password: _, ...gateway } = { password }] = carrier.gateways;
  const files = { 'm.json': JSON.stringify({ carriers: { acme: { ...carrier, gateways: [gateway] } } }) };
  const planned = await world.telctl('plan -f m.json --exit-code', { files });
  expect([planned.code, planned.stdout], planned.stderr).toEqual([
    0,
    expect.stringContaining('0 to create, 0 to update'),
  ]);
});

test.each([
  [
    'omits',
    (body: string) => body.replaceAll(/"password":"carrier-secret-\d+",?/g, '').replaceAll(',}', '}'),
  ],
  ['masks', (body: string) => body.replaceAll(/carrier-secret-\d+/g, '********')],
])(
  'if the service %s gateway passwords, apply sends them only after the manifest changes',
  async (_, change) => {
    const world = await openWorld();
    const faults: readonly FaultRule[] = [{ path: /resources/, fault: { kind: 'rewrite', change } }];
    const run = (line: string, { password: secret = password, server = 'sip.carrier.example' } = {}) => {
      const gateways = [{ server, username: 'acme', password: secret }];
      const files = { 'm.json': JSON.stringify({ carriers: { acme: { ...carrier, gateways } } }) };
      return world.telctl(`${line} -f m.json`, { files, faults });
    };
    const stored = async (): Promise<unknown> =>
      JSON.parse((await world.telctl(['carriers', 'get', 'Acme Carrier', '--reveal', '-o', 'json'])).stdout)
        .gateways;
    expect(await run('apply --yes')).toMatchObject({ code: 0 });
    const again = await run('plan --exit-code');
    expect([again.code, again.stdout], again.stderr).toEqual([0, expect.stringContaining('1 unchanged')]);
    const other = await run('apply --yes', { password: 'carrier-secret-78' });
    expect(other.code, other.stderr).toBe(0);
    expect(await stored()).toMatchObject([{ password: 'carrier-secret-78' }]);
    const moved = { password: 'carrier-secret-78', server: 'other.carrier.example' };
    expect((await run('plan --exit-code', moved)).stdout).toContain('1 to update');
    expect((await run('apply --yes', moved)).code).toBe(0);
    expect(await stored()).toMatchObject([moved]);
    expect((await run('plan --exit-code', moved)).code).toBe(0);
  },
);

test('never sends a masked password', async () => {
  const world = await openWorld();
  const create = { 'carrier.json': JSON.stringify(carrier) };
  expect(await world.telctl('carriers create -f carrier.json', { files: create })).toMatchObject({ code: 0 });
  const change = (body: string): string => body.replaceAll(password, '********');
  const faults: readonly FaultRule[] = [{ path: /resources/, fault: { kind: 'rewrite', change } }];
  const apply = (username: string) => {
    const gateways = [{ server: 'sip.carrier.example', username }];
    const files = { 'm.json': JSON.stringify({ carriers: { acme: { ...carrier, gateways } } }) };
    return world.telctl('apply -f m.json --yes', { files, faults });
  };
  expect(await apply('acme')).toMatchObject({ code: 0 });
  const other = await apply('acme2');
  expect([other.code, other.stdout + other.stderr]).toEqual([
    10,
    expect.stringContaining('password is unknown, because the service masks it'),
  ]);
  const stored = await world.telctl(['carriers', 'get', 'Acme Carrier', '--reveal', '-o', 'json']);
  expect(JSON.parse(stored.stdout).gateways).toMatchObject([{ username: 'acme', password }]);
});

test('requires a super administrator for system carriers, and refuses to create peers', async () => {
  const world = await openWorld();
  const files = { 'c.json': JSON.stringify(carrier) };
  expect(await world.telctl('system-carriers create -f c.json', { files })).toMatchObject({ code: 4 });
  const peer = { 'c.json': JSON.stringify({ ...carrier, peer: true }) };
  const refused = await world.telctl('carriers create -f c.json', { files: peer });
  expect(refused.code).toBe(10);
  expect(refused.stderr).toContain('peer');
});
