import { expect, test } from 'vitest';
import { openWorld } from '../../test/support/world.ts';
import { emergencyNumbers } from './emergency-numbers.ts';
import { classOfNumber, numberClasses, recordedClasses } from './number-classes.ts';

/** Numbers of each class, with the class that every part of telctl gives them. */
const samples: readonly (readonly [string, string])[] = [
  ...emergencyNumbers().map((number) => [number, 'emergency'] as const),
  ['922', 'emergency'],
  ['+18005550100', 'tollfree_us'],
  ['+18225550100', 'tollfree_us'],
  ['+18815550100', 'tollfree_us'],
  ['+19005550100', 'toll_us'],
  ['+12425550100', 'caribbean'],
  ['+12125550100', 'did_us'],
  ['+442079460018', 'international'],
  [`+49${'5'.repeat(18)}`, 'international'],
  ['2001', 'unknown'],
];

test.each(samples)('the contract, the service and calls all classify %s as %s', async (number, name) => {
  const world = await openWorld();
  expect(classOfNumber(number)?.name).toBe(name);
  const shown = await world.telctl(['numbers', 'classify', number, '-o', 'json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({ name });
  const files = {
    'm.yaml': `users: { ann: { username: ann, first_name: A, last_name: A, password: "\${env.PW?}" } }
devices: { ann: { name: ann, owner_id: "\${users.ann}", sip: { username: ann1, password: "\${env.PW?}" } } }
callflows: { out: { name: Out, numbers: [no_match], flow: { module: offnet, data: {} } } }
`,
    'c.yaml': `at: 2026-11-30 10:00 America/New_York
cases:
  - { name: out, call: { from: user:ann, to: "${number}" }, expect: { emergency: ${name === 'emergency'} } }
`,
  };
  const called = await world.telctl('test c.yaml -f m.yaml', { files });
  expect(called.code, called.stdout + called.stderr).toBe(0);
});

test('the kazoo-like sandbox has the recorded classes, and telctl knows all its emergency numbers', async () => {
  const world = await openWorld({ like: 'kazoo' });
  expect(await world.service('GET', 'phone_numbers/classifiers')).toMatchObject({
    emergency: { regex: '^(911|922|933|833|811|711|999)$' },
    international: { regex: '^\\+([2-9]\\d{7,})$' },
  });
  const short = Array.from({ length: 1000 }, (_, index) => String(index).padStart(3, '0'));
  const helps = (classes: typeof numberClasses) =>
    short.filter((number) => classOfNumber(number, classes)?.name === 'emergency');
  expect(helps(numberClasses)).toEqual(expect.arrayContaining([...helps(recordedClasses)]));
});
