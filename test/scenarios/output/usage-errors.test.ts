import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

const mistakes = [
  { line: 'usres list', suggests: 'users' },
  { line: 'users lst', suggests: 'list' },
  { line: 'users list --outptu json', suggests: '--output' },
  { line: 'users create --frist-name Alice', suggests: '--first-name' },
  { line: 'users list -o jsno', suggests: 'json' },
  { line: 'limits set --inbound-trunk 4', suggests: '--inbound-trunks' },
];

for (const { line, suggests } of mistakes) {
  test(`"telctl ${line}" is refused with the suggestion ${suggests}`, async () => {
    const world = await openWorld();
    const run = await world.telctl(line);
    expect(run.code).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(suggests);
    expect(run.requests).toEqual([]);
  });
}

test('a noun without a verb lists its verbs', async () => {
  const world = await openWorld();
  const run = await world.telctl('users');
  expect(run.code).toBe(0);
  expect(run.stdout + run.stderr).toContain('list');
  expect(run.requests).toEqual([]);
});

test('a missing argument is named', async () => {
  const world = await openWorld();
  const run = await world.telctl('users get');
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('ID');
  expect(run.requests).toEqual([]);
});

test('an option that needs a number refuses text', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --inbound-trunks many');
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('--inbound-trunks');
  expect(run.requests).toEqual([]);
});

test('a delete without a terminal names the option that confirms', async () => {
  const world = await openWorld();
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const run = await world.telctl('users delete alice');
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('--yes');
  expect(run.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test('an unknown name is not found, with the nearest one', async () => {
  const world = await openWorld();
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const run = await world.telctl('users get alise');
  expect(run.code).toBe(5);
  expect(run.stderr).toContain('alice');
});

test('a password as argument is refused and not repeated', async () => {
  const world = await openWorld();
  const run = await world.telctl('users create --username x --set password=hunter2-canary');
  expect(run.code).toBe(2);
  expect(run.stderr).not.toContain('hunter2-canary');
  expect(run.requests).toEqual([]);
});

test('create names the option for a field that the service requires', async () => {
  const world = await openWorld();
  const nameless = await world.telctl('users create --first-name Dora');
  expect(nameless.code).toBe(10);
  expect(nameless.stderr).toContain('Give --last-name.');
  const create = 'users create --username dora --first-name Dora --last-name Doe';
  const open = await world.telctl(`${create} -o json`);
  expect(JSON.parse(open.stderr).error).toMatchObject({ kind: 'invalid', hint: 'Give --password-stdin.' });
  expect((await world.telctl('webhooks create --name crm')).stderr).toContain('"uri" is missing; pass --uri');
});

test('create asks at a terminal for a secret that the service requires', async () => {
  const world = await openWorld();
  const create = 'users create --username dora --first-name Dora --last-name Doe';
  const run = await world.telctl(create, {
    tty: true,
    answers: [
      { to: 'Password of the new user:', type: 'correct-horse' },
      { to: 'Repeat it:', type: 'correct-horse' },
    ],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('Created user dora');
  expect(run.stderr).not.toContain('correct-horse');
});

test('--set with an unknown field does not mention numbers', async () => {
  const world = await openWorld();
  expect((await world.telctl('users patch admin --set frist_name=A')).stderr).not.toContain('--set-json');
  expect((await world.telctl('users patch admin --set enabled=true')).stderr).toContain('--set-json');
});

test('a missing account is searched below the own one, and the error says where the name came from', async () => {
  const world = await openWorld();
  const asked = await world.telctl('--account nosuch users list');
  expect(asked).toMatchObject({ code: 5, stderr: 'There is no account "nosuch" below acme.\n' });
  const preset = await world.telctl('users list', { env: { TELCTL_ACCOUNT: 'nosuch' } });
  expect(preset.stderr).toBe('There is no account "nosuch" below acme.\nTELCTL_ACCOUNT names the account.\n');
});

test('an id that does not exist is reported as not found', async () => {
  const world = await openWorld();
  const run = await world.telctl('sso providers get nosuch');
  expect(run.code).toBe(5);
  expect(run.stderr).toMatch(/^There is no provider "nosuch"/);
});

test('refused charges include the request', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --inbound-trunks 4 -o json');
  expect(run.code).toBe(7);
  expect(JSON.parse(run.stderr).error.request_id).toMatch(/^[0-9a-f]{32}$/);
});

const wrongs = [
  { line: 'api GET /v2/accounts/{acount_id}/users', says: 'telctl cannot replace {acount_id} in the path.' },
  { line: 'api POST /v2/x --field y', says: '--field must be path=value, not "y".' },
  { line: 'users patch admin --set a..b=1', says: '--set must be path=value, not "a..b=1".' },
  { line: 'users create -f .', says: '. is a folder, not a file.' },
  { line: 'hlep', says: 'Did you mean "help"?' },
  { line: 'limits set', says: 'No change was given.' },
];

for (const { line, says } of wrongs) {
  test(`"telctl ${line}" says: ${says}`, async () => {
    const world = await openWorld();
    const run = await world.telctl(line);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(says);
    expect(run.requests).toEqual([]);
  });
}

test('choices are case-insensitive', async () => {
  const world = await openWorld();
  const run = await world.telctl('api get /v2/accounts/{account_id} -o JSON');
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout).data.name).toBe('acme');
});
