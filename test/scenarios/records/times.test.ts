import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

test('a Unix time in a field of Gregorian seconds draws a warning everywhere', async () => {
  const world = await openWorld();
  const warned = 'takes Gregorian seconds, and 1798156800 is a Unix time. Write 2026-12-25';
  const port =
    'ports create --name Move --set-json numbers={"+13125550170":{}} --set-json transfer_date=1798156800';
  expect((await world.telctl(port)).stderr).toContain(warned);
  const files = {
    'm.yaml': 'temporal_rules: { x: { name: X, cycle: date, start_date: 1798156800 } }\n',
  };
  expect((await world.telctl('apply -f m.yaml --yes', { files })).stderr).toContain(warned);
  // The list does not show it as a date of the 20th century.
  const list = (await world.telctl('temporal-rules list')).stdout;
  expect([list.includes('1798156800'), list.includes('1956')], list).toEqual([true, false]);
});

test('a time zone without daylight saving time draws a warning everywhere', async () => {
  const world = await openWorld();
  const warned = '"timezone" Etc/GMT+5 is UTC-5 all year, because the sign is reversed';
  const patched = await world.telctl('accounts patch --set timezone=Etc/GMT+5');
  expect([patched.code, patched.stderr]).toEqual([0, expect.stringContaining(warned)]);
  const files = { 'm.yaml': 'account_settings: { timezone: Etc/GMT+5 }\n' };
  expect((await world.telctl('validate -f m.yaml', { files })).stderr).toContain(warned);
  expect((await world.telctl('audit')).stdout).toContain(warned);
});
