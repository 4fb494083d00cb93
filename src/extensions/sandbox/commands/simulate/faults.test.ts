import { expect, test } from 'vitest';
import { serveSandbox } from '../../../../../test/support/served-sandbox.ts';

type Served = Awaited<ReturnType<typeof serveSandbox>>;

const add = (telctl: Served['telctl'], ...words: readonly string[]) =>
  telctl(['sandbox', 'faults', 'add', ...words]);

/** Calls the service past telctl, which repeats what fails. */
async function caller({ state }: Served) {
  const { baseUrl, seed } = state();
  const call = (method: string, path: string, data: unknown, token = '') =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-auth-token': token },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
  const signedIn = Object(await (await call('PUT', '/v2/api_auth', { api_key: seed.apiKey })).json());
  const users = `/v2/accounts/${String(seed.accountId)}/users`;
  return {
    list: () => call('GET', users, undefined, signedIn.auth_token),
    create: (username: string) =>
      call(
        'PUT',
        users,
        { first_name: 'A', last_name: 'B', username, password: 'first-sign-in' },
        signedIn.auth_token,
      ),
  };
}

test('a fault responds like the service, for the requested number of times', async () => {
  const served = await serveSandbox('--memory');
  const { list, create } = await caller(served);
  const added = await add(served.telctl, '--match', 'PUT /users*', '--status', '503', '--times', '2');
  expect(added).toMatchObject({ code: 0, stderr: 'Added fault 1: PUT /users* answers 503, 2 times\n' });
  expect((await list()).status).toBe(200);
  const refused = await create('bob');
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: 'datastore_unreachable' });
  expect((await create('bob')).status).toBe(503);
  expect((await create('bob')).status).toBe(201);
  const [fault] = Object.values(await served.json('sandbox faults list'));
  expect(fault).toMatchObject({ id: '1', matched: 3, disturbed: 2 });
});

test('a connection cut before the request prevents it, a cut after it does not, and the log has both', async () => {
  const served = await serveSandbox('--memory');
  const { create } = await caller(served);
  await add(served.telctl, '--match', 'PUT', '--drop', 'before', '--times', '1');
  await add(served.telctl, '--match', 'PUT', '--drop', 'after', '--times', '1');
  await expect(create('never')).rejects.toThrow('fetch failed');
  await expect(create('lost')).rejects.toThrow('fetch failed');
  expect((await served.telctl('users list -o name')).stdout.split('\n')).toContain('lost');
  expect((await served.telctl('users list -o name')).stdout).not.toContain('never');
  const log = await served.telctl('sandbox log --failed --requests');
  expect(log.stdout.match(/PUT +lost/g)).toHaveLength(2);
  expect(log.stdout).toContain('(fault 2: dropped after)');
});

test('a truncated response is not JSON, although the request was executed', async () => {
  const served = await serveSandbox('--memory');
  const { create } = await caller(served);
  await add(served.telctl, '--match', 'PUT /users', '--body', 'garbage', '--times', '1');
  const broken = await create('bob');
  expect(broken.status).toBe(201);
  await expect(broken.json()).rejects.toThrow(SyntaxError);
  expect((await create('bob')).status).toBe(400);
});

test('an executed request is not reported as failed if its response is unreadable', async () => {
  const served = await serveSandbox('--memory');
  await add(served.telctl, '--match', 'PUT /webhooks', '--body', 'garbage', '--times', '1');
  const broken = await served.telctl('webhooks create --name a --uri http://127.0.0.1:9/ --hook fax');
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain('One webhook with all that was sent exists');
  expect(broken.stderr).toContain('Check before you repeat the command');
  expect((await served.telctl('webhooks list -o name')).stdout).toBe('a\n');
});

test('a delay uses the clock of the sandbox', async () => {
  const served = await serveSandbox('--memory');
  const { list } = await caller(served);
  await add(served.telctl, '--match', 'GET /users', '--delay', '1h');
  const answered = list();
  const matched = async () => Object(Object.values(await served.json('sandbox faults list'))[0]).matched;
  while ((await matched()) === 0) await new Promise((resolve) => setImmediate(resolve));
  expect((await served.telctl('sandbox clock advance 59m')).code).toBe(0);
  expect((await served.telctl('sandbox clock advance 1m')).code).toBe(0);
  // Its token has expired meanwhile.
  expect((await answered).status).toBe(401);
});

test('a rate limit fault sets Retry-After, and telctl waits for it', async () => {
  const served = await serveSandbox('--memory');
  await add(served.telctl, '--match', '/users', '--status', '429', '--retry-after', '0', '--times', '1');
  expect(await served.telctl('users list -o name')).toMatchObject({ code: 0, stdout: 'admin\n' });
  const { stdout } = await served.telctl('sandbox log --failed');
  expect(stdout).toContain('(fault 1: 429)');
});

test('a seed chooses the same requests every time', async () => {
  const served = await serveSandbox('--memory', '--strict');
  const { list } = await caller(served);
  const struck = async () => {
    await add(served.telctl, '--match', 'GET /users', '--status', '500', '--rate', '0.4', '--seed', '7');
    const statuses: number[] = [];
    for (let sent = 0; sent < 20; sent += 1) statuses.push((await list()).status);
    expect((await served.telctl('sandbox faults clear')).stderr).toBe('Cleared 1 fault\n');
    return statuses.map((status) => status === 500);
  };
  const first = await struck();
  expect(new Set(first)).toEqual(new Set([true, false]));
  expect(await struck()).toEqual(first);
});

test('contradictory faults are refused, and unknown faults cannot be cleared', async () => {
  const { telctl } = await serveSandbox('--memory');
  expect((await add(telctl)).stderr).toContain('Give --status or --drop or --delay or --body.');
  expect((await add(telctl, '--status', '503', '--drop', 'after')).code).toBe(2);
  expect((await add(telctl, '--match', 'users', '--match-all')).code).toBe(2);
  expect((await add(telctl, '--match', 'PUT users', '--status', '503')).stderr).toContain('is not a pattern');
  const slip = await add(telctl, '--match', 'PSOT /users', '--status', '503');
  expect(slip).toMatchObject({ code: 2, stdout: '' });
  expect(slip.stderr).toContain('"PSOT" is not a method. Did you mean POST?');
  expect((await add(telctl, '--match', 'users', '--status', '503')).stderr).toContain(
    '"users" is not a method. Methods are GET, PUT,',
  );
  expect((await add(telctl, '--drop', 'after', '--seed', '3')).stderr).toContain('--rate');
  expect((await telctl('sandbox faults clear 4')).code).toBe(5);
  expect(await telctl('sandbox faults clear')).toMatchObject({ code: 0, stderr: 'There were no faults.\n' });
});
