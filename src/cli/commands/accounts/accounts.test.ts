import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('lists accounts below their parents, sorted by name', async () => {
  const world = await openWorld();
  for (const [above, name] of [
    ['acme', 'west'],
    ['acme', 'east'],
    ['east', 'east-1'],
  ] as const) {
    const line = ['accounts', 'create', '--name', name, '--realm', `${name}.example`, '--account', above];
    const run = await world.telctl(line);
    expect(run.code, run.stderr).toBe(0);
  }
  const run = await world.telctl('accounts tree');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toBe(
    [
      'acme  acme.sandbox.example',
      '├─ east  east.example',
      '│  └─ east-1  east-1.example',
      '└─ west  west.example',
      '',
    ].join('\n'),
  );
  expect(JSON.parse((await world.telctl('accounts tree -o json')).stdout)).toMatchObject({
    name: 'acme',
    children: [{ name: 'east', children: [{ name: 'east-1', children: [] }] }, { name: 'west' }],
  });
});
