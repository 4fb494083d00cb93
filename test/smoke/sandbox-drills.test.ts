import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolders } from '../support/fake-host.ts';
import { bin, runProcess, startProcess } from '../support/process.ts';
import { runWithSandbox } from '../support/run-with-sandbox.ts';

const manifest = `
users:
  alice:
    username: alice
    first_name: Alice
    last_name: Archer
    password: \${env.ALICE_PASSWORD}
limits:
  twoway_trunks: 5
`;

/** Creates a home folder whose sandbox stops with the test, and a manifest in it. */
function createMachine() {
  const { home, remove } = makeFolders();
  const env = { ALICE_PASSWORD: 'first-sign-in' };
  const telctl = (...argv: readonly string[]) => runWithSandbox(argv, { home, env });
  const writeFile = (name: string, text: string): string => {
    const path = join(home, name);
    writeFileSync(path, text);
    return path;
  };
  onTestFinished(async () => {
    await telctl('sandbox', 'stop');
    remove();
  });
  const json = async (...argv: readonly string[]) => JSON.parse((await telctl(...argv, '-o', 'json')).stdout);
  return { home, env, telctl, json, file: writeFile };
}

test('start --seed applies manifests, accepts their charges, and does not ask', async () => {
  const { telctl, json, file } = createMachine();
  const seed = file('office.yaml', manifest);
  const started = await telctl('sandbox', 'start', '--memory', '--seed', seed);
  expect(started).toMatchObject({ code: 0, stdout: '' });
  expect((await telctl('users', 'list', '-o', 'name')).stdout.split('\n')).toContain('alice');
  expect(await json('limits', 'get')).toMatchObject({ twoway_trunks: 5 });
  const again = await telctl('apply', '-f', seed, '--yes');
  expect(again.stderr).toContain('Nothing to do');
});

test.each(['specification', 'kazoo'])(
  'start --seed fills a sandbox like %s, which then offers nothing more for it',
  async (like) => {
    const { telctl, json, file } = createMachine();
    const seed = file('office.yaml', manifest);
    const started = await telctl('sandbox', 'start', '--memory', '--like', like, '--seed', seed);
    expect(started).toMatchObject({ code: 0, stdout: '' });
    expect(await json('limits', 'get')).toMatchObject({ twoway_trunks: 5 });
    const { code, stdout, stderr } = await telctl('users', 'list', '-o', 'name');
    if (like === 'kazoo') expect(stdout.split('\n')).toContain('alice');
    else {
      expect([code, stderr]).toEqual([5, expect.stringContaining('does not offer')]);
      expect((await telctl('plan', '-f', seed)).stdout).toContain('was last applied');
    }
  },
);

test('an invalid manifest leaves no sandbox running', async () => {
  const { telctl, json, file } = createMachine();
  const seed = file('bad.yaml', 'users:\n  bob: { first_nam: Bob }\n');
  const failed = await telctl('sandbox', 'start', '--memory', '--seed', seed);
  expect(failed).toMatchObject({ code: 10, stdout: '' });
  expect(failed.stderr).toContain('The sandbox was not seeded from');
  expect(failed.stderr).toContain('first_nam');
  expect(await json('sandbox', 'status')).toMatchObject({ running: false });
});

test('commands in exec control only its sandbox', async () => {
  const { telctl, json, file } = createMachine();
  await telctl('sandbox', 'start', '--memory');
  const script = file(
    'drill.sh',
    [
      'set -e',
      'run() { "$NODE" "$BIN" "$@"; }',
      'run sandbox clock advance 61m 2>/dev/null',
      'run users list -o name',
      'run sandbox snapshot save base 2>/dev/null',
      'run sandbox snapshot list -o name',
    ].join('\n'),
  );
  const seed = file('office.yaml', manifest);
  const run = await telctl(
    ...[
      'sandbox',
      'exec',
      '--seed',
      seed,
      '--',
      'env',
      `NODE=${process.execPath}`,
      `BIN=${bin}`,
      'sh',
      script,
    ],
  );
  expect(run).toMatchObject({ code: 0, stdout: 'admin\nalice\nbase\n' });
  expect(await json('sandbox', 'clock', 'status')).toMatchObject({ offset_ms: 0 });
  expect(await json('sandbox', 'snapshot', 'list')).toEqual([]);
});

test('commands in exec use its sandbox unless another is named', async () => {
  const { home, telctl, json, file } = createMachine();
  await telctl('sandbox', 'start', '--memory');
  const before = await json('sandbox', 'status');
  const script = file(
    'rule.sh',
    [
      'run() { "$NODE" "$BIN" "$@"; }',
      'run users create -f - <<END 2>/dev/null',
      '{"username":"bob","first_name":"B","last_name":"O","password":"first-sign-in"}',
      'END',
      'run sandbox faults add --status 503 --match GET --rate 0 2>/dev/null',
      'run sandbox clock advance 2h 2>/dev/null',
      'run sandbox status -o json',
      'run sandbox reset --yes 2>&1',
      'run users list -o name',
      'run sandbox status --query "[faults, clock.offset_ms, name]" -o json',
      'run sandbox env | grep -c "$TELCTL_API_KEY"',
      'run sandbox stop; echo "stop $?"',
      'run sandbox start 2>/dev/null; echo "start $?"',
      'run sandbox status --name default --query pid',
    ].join('\n'),
  );
  const run = await runProcess(
    ['sandbox', 'exec', '--', 'env', `NODE=${process.execPath}`, `BIN=${bin}`, 'sh', script],
    { home, env: { TELCTL_TOKEN: 'of-another-service', TELCTL_PREFIX: 'none' } },
  );
  expect(run.stderr).toContain('stops its sandbox when the command exits');
  expect(run.stdout).toContain('"faults": 1');
  expect(run.stdout.split('}\n').at(-1)).toBe(
    [
      'Erased all sandbox data. Account ids and API keys are unchanged.',
      'admin',
      ...['[', '  0,', '  0,', '  null', ']', '1', 'stop 2', 'start 0', String(before.pid), ''],
    ].join('\n'),
  );
  expect(await json('sandbox', 'status')).toMatchObject({ pid: before.pid, faults: 0 });
});

