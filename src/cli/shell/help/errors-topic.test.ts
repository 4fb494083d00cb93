import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import { exitCodes } from '../../../base/failure.ts';
import { errorKinds } from './errors-topic.ts';

const source = globSync('src/**/*.ts', { exclude: ['**/*.test.ts', 'src/cli/shell/help/errors-topic.ts'] })
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

it.each(errorKinds)('documents messages of $kind that appear in the source', ({ seen }) => {
  const fragments = seen.flatMap(([message]) => message.split('…').map((part) => part.trim()));
  expect(fragments.filter((part) => !source.includes(part))).toEqual([]);
});

it('telctl help has a page for every error kind, and errors without a hint name it in a terminal', async () => {
  const { telctl } = await openWorld();
  for (const kind of Object.keys(exitCodes)) {
    const { code, stdout } = await telctl(`help ${kind}`);
    expect(code).toBe(0);
    expect(stdout).toContain(`${kind} (exit code `);
  }
  expect((await telctl('help errors')).stdout).toContain('not_found');
  const seen = await telctl('users get nobody', { tty: true });
  expect(seen.stderr).toContain('There is no user "nobody" in acme.\ntelctl help not_found\n');
  const hinted = await telctl('users gte', { tty: true });
  expect(hinted.stderr).not.toContain('telctl help usage');
  expect((await telctl('users get nobody')).stderr).toBe('There is no user "nobody" in acme.\n');
});
