import { expect, it } from 'vitest';
import { handlerBench, itemsOf } from '../../../../test/support/command-run.ts';
import { accountsCommands } from '../accounts/commands.ts';
import { keysCommands } from '../keys/commands.ts';
import { ssoCommands } from '../sso/commands.ts';
import { webhooksCommands } from '../webhooks/commands.ts';
import { apiCommands } from './commands.ts';

const bench = () =>
  handlerBench([...apiCommands, ...accountsCommands, ...keysCommands, ...ssoCommands, ...webhooksCommands]);

it('fills in the account id and prints the response body without the token', async () => {
  const { run } = await bench();
  const { result } = await run(['api', 'GET', '/v2/accounts/{account_id}']);
  expect(result).toMatchObject({ kind: 'document', value: { data: { name: 'acme' } } });
  expect(JSON.stringify(result)).not.toContain('auth_token');
});

it('masks secrets of documented operations unless --reveal is given', async () => {
  const { run, sandbox } = await bench();
  const path = '/v2/accounts/{account_id}/api_key';
  expect(JSON.stringify((await run(['api', 'GET', path])).result)).not.toContain(sandbox.seed.apiKey);
  expect(JSON.stringify((await run(['api', 'GET', path, '--reveal'])).result)).toContain(sandbox.seed.apiKey);
});

it('wraps fields and files in `data`, and sends a full request body unchanged', async () => {
  const { run } = await bench();
  const patch = ['api', 'PATCH', '/v2/accounts/{account_id}'];
  await run([...patch, '--field', 'timezone=Europe/Zurich']);
  const { requests } = await run([...patch, '-f', '-', '--field', 'org=Acme'], {
    stdin: 'language: de-CH\n',
  });
  expect(requests[0]).toMatchObject({ body: { data: { language: 'de-CH', org: 'Acme' } } });
  const enveloped = await run([...patch, '-f', '-'], { stdin: '{"data": {"org": "A"}, "extra": 1e2}' });
  expect(enveloped.requests[0]?.body).toEqual({ data: { org: 'A' }, extra: 100 });
});

it('reads all pages of a list', async () => {
  const { run } = await bench();
  for (const name of ['a', 'b', 'c'])
    await run(['webhooks', 'create', '--name', name, '--hook', 'sms', '--uri', 'https://x.example/']);
  const { result, requests } = await run([
    ...['api', 'GET', '/v2/accounts/{account_id}/webhooks?page_size=2', '--paginate'],
  ]);
  expect(await itemsOf(result)).toHaveLength(3);
  expect(requests).toHaveLength(2);
});

it('prints response headers without tokens', async () => {
  const { run } = await bench();
  const { result } = await run(['api', 'GET', '/v2/accounts/{account_id}', '--include']);
  expect(result.kind === 'document' && result.text).toMatch(
    /^HTTP 200\n[\s\S]*content-type: application\/json/,
  );
});

it('never sends the token to other hosts', async () => {
  const { run, last } = await bench();
  for (const path of ['//evil.example/', 'https://evil.example/', '/v2/../x', 'v2/x'])
    await expect(run(['api', 'GET', path])).rejects.toMatchObject({ kind: 'usage' });
  expect(last().requests).toEqual([]);
});

it('asks before a delete or a reset, and sends no write in a dry run', async () => {
  const { run, last } = await bench();
  const made = await run([
    'webhooks',
    'create',
    '--name',
    'a',
    '--hook',
    'sms',
    '--uri',
    'https://x.example/',
  ]);
  const id = made.result.kind === 'done' ? String(Object(made.result.value).id) : '';
  const written = () => last().requests.filter(({ method }) => method !== 'GET');
  const remove = ['api', 'DELETE', `/v2/accounts/{account_id}/webhooks/${id}`];
  await expect(run(remove, { answers: [false] })).rejects.toMatchObject({ kind: 'interrupted' });
  expect(written()).toEqual([]);
  expect((await run([...remove, '--dry-run'])).result).toMatchObject({ value: { dry_run: true } });
  expect(written()).toEqual([]);
  const reset = ['api', 'PUT', '/v2/accounts/{account_id}/auth', '-f', '-'];
  const stdin = '{"action": "reset_signature_secret", "data": {}}';
  await expect(run(reset, { stdin, answers: ['other'] })).rejects.toMatchObject({ kind: 'refused' });
  expect(written()).toEqual([]);
});

it('refuses a secret in --field', async () => {
  const { run } = await bench();
  await expect(
    run(['api', 'PATCH', '/v2/accounts/{account_id}/users/x', '--field', 'password=hunter2']),
  ).rejects.toMatchObject({ kind: 'usage' });
});

it('shows the current account by default, and finds sub-accounts by name', async () => {
  const { run } = await bench();
  expect((await run(['accounts', 'get'])).result).toMatchObject({ value: { name: 'acme' } });
  expect((await run(['accounts', 'get', 'ACME'])).result).toMatchObject({ value: { name: 'acme' } });
  await run(['accounts', 'create', '--name', 'branch', '--realm', 'branch.sandbox.example']);
  expect((await run(['accounts', 'get', 'branch'])).result).toMatchObject({ value: { name: 'branch' } });
  const patched = await run(['accounts', 'patch', 'branch', '--org', 'Branch Ltd']);
  expect(patched.result).toMatchObject({ value: { org: 'Branch Ltd' } });
  expect(await itemsOf((await run(['accounts', 'list'])).result)).toMatchObject([{ name: 'branch' }]);
});

it('lists signing keys and prints one in PEM format', async () => {
  const { run } = await bench();
  const [key] = await itemsOf((await run(['keys', 'list'])).result);
  const id = String(Object(key).id);
  expect((await run(['keys', 'get', id])).result).toMatchObject({ kind: 'item', value: { id } });
  const { result } = await run(['keys', 'get', id, '--pem']);
  expect(result.kind === 'document' && result.text).toMatch(/^-----BEGIN [A-Z ]*PUBLIC KEY-----/);
});

it('lists webhook hooks and deliveries', async () => {
  const { run } = await bench();
  const hooks = await itemsOf((await run(['webhooks', 'hooks'])).result);
  expect(hooks.map((hook) => Object(hook).id)).toContain('channel_create');
  await run([
    'webhooks',
    'create',
    '--name',
    'crm',
    '--hook',
    'sms',
    '--uri',
    'https://x.example/?key=s3cret',
  ]);
  expect((await run(['webhooks', 'disable', 'crm'])).result).toMatchObject({ value: { enabled: false } });
});

it('manages SSO applications and reads their secrets from files', async () => {
  const { run } = await bench();
  const [provider] = await itemsOf((await run(['sso', 'providers', 'list'])).result);
  const app = [
    'sso',
    'apps',
    'create',
    '--client-id',
    'abc',
    '--provider',
    String(Object(provider).id),
    '--name',
    'Portal',
  ];
  await expect(run([...app, '--set', 'secret=x'])).rejects.toMatchObject({ kind: 'usage' });
  const { result } = await run([...app, '--secret-file', 'secret.txt'], {
    files: { 'secret.txt': 'top-Secret\n' },
  });
  expect(result.kind).toBe('done');
  expect((await run(['sso', 'apps', 'get', 'Portal'])).result).toMatchObject({ value: { client_id: 'abc' } });
  expect(await itemsOf((await run(['sso', 'links', 'list'])).result)).toEqual([]);
});
