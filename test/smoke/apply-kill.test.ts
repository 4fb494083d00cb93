import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../support/fake-host.ts';
import { listen } from '../support/listening-sandbox.ts';
import { runProcess, startProcess } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

const count = 120;
const names = Array.from({ length: count }, (_, index) => `user-${String(index).padStart(3, '0')}`);
const manifest = [
  'users:',
  ...names.map(
    (name) => `  ${name}: { username: ${name}, first_name: A, last_name: B, password: first-sign-in }`,
  ),
  'menus:',
  ...names.map((name) => `  ${name}: { name: Menu ${name}, retries: 3 }`),
].join('\n');

async function startApply() {
  const { home } = testFolders();
  const sandbox = await listen();
  const login = await runProcess(['login', '--base-url', sandbox.url, '--api-key-stdin'], {
    home,
    stdin: sandbox.seed.apiKey,
  });
  expect(login.code, login.stderr).toBe(0);
  writeFiles(home, { 'office.yaml': manifest });
  const { child, end } = startProcess(['apply', '-f', 'office.yaml', '--yes', '--concurrency', '4'], {
    home,
  });
  let seen = '';
  const reached = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      seen += chunk.toString('utf8');
      if (seen.split('\n').length > 60) resolve();
    });
  });
  await Promise.race([reached, end]);
  const expectCompleteResume = async (): Promise<void> => {
    const next = await runProcess(['apply', '--resume'], { home });
    expect(next.code, next.stderr).toBe(0);
    for (const noun of ['users', 'menus']) {
      const list = await runProcess([noun, 'list', '-o', 'name'], { home });
      const found = list.stdout.split('\n').filter((line) => line.includes('user-'));
      expect(found.length).toBe(count);
      expect(new Set(found).size).toBe(count);
    }
    const again = await runProcess(['apply', '-f', 'office.yaml', '--prune', '--yes', '-o', 'json'], {
      home,
    });
    expect(again.stderr).toContain('Nothing to do');
    // Only for requests that were in progress or had just ended is it unknown whether the password was stored.
    expect(JSON.parse(again.stdout).accounts[0].counts.unverifiable).toBeLessThanOrEqual(8);
  };
  return { home, child, end, expectWhole: expectCompleteResume };
}

test('an apply killed halfway is resumed without duplicates', async () => {
  const { home, child, end, expectWhole } = await startApply();
  child.kill('SIGKILL');
  await end;
  const history = await runProcess(['apply', 'history', '-o', 'json'], { home });
  expect(JSON.parse(history.stdout)).toMatchObject([{ state: 'unfinished' }]);
  await expectWhole();
  const ledgers = join(home, '.local', 'state', 'telctl', 'ledgers');
  expect(readdirSync(ledgers).filter((name) => name.endsWith('.json')).length).toBe(1);
});

test.each(['SIGINT', 'SIGHUP'] as const)(
  'at %s an apply completes the current step, unlocks, and explains how to continue',
  async (signal) => {
    const { home, child, end, expectWhole } = await startApply();
    child.kill(signal);
    const { code, stderr } = await end;
    expect(code, stderr).toBe(130);
    expect(stderr).toContain('telctl apply --resume');
    expect(stderr).toMatch(/failed 0, skipped \d+/);
    expect(readdirSync(join(home, '.local', 'state', 'telctl', 'locks'))).toEqual([]);
    await expectWhole();
  },
);

test('a rollout killed halfway continues immediately, and is reverted completely', async () => {
  const { home } = testFolders();
  const sandbox = await listen();
  const login = await runProcess(['login', '--base-url', sandbox.url, '--api-key-stdin'], {
    home,
    stdin: sandbox.seed.apiKey,
  });
  expect(login.code, login.stderr).toBe(0);
  const branches = ['north', 'south', 'west'].map((name) => ({ name, realm: `${name}.example` }));
  writeFiles(home, {
    'branches.json': JSON.stringify(branches),
    'branches.txt': branches.map(({ name }) => name).join('\n'),
    'branch.yaml': `menus:\n${names
      .slice(0, 20)
      .map((name) => `  ${name}: { name: ${name} }`)
      .join('\n')}`,
  });
  const made = await runProcess(['accounts', 'create', '-f', 'branches.json', '--yes'], { home });
  expect(made.code, made.stderr).toBe(0);
  const line =
    'rollout start -f branch.yaml --accounts branches.txt --waves 1,100% --max-change-percent 100 --yes';
  const { child, end } = startProcess([...line.split(' '), '--concurrency', '2'], { home });
  const countMenus = async () => (await sandbox.store.allOfKind('menus')).length;
  const reached = new Promise<void>((resolve) => {
    let changes = 0;
    sandbox.store.watch((some) => {
      changes += some.filter(({ change }) => change === 'put').length;
      if (changes > 30) resolve();
    });
  });
  await Promise.race([reached, end]);
  child.kill('SIGKILL');
  await end;
  expect(await countMenus()).toBeLessThan(60);
  // It does not wait until the lock of the killed process expires.
  const resumed = await runProcess(['rollout', 'resume', '1', '--yes'], { home });
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.not.stringMatching(/waiting|carried out by/)]);
  expect(await countMenus()).toBe(60);
  const undone = await runProcess(['rollout', 'undo', '1', '--yes'], { home });
  expect(undone.code, undone.stderr).toBe(0);
  expect(await countMenus()).toBe(0);
});
