import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolders } from '../support/fake-host.ts';
import { startProcess } from '../support/process.ts';

test('a served sandbox reads its keys from the environment, and completes requests before it stops', async () => {
  const folders = makeFolders();
  const [apiKey, controlKey] = ['a1'.repeat(32), 'c2'.repeat(32)];
  const args = ['--listen', '127.0.0.1', '--allow-host', 'sandbox', '--data', `${folders.home}/records`];
  const { child, end } = startProcess(['sandbox', 'serve', ...args], {
    home: folders.home,
    env: { TELCTL_SANDBOX_API_KEY: apiKey, TELCTL_SANDBOX_KEY: controlKey },
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await end;
    folders.remove();
  });
  const [first]: Buffer[] = await once(child.stdout, 'data');
  const { event, base_url: baseUrl } = JSON.parse(first?.toString().split('\n')[0] ?? '');
  expect(event).toBe('started');
  const body = JSON.stringify({ data: { api_key: apiKey } });
  const signIn = request(`${baseUrl}/v2/api_auth`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  });
  const answered = once(signIn, 'response');
  // The sandbox has the headers of the request and waits for its body.
  signIn.flushHeaders();
  await once(signIn, 'continue');
  child.kill('SIGTERM');
  const [last]: Buffer[] = await once(child.stdout, 'data');
  expect(last?.toString()).toContain('"event":"stopping"');
  signIn.end(body);
  const [reply]: IncomingMessage[] = await answered;
  reply?.resume();
  expect(reply?.statusCode).toBe(201);
  const { code, signal, stdout, stderr } = await end;
  expect([code, signal, stderr]).toEqual([0, null, 'Sandbox stopped.\n']);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ event: 'stopped' });
  for (const secret of [apiKey, controlKey]) expect(stdout + stderr).not.toContain(secret);
});
