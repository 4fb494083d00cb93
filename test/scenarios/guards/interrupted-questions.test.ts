import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

const manifest = 'menus: { main: { name: Main } }\n';

const questions = [
  ['confirmation', 'users delete ann', 'Delete'],
  ['question about keys', 'accounts api-key rotate', 'Replace the API key'],
  ['password', 'users password ann', 'assword'],
  ['text', 'users create', ':'],
  ['plan', 'apply -f m.yaml', 'Apply'],
] as const;

test.each(
  questions.flatMap(([kind, line, to]) =>
    (['', '1'] as const).map((plain) => [plain === '' ? kind : `plain ${kind}`, line, to, plain] as const),
  ),
)('Ctrl-C at a %s ends %s without a change', async (_, line, to, plain) => {
  const world = await openWorld();
  await world.addUser({ username: 'ann', first_name: 'A', last_name: 'B' });
  const run = await world.telctl(line, {
    tty: true,
    answers: [{ to, type: '\u0003' }],
    files: { 'm.yaml': manifest },
    ...(plain === '' ? {} : { env: { TELCTL_ACCESSIBLE: plain } }),
  });
  expect(run.code, run.stderr).toBe(130);
  expect(run.stderr).not.toMatch(/\n\s+at /);
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(world.filesWritten().filter(({ path }) => path.includes('.tmp'))).toEqual([]);
});