test('a sandbox killed after a snapshot was loaded recognizes its users', async () => {
  const { telctl, json } = createMachine();
  await telctl('sandbox', 'start');
  expect((await telctl('sandbox', 'snapshot', 'save', 'first')).code).toBe(0);
  expect((await telctl('sandbox', 'reset', '--yes')).code).toBe(0);
  const fresh = await json('sandbox', 'status');
  expect((await telctl('sandbox', 'snapshot', 'load', 'first', '--yes')).code).toBe(0);
  expect((await telctl('users', 'list', '-o', 'name')).stdout).toBe('admin\n');
  process.kill(fresh.pid, 'SIGKILL');
  expect((await telctl('sandbox', 'start')).code).toBe(0);
  const after = await json('sandbox', 'status');
  expect(after.account_id).not.toBe(fresh.account_id);
  expect((await telctl('users', 'list', '-o', 'name')).stdout).toBe('admin\n');
});

test('log --follow ends cleanly with Ctrl-C', async () => {
  const { home, telctl } = createMachine();
  await telctl('sandbox', 'start', '--memory');
  const following = startProcess(['sandbox', 'log', '--follow', '-o', 'ndjson'], { home });
  await new Promise((resolve) => following.child.stdout.once('data', resolve));
  following.child.kill('SIGINT');
  expect(await following.end).toMatchObject({ code: 0, stderr: '' });
});

test('log --follow ends without a stack trace if its reader or its sandbox is gone', async () => {
  const { home, telctl, json } = createMachine();
  await telctl('sandbox', 'start', '--memory');
  const read = startProcess(['sandbox', 'log', '--follow'], { home });
  await new Promise((resolve) => read.child.stdout.once('data', resolve));
  read.child.stdout.destroy();
  for (let sent = 0; sent < 3; sent += 1) await telctl('users', 'list');
  expect((await read.end).stderr).not.toContain('bug');

  const following = startProcess(['sandbox', 'log', '--follow'], { home });
  await new Promise((resolve) => following.child.stdout.once('data', resolve));
  process.kill((await json('sandbox', 'status')).pid, 'SIGKILL');
  const { code, stderr } = await following.end;
  expect({ code, stderr }).toEqual({ code: 8, stderr: expect.stringContaining('The sandbox has stopped.') });
});

test('exec reports a program that cannot run without a stack trace', async () => {
  const { telctl, file } = createMachine();
  const plain = file('notes.txt', 'no program');
  for (const [program, words] of [
    [plain, `Program ${plain} cannot be run (EACCES).`],
    ['no-such-program', 'Program no-such-program not found.'],
  ] as const) {
    const run = await telctl('sandbox', 'exec', '--', program);
    expect(run, program).toMatchObject({ code: 2, stdout: '', stderr: `${words}\n` });
  }
});

test('a running sandbox with other options says so', async () => {
  const { home, telctl, json } = createMachine();
  await telctl('sandbox', 'start', '--memory');
  const { base_url: address } = await json('sandbox', 'status');
  const port = new URL(address).port;
  for (const [options, words] of [
    [['--data', home], 'keeps its records in memory'],
    [['--port', '1'], `listens on port ${port}`],
    [['--strict'], 'answers more than the specification documents'],
  ] as const) {
    const run = await telctl('sandbox', 'start', ...options);
    expect(run, words).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(`The sandbox is already running, and ${words}.`);
  }
  expect((await telctl('sandbox', 'start', '--memory', '--port', port)).code).toBe(0);
  const taken = await telctl('sandbox', 'start', '--name', 'two', '--memory', '--port', port);
  expect(taken).toMatchObject({ code: 1, stdout: '' });
  expect(taken.stderr).toContain(`cannot listen on port ${port}: another program has it.`);
  expect(taken.stderr).toContain('Choose another port with --port');
});

test('exec stops the program at --deadline, and passes its exit code on otherwise', async () => {
  const { telctl } = createMachine();
  const node = (script: string) => ['--', process.execPath, '-e', script];
  const ended = await telctl(
    'sandbox',
    'exec',
    '--deadline',
    '2s',
    ...node('process.stdin.resume(); require("node:net").createServer().listen(0)'),
  );
  expect([ended.code, ended.stderr]).toEqual([75, 'The command took longer than 2 seconds (--deadline).\n']);
  const inTime = await telctl('sandbox', 'exec', '--deadline', '1m', ...node('process.exitCode = 7'));
  expect(inTime.code).toBe(7);
});
