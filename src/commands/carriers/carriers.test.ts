import { expect, test } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';

const password = 'carrier-secret-77';
const carrier = {
  name: 'Acme Carrier',
  gateways: [{ server: 'sip.carrier.example', username: 'acme', password }],
  rules: ['^\\+1(\\d{10})$'],
};

test('a carrier is kept with its passwords hidden, and a manifest without them changes nothing', async () => {
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

test('carriers of the whole service are for the super administrator, and peers for nobody', async () => {
  const world = await openWorld();
  const files = { 'c.json': JSON.stringify(carrier) };
  expect(await world.telctl('system-carriers create -f c.json', { files })).toMatchObject({ code: 4 });
  const peer = { 'c.json': JSON.stringify({ ...carrier, peer: true }) };
  const refused = await world.telctl('carriers create -f c.json', { files: peer });
  expect(refused.code).toBe(10);
  expect(refused.stderr).toContain('peer');
});
