import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';

async function openOffice(): Promise<World> {
  const world = await openWorld();
  for (const [username, timezone] of [
    ['alice', 'Europe/London'],
    ['bob', 'Europe/Zurich'],
  ] as const)
    await world.addUser({ username, timezone, first_name: username, last_name: 'X' });
  return world;
}

const isWrite = ({ method }: { readonly method: string }): boolean => method !== 'GET';
const line = 'users patch --all --timezone Europe/Zurich';

test('sets a field in every record after one question, and a second run sends no writes', async () => {
  const world = await openOffice();
  const run = await world.telctl(line, {
    tty: true,
    answers: [{ to: 'Change 2 of 3 users in acme?', type: 'y' }],
  });
  expect(run).toMatchObject({ code: 0, stdout: '' });
  expect(run.stderr).toContain('user alice: timezone: Europe/London → Europe/Zurich');
  expect(run.stderr).toContain('The change includes your own user.');
  expect(run.stderr).toContain('Changed 2 users, 1 unchanged.');
  expect(run.requests.filter(isWrite)).toHaveLength(2);
  const again = await world.telctl(`${line} --yes`);
  expect(again).toMatchObject({ code: 0, stderr: 'Nothing to change in 3 users.\n' });
  expect(again.requests.filter(isWrite)).toEqual([]);
});

test('selects records by filter, and checks the filters against the records', async () => {
  const world = await openOffice();
  const run = await world.telctl(`${line} --filter username=alice --yes -o json --query [].username`);
  expect(JSON.parse(run.stdout)).toEqual(['alice']);
});

test('sends no writes without an answer or in a dry run', async () => {
  const world = await openOffice();
  const refused = await world.telctl(line);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('Answer with --yes.');
  const dry = await world.telctl(`${line} --dry-run -o json`);
  expect(JSON.parse(dry.stdout).requests).toHaveLength(2);
  expect([...refused.requests, ...dry.requests].filter(isWrite)).toEqual([]);
});

test('reports the failure of one record, and changes the others', async () => {
  const world = await openOffice();
  const { id } = (await world.telctl('users get alice -o json').then(({ stdout }) => JSON.parse(stdout))) as {
    readonly id: string;
  };
  const run = await world.telctl(`${line} --yes`, {
    faults: [
      {
        method: 'PATCH',
        path: new RegExp(id),
        fault: {
          kind: 'answer',
          status: 400,
          body: '{"status":"error","error":"400","message":"no","data":{}}',
        },
      },
    ],
  });
  expect(run.code).toBe(8);
  expect(run.stderr).toContain('Changed 1 user, 1 unchanged, 1 failed.');
  expect(run.stderr).toContain('failed  user alice:');
});

test('prints the error about failed records as one sentence with -o json', async () => {
  const world = await openWorld();
  for (const username of ['ann', 'bea']) await world.addUser({ username, first_name: 'A', last_name: 'B' });
  const body = '{"status":"error","error":"400","message":"no","data":{}}';
  const faults = [{ method: 'PATCH', fault: { kind: 'answer', status: 400, body } }] as const;
  const run = await world.telctl('users patch --all --timezone Europe/Zurich --yes -o json', { faults });
  expect(JSON.parse(run.stderr).error.message).toMatch(
    /^3 of 3 users were not changed\. The first is user \S+: [^\n]+$/,
  );
});

/** The users whose time zone was set, past telctl. */
async function changedUsers(world: World): Promise<readonly string[]> {
  const run = await world.telctl('users list --filter timezone=Europe/Zurich -o json');
  const users = JSON.parse(run.stdout) as readonly { readonly username: string }[];
  return users.map(({ username }) => username).sort();
}

async function manyUsers(count: number): Promise<World> {
  const world = await openWorld();
  for (let at = 0; at < count; at += 1)
    await world.addUser({ username: `u${at}`, first_name: 'A', last_name: 'B' });
  return world;
}

test('counts changed records after an interruption, and does not count unsent ones as failed', async () => {
  const world = await manyUsers(5);
  const stop = new AbortController();
  const run = await world.telctl(`${line} --filter first_name=A --yes --concurrency 1`, {
    interrupted: stop.signal,
    faults: [
      { method: 'PATCH', fault: { kind: 'pass' }, times: 1 },
      { method: 'PATCH', fault: { kind: 'pass' }, met: () => stop.abort() },
    ],
  });
  expect(run.code).toBe(130);
  expect(run.stderr).toContain('Changed 2 users, 3 never sent.');
  expect(run.stderr).toContain('3 of 5 users were not changed (3 never sent).');
  expect(run.stderr).not.toContain('failed  user');
  expect(await changedUsers(world)).toHaveLength(2);
});

test('reports that no record was changed if interrupted while reading', async () => {
  const world = await manyUsers(3);
  const stop = new AbortController();
  const run = await world.telctl(`${line} --yes --concurrency 1`, {
    interrupted: stop.signal,
    faults: [{ method: 'GET', path: /users\/./, fault: { kind: 'hang', onRequest: () => stop.abort() } }],
  });
  expect(run).toMatchObject({ code: 130, stdout: '' });
  expect(run.stderr).toContain('Interrupted while reading. Nothing was changed.');
  expect(run.requests.filter(isWrite)).toEqual([]);
});

test('shows separate progress for reading and changing', async () => {
  const world = await manyUsers(3);
  const run = await world.telctl(`${line} --concurrency 1`, {
    tty: true,
    answers: [{ to: /Change \d of \d users/, type: 'y' }],
  });
  expect(run.stderr).toMatch(/\d+\/4 {2}read users/);
  expect(run.stderr).toMatch(/\d+\/\d {2}change users/);
});

test('looks up a change whose response was lost', async () => {
  const world = await manyUsers(2);
  const run = await world.telctl(`${line} --filter first_name=A --yes --concurrency 1 --retries 0`, {
    faults: [{ method: 'PATCH', fault: { kind: 'lose-reply' }, times: 1 }],
  });
  expect(run.stderr).toContain('Changed 2 users.');
  expect(run.code).toBe(0);
  expect(await changedUsers(world)).toHaveLength(2);
});

test.each([
  ['users patch --timezone Europe/Zurich', 'Give ID or --all or --file.'],
  ['users patch alice --all --timezone Europe/Zurich', 'Give --all or ID, not both.'],
  ['users patch alice --filter enabled=true --timezone Europe/Zurich', '--filter needs --all.'],
  ['users patch --all', 'No change was given.'],
])('rejects `%s`', async (words, sentence) => {
  const world = await openOffice();
  const run = await world.telctl(words);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(sentence);
  expect(run.requests.filter(isWrite)).toEqual([]);
});
