import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ListeningForTests, listen } from '../support/listening-sandbox.ts';
import { runProcess } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

/** Creates a home folder with a profile signed in by API key. */
async function createSignedInHome(sandbox: ListeningForTests): Promise<string> {
  const { home } = testFolders();
  const login = await runProcess(['login', '--base-url', sandbox.url, '--api-key-stdin'], {
    home,
    stdin: sandbox.seed.apiKey,
  });
  expect(login.code, login.stderr).toBe(0);
  return home;
}

/** Makes the stored token expire. */
function expireToken(home: string): void {
  const folder = join(home, '.config', 'telctl', 'tokens');
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.json'));
  const token = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  writeFileSync(join(folder, name), JSON.stringify({ ...token, expiresAtMs: 1000 }));
}

// The lock is the same in both cases. For rejected tokens, fewer processes are enough.
const ends = [
  { how: 'expired', count: 50, end: async (_: ListeningForTests, home: string) => expireToken(home) },
  { how: 'was revoked', count: 16, end: (sandbox: ListeningForTests) => sandbox.revokeTokens() },
];

for (const { how, count, end } of ends) {
  test(`${count} concurrent processes with a token that ${how} sign in once`, async () => {
    const sandbox = await listen();
    const home = await createSignedInHome(sandbox);
    await end(sandbox, home);
    const before = sandbox.signIns();
    const runs = await Promise.all(
      Array.from({ length: count }, () => runProcess(['users', 'list', '-o', 'name'], { home })),
    );
    expect(runs.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)).toEqual([]);
    expect(sandbox.signIns() - before).toBe(1);
  });
}

test('completion waits at most 200 ms for a hanging service', async () => {
  const sandbox = await listen();
  const home = await createSignedInHome(sandbox);
  sandbox.hold(/.*/);
  const measureRun = async (argv: readonly string[]): Promise<number> => {
    const start = performance.now();
    const run = await runProcess(argv, { home });
    expect(run.code, run.stderr).toBe(0);
    return performance.now() - start;
  };
  let wait = Number.POSITIVE_INFINITY;
  // Waiting time in addition to the start of the program. The best of five is used, because other processes affect
  // it.
  for (let turn = 0; turn < 5 && wait >= 200; turn += 1) {
    const floor = await measureRun(['commands']);
    wait = (await measureRun(['__complete', '--', 'users', 'get', ''])) - floor;
  }
  expect(wait).toBeLessThan(200);
});
