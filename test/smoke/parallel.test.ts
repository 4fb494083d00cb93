import { expect, test } from 'vitest';
import { listen } from '../support/listening-sandbox.ts';
import { runProcess } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

test('fifty processes at once on an expired token sign in once', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const login = await runProcess(['login', '--base-url', sandbox.url, '--api-key-stdin'], {
    home,
    stdin: sandbox.seed.apiKey,
  });
  expect(login.code, login.stderr).toBe(0);
  await sandbox.revokeTokens();
  const before = sandbox.signIns();
  const runs = await Promise.all(
    Array.from({ length: 50 }, () => runProcess(['users', 'list', '-o', 'name'], { home })),
  );
  expect(runs.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)).toEqual([]);
  expect(sandbox.signIns() - before).toBe(1);
}, 120_000);

test('completion of live names answers within 200 ms even when the service hangs', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const login = await runProcess(['login', '--base-url', sandbox.url, '--api-key-stdin'], {
    home,
    stdin: sandbox.seed.apiKey,
  });
  expect(login.code, login.stderr).toBe(0);
  sandbox.hold(/.*/);
  const times: number[] = [];
  const floors: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const floor = performance.now();
    await runProcess(['--version'], { home });
    floors.push(performance.now() - floor);
    const start = performance.now();
    await runProcess(['__complete', '--', 'users', 'get', ''], { home });
    times.push(performance.now() - start);
  }
  // What it waits for the service, above what starting the program takes on this machine.
  expect(Math.min(...times) - Math.min(...floors)).toBeLessThan(200);
});
