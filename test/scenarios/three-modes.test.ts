import { expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';

/** A morning's work, with what of it the specification itself documents. */
const lines: readonly (readonly [line: string, documented: boolean])[] = [
  ['whoami', true],
  ['limits get', true],
  ['users create --first-name Alice --last-name Ashe --set email=alice@acme.example', false],
  ['users list', false],
  ['limits get -o json', false],
  ['menus create --set name=Main', false],
  ['menus patch Main --set-json retries=2', false],
  ['menus get Main', false],
  ['accounts get', false],
  ['accounts patch --set org=Acme', false],
  ['webhooks list', false],
  ['menus delete Main --yes', false],
  ['export', false],
];

test.each([undefined, 'kazoo', 'specification'] as const)('the usual work is done, like %s', async (like) => {
  const world = await openWorld({ like });
  for (const [line, documented] of lines) {
    if (like === 'specification' && !documented) continue;
    const run = await world.telctl(line);
    expect(run.code, `${line}: ${run.stderr}`).toBe(0);
  }
});
