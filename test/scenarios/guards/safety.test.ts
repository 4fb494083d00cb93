import { expect, test } from 'vitest';
import { openWorld, type Run } from '../../support/world.ts';

const writes = (run: Run) => run.requests.filter(({ method }) => method !== 'GET');

async function openWorldWithAlice(options?: Parameters<typeof openWorld>[0]) {
  const world = await openWorld(options);
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  return world;
}

const changes = [
  'users create --username bob --first-name Bob --last-name Baker',
  'users patch alice --set timezone=Europe/Zurich',
  'users delete alice --yes',
  'users disable alice --yes',
  'limits set --inbound-trunks 3 --accept-charges',
  'webhooks create --set name=log --set uri=https://crm.example/hook --set hook=channel_create',
];

for (const line of changes) {
  test(`"telctl ${line}" sends no write with --dry-run`, async () => {
    const world = await openWorldWithAlice();
    const run = await world.telctl(`${line} --dry-run`);
    expect(run.code, run.stderr).toBe(0);
    expect(writes(run)).toEqual([]);
    expect(run.stdout + run.stderr).toMatch(/nothing was sent/i);
  });

  test(`"telctl ${line}" is refused under a read-only profile`, async () => {
    const world = await openWorldWithAlice();
    expect((await world.telctl(`profiles set ${world.profile} --protect read-only`)).code).toBe(0);
    const run = await world.telctl(line);
    expect(run.code).toBe(9);
    expect(writes(run)).toEqual([]);
  });
}

test('a read-only profile allows reads', async () => {
  const world = await openWorldWithAlice();
  await world.telctl(`profiles set ${world.profile} --protect read-only`);
  expect((await world.telctl('users list')).code).toBe(0);
});

test('a profile that asks before each change needs more than --yes in a script', async () => {
  const world = await openWorldWithAlice();
  await world.telctl(`profiles set ${world.profile} --protect confirm`);
  const unasked = await world.telctl('users patch alice --set timezone=Europe/Zurich');
  expect(unasked.code).toBe(2);
  expect(writes(unasked)).toEqual([]);
});

test('a delete asks for the name, and no means no', async () => {
  const world = await openWorldWithAlice();
  const run = await world.telctl('users delete alice', {
    tty: true,
    answers: [{ to: /Delete user alice/, type: 'n' }],
  });
  expect(run.code).toBe(130);
  expect(writes(run)).toEqual([]);
});

test('a delete runs after yes', async () => {
  const world = await openWorldWithAlice();
  const run = await world.telctl('users delete alice', {
    tty: true,
    answers: [{ to: /Delete user alice/, type: 'y' }],
  });
  expect(run.code, run.stderr).toBe(0);
  expect((await world.telctl('users list -o name')).stdout).not.toContain('alice');
});

test('Ctrl-C before a request sends nothing and exits with code 130', async () => {
  const world = await openWorldWithAlice();
  const controller = new AbortController();
  const run = await world.telctl('users list', {
    interrupted: controller.signal,
    faults: [{ path: /\/users$/, fault: { kind: 'hang', onRequest: () => controller.abort() } }],
  });
  expect(run.code).toBe(130);
  expect(run.stdout).toBe('');
});
