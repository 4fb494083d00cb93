import { expect, test, vi } from 'vitest';
import { receiver } from '../../../../../test/support/receiver.ts';
import { serveSandbox } from '../../../../../test/support/served-sandbox.ts';

const ask = (url: string) => fetch(url, { headers: { accept: 'application/json' } });

test('filters the log of requests and deliveries', async () => {
  const { telctl } = await serveSandbox('--memory');
  const { url, arrived } = await receiver({ answer: [500, 200] });
  const hook = {
    name: 'crm',
    uri: `${url}/hook?key=hidden-word`,
    hook: 'object',
    http_verb: 'post',
    custom_data: { type: 'all', action: 'all' },
  };
  await telctl('webhooks create -f -', { stdin: JSON.stringify(hook) });
  await telctl('vmboxes create --set mailbox=100 --set name=Alice');
  await arrived(1);
  let log = await telctl('sandbox log --deliveries');
  while (!log.stdout.includes('500')) log = await telctl('sandbox log --deliveries');
  expect(log.stdout).toMatch(/deliver +500 .*object → POST http:\/\/127\.0\.0\.1:\d+\/hook\?••••••/);
  expect(log.stdout).not.toContain('hidden-word');
  expect(log.stdout).not.toContain('vmboxes');
  const matched = await telctl(['sandbox', 'log', '--match', 'PUT /vmboxes*', '-o', 'ndjson']);
  expect(JSON.parse(matched.stdout)).toMatchObject({ kind: 'request', method: 'PUT', status: 201 });
  expect((await telctl('sandbox log --match object --limit 1 -o ndjson')).stdout).toContain(
    '"kind":"delivery"',
  );
  expect((await telctl('sandbox log --failed --requests')).stdout).not.toContain('deliver');
});

test('the log contains no secrets of addresses', async () => {
  const { telctl, state } = await serveSandbox('--memory');
  const { baseUrl, seed } = state();
  const token = `${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(20)}`;
  await ask(`${baseUrl}/v2/accounts?auth_token=${token}`);
  await ask(`${baseUrl}/_sandbox/console?key=${token}`);
  await ask(`${baseUrl}/v2/user_auth/${token}`);
  await ask(`${baseUrl}/v2/whatever/${String(seed.apiKey)}?api_key=${String(seed.apiKey)}`);
  const { stdout } = await telctl('sandbox log -o json');
  expect(JSON.parse(stdout)).toHaveLength(5);
  expect(stdout).not.toContain(token);
  expect(stdout).not.toContain(String(seed.apiKey));
});

test('the log keeps the latest thousand entries', async () => {
  const { telctl, state } = await serveSandbox('--memory');
  for (let sent = 0; sent < 1010; sent += 101)
    await Promise.all(Array.from({ length: 101 }, () => ask(`${state().baseUrl}/v2/nothing`)));
  const { stdout } = await telctl('sandbox log --limit 5000 -o ndjson');
  expect(stdout.trim().split('\n')).toHaveLength(1000);
});

test('--follow prints new entries until Ctrl-C', async () => {
  const { telctl, state } = await serveSandbox('--memory');
  const ctrlC = new AbortController();
  const following = telctl('sandbox log --follow --limit 0 --match /marked* -o ndjson', {
    interrupted: ctrlC.signal,
    shown: (stdout) => {
      if (stdout.includes('/marked/last')) ctrlC.abort();
    },
  });
  const marks = async () => (await telctl('sandbox log --match /marked* -o ndjson')).stdout;
  for (let sent = 0; sent < 3; sent += 1) await ask(`${state().baseUrl}/v2/marked/${sent}`);
  while (!(await marks()).includes('/marked/2')) await ask(`${state().baseUrl}/v2/unmarked`);
  await ask(`${state().baseUrl}/v2/marked/last`);
  const { code, stdout } = await following;
  expect(code).toBe(0);
  expect(stdout.trim().split('\n').at(-1)).toContain('/marked/last');
  expect(stdout).not.toContain('unmarked');
});

test('--follow ends when the sandbox stops', async () => {
  const { telctl, state, restart } = await serveSandbox('--memory');
  let shown = '';
  const following = telctl('sandbox log --follow --limit 0', { shown: (stdout) => (shown = stdout) });
  await vi.waitFor(async () => {
    await ask(`${state().baseUrl}/v2/marked`);
    expect(shown).toContain('/v2/marked');
  }, 60_000);
  await restart();
  expect((await following).code).toBe(0);
});

test('an endless log is not a JSON document', async () => {
  const { telctl } = await serveSandbox('--memory');
  const run = await telctl('sandbox log --follow -o json');
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('-o ndjson');
});
