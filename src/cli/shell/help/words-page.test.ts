import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const led = [
  ['hours', 'telctl temporal-rules '],
  ['opening hours', 'telctl temporal-rules '],
  ['holidays', 'telctl temporal-rule-sets '],
  ['ring group', 'telctl groups '],
  ['ring-group', 'telctl groups '],
  ['trunk', 'telctl limits '],
  ['billing', 'telctl ledgers '],
  ['moh', 'telctl media '],
  ['mfa', 'telctl multi-factor '],
  ['backup', 'telctl export '],
  ['rollback', 'telctl undo '],
  ['copy', 'telctl callflows copy '],
  ['import', 'telctl users import '],
  ['status', 'telctl whoami '],
  ['caller id', 'users.caller_id '],
  ['onboard', 'telctl users onboard '],
] as const;

test.each(led)('telctl help %s leads to %s', async (words, line) => {
  const world = await openWorld();
  const { code, stdout, requests } = await world.telctl(`help ${words}`);
  expect([code, requests]).toEqual([0, []]);
  expect(`${stdout.replaceAll(/ +/g, ' ')}`).toContain(line);
});

test.each([
  'hours',
  'holidays',
  'ring-group',
  'trunk',
  'billing',
  'moh',
  'mfa',
  'backup',
  'rollback',
  'copy',
])('telctl %s says which noun is meant', async (word) => {
  const world = await openWorld();
  const { code, stderr } = await world.telctl(`${word} list`);
  expect(code).toBe(2);
  expect(stderr).toContain('Did you mean');
});

test('words that fit nothing are said to, and the topics are named', async () => {
  const world = await openWorld();
  const { code, stderr } = await world.telctl('help zebra crossing');
  expect(code).toBe(2);
  expect(stderr).toContain('There is no help on "zebra crossing".');
  expect(stderr).toContain('Topics:');
});
