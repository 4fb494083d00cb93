import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolders } from '../support/fake-host.ts';
import { runWithSandbox } from '../support/run-with-sandbox.ts';

interface Running {
  readonly pid: number;
  readonly baseUrl: string;
  readonly accountId: string;
  readonly token: string;
}

/** Starts a real sandbox that stores its records in a folder, and signs in. */
async function startSandbox(home: string, data: string): Promise<Running> {
  const telctl = async (...argv: readonly string[]) => {
    const end = await runWithSandbox([...argv, '-o', 'json'], { home });
    expect(end.code, end.stderr).toBe(0);
    return JSON.parse(end.stdout);
  };
  await telctl('sandbox', 'start', '--data', data);
  const { pid, account_id: accountId } = await telctl('sandbox', 'status');
  const { TELCTL_BASE_URL: baseUrl, TELCTL_API_KEY: apiKey } = await telctl('sandbox', 'env');
  const reply = await fetch(`${baseUrl}/v2/api_auth`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { api_key: apiKey } }),
  });
  const { auth_token: token } = (await reply.json()) as { auth_token: string };
  return { pid, baseUrl, accountId, token };
}

const usersUrl = ({ baseUrl, accountId }: Running): string => `${baseUrl}/v2/accounts/${accountId}/users`;

test('a sandbox killed while working keeps every acknowledged change', async () => {
  const { home, remove } = makeFolders();
  const data = join(home, 'records');
  onTestFinished(async () => {
    await runWithSandbox(['sandbox', 'stop'], { home });
    remove();
  });
  const before = await startSandbox(home, data);
  const answered: string[] = [];
  let next = 0;
  const create = async (): Promise<void> => {
    while (true) {
      next += 1;
      const username = `user-${next}`;
      const body = JSON.stringify({
        data: { username, password: 'secret-1', first_name: 'A', last_name: 'B' },
      });
      const headers = { 'content-type': 'application/json', 'x-auth-token': before.token };
      const reply = await fetch(usersUrl(before), { method: 'PUT', headers, body });
      expect(reply.status).toBe(201);
      await reply.json();
      answered.push(username);
      if (answered.length === 150) process.kill(before.pid, 'SIGKILL');
    }
  };
  // The kill closes the connection of each.
  await Promise.allSettled(Array.from({ length: 8 }, create));
  expect(answered.length).toBeGreaterThanOrEqual(150);

  const after = await startSandbox(home, data);
  expect(after.pid).not.toBe(before.pid);
  expect(after.accountId).toBe(before.accountId);
  const headers = { 'x-auth-token': before.token };
  const reply = await fetch(`${usersUrl(after)}?paginate=false`, { headers });
  expect(reply.status).toBe(200);
  const list = (await reply.json()) as { data: readonly { readonly username: string }[] };
  const kept = new Set(list.data.map(({ username }) => username));
  expect(answered.filter((username) => !kept.has(username))).toEqual([]);
});
