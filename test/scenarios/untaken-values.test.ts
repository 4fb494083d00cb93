import { expect, it } from 'vitest';
import { openWorld } from '../support/world.ts';

it('a value that the service does not take is told once, and is not sent for ever', async () => {
  const world = await openWorld({ like: 'kazoo' });
  await world.service('PATCH', '', { org: 'Acme Corporation' });
  const files = { 'a.yaml': 'account_settings: { org: null }\n' };
  const first = await world.telctl('apply --yes -f a.yaml', { files });
  expect(first.code, first.stderr).toBe(0);
  expect(first.stderr).toContain('org not taken by the service');
  expect(first.stderr).toContain('updated 0, unchanged 0, unverifiable 1');
  expect(first.stderr).not.toContain('updated account');

  const again = await world.telctl('apply --yes -f a.yaml');
  expect(again.code, again.stderr).toBe(0);
  expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const plan = await world.telctl('plan --exit-code -f a.yaml');
  expect(plan.code, plan.stderr).toBe(0);
  expect(plan.stdout).toContain('org was not taken by the service');

  const other = { 'a.yaml': 'account_settings: { org: null, timezone: Europe/Zurich }\n' };
  const mixed = await world.telctl('apply --yes -f a.yaml', { files: other });
  expect(mixed.stderr).toContain('updated 1');
  expect(await world.service('GET', '')).toMatchObject({ timezone: 'Europe/Zurich' });
});

it('a service that takes it is asked once, too', async () => {
  const world = await openWorld();
  await world.service('PATCH', '', { org: 'Acme Corporation' });
  const files = { 'a.yaml': 'account_settings: { org: null }\n' };
  const first = await world.telctl('apply --yes -f a.yaml', { files });
  expect(first.stderr).toContain('updated 1');
  expect((await world.telctl('plan --exit-code -f a.yaml')).code).toBe(0);
});

it('a mailbox that the service keeps by its number is the one that the manifest means', async () => {
  const world = await openWorld();
  await world.service('PUT', 'vmboxes', { name: 'Front desk', mailbox: '300' });
  const files = { 'box.yaml': "vmboxes: { desk: { name: Front desk, mailbox: '0300' } }\n" };
  const plan = await world.telctl('plan --exit-code -f box.yaml', { files });
  expect(plan.code, plan.stderr + plan.stdout).toBe(0);
});
