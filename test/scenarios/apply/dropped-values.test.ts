import { describe, expect, it } from 'vitest';
import { openWorld } from '../../support/world.ts';

it('a value that the service drops is reported once and not sent again', async () => {
  const world = await openWorld({ like: 'kazoo' });
  await world.service('PATCH', '', { org: 'Acme Corporation' });
  const files = { 'a.yaml': 'account_settings: { org: null }\n' };
  const first = await world.telctl('apply --yes -f a.yaml', { files });
  expect(first.code, first.stderr).toBe(0);
  expect(first.stderr).toContain('org ignored by the service');
  expect(first.stderr).toContain('updated 0, unchanged 0, unverifiable 1');
  expect(first.stderr).not.toContain('updated account');

  const again = await world.telctl('apply --yes -f a.yaml');
  expect(again.code, again.stderr).toBe(0);
  expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const plan = await world.telctl('plan --exit-code -f a.yaml');
  expect(plan.code, plan.stderr).toBe(0);
  expect(plan.stdout).toContain('org was ignored by the service');

  const other = { 'a.yaml': 'account_settings: { org: null, timezone: Europe/Zurich }\n' };
  const mixed = await world.telctl('apply --yes -f a.yaml', { files: other });
  expect(mixed.stderr).toContain('updated 1');
  expect(await world.service('GET', '')).toMatchObject({ timezone: 'Europe/Zurich' });
});

it('a service that stores the value is asked only once', async () => {
  const world = await openWorld();
  await world.service('PATCH', '', { org: 'Acme Corporation' });
  const files = { 'a.yaml': 'account_settings: { org: null }\n' };
  const first = await world.telctl('apply --yes -f a.yaml', { files });
  expect(first.stderr).toContain('updated 1');
  expect((await world.telctl('plan --exit-code -f a.yaml')).code).toBe(0);
});

describe('a mailbox that the service stores under its number', () => {
  const files = { 'box.yaml': "vmboxes: { desk: { name: Front desk, mailbox: '0300' } }\n" };

  it('is stored that way on KAZOO, and found under the written name', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const made = await world.telctl('vmboxes create --name Desk --mailbox 0300 -o json');
    expect(JSON.parse(made.stdout)).toMatchObject({ mailbox: '300' });
    expect(JSON.parse((await world.telctl('vmboxes get 0300 -o json')).stdout)).toMatchObject({
      name: 'Desk',
      mailbox: '300',
    });
    const again = await world.telctl('vmboxes create --name Other --mailbox 00300');
    expect(again.code, again.stderr).toBe(6);
    const none = await world.telctl('vmboxes get 0301');
    expect(none.code, none.stderr).toBe(5);
  });

  it('is the mailbox of the manifest', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const first = await world.telctl('apply --yes -f box.yaml', { files });
    expect(first.code, first.stderr).toBe(0);
    const listed = await world.telctl('vmboxes list -o json');
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'Front desk', mailbox: '300' }]);
    const plan = await world.telctl('plan --exit-code -f box.yaml');
    expect(plan.code, plan.stderr + plan.stdout).toBe(0);
  });

  it('is unchanged on a service that keeps both separately', async () => {
    const world = await openWorld();
    await world.service('PUT', 'vmboxes', { name: 'Front desk', mailbox: '300' });
    const plan = await world.telctl('plan --exit-code -f box.yaml', { files });
    expect(plan.code, plan.stderr + plan.stdout).toBe(0);
    await world.service('PUT', 'vmboxes', { name: 'Back desk', mailbox: '0300' });
    for (const mailbox of ['300', '0300'])
      expect(JSON.parse((await world.telctl(`vmboxes get ${mailbox} -o json`)).stdout)).toMatchObject({
        mailbox,
      });
  });

  it('cannot be in a manifest twice', async () => {
    const world = await openWorld();
    const both = "vmboxes:\n  one: { name: One, mailbox: '300' }\n  two: { name: Two, mailbox: '0300' }\n";
    const run = await world.telctl('validate -f both.yaml', { files: { 'both.yaml': both } });
    expect(run.code).toBe(10);
    expect(run.stderr).toContain(
      'vmboxes.one (both.yaml:2:30) has the same "mailbox": "0300", which services keep as "300"',
    );
  });
});
