import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';

async function withApp() {
  const sandbox = await calledSandbox();
  const token = await sandbox.adminToken();
  const data = { client_id: 'acme-app', provider: 'google', secret: 'app-secret', name: 'Acme' };
  const made = await sandbox.call('PUT', '/v2/auth/apps', { token, data });
  expect(made.status).toBe(201);
  return { ...sandbox, token };
}

test('an application can be created, listed, changed and deleted', async () => {
  const { call, token } = await withApp();
  const list = await call('GET', '/v2/auth/apps', { token });
  expect(list.data).toEqual([{ id: 'acme-app', name: 'Acme', provider: 'google' }]);
  const path = '/v2/auth/apps/acme-app';
  const data = { client_id: 'acme-app', provider: 'google', secret: 's2', name: 'New' };
  expect((await call('POST', path, { token, data })).data).toMatchObject({ name: 'New' });
  expect((await call('DELETE', path, { token })).status).toBe(200);
  expect((await call('GET', path, { token })).status).toBe(404);
  expect((await call('PUT', '/v2/auth/apps', { token, data })).status).toBe(201);
  const numbered = await call('PUT', '/v2/auth/apps', { token, data: { ...data, client_id: 7 } });
  expect(numbered.data).toHaveProperty('client_id.type');
});

test('only the super administrator can change and delete providers, and not while they are used', async () => {
  const { call, token, superToken } = await withApp();
  const { data } = await call('GET', '/v2/auth/providers?ascending=true', { token });
  expect(data).toMatchObject([
    { id: 'duo', provider_type: 'multi_factor' },
    { id: 'google' },
    { id: 'office365' },
  ]);
  const path = '/v2/auth/providers/google';
  expect((await call('DELETE', path, { token })).status).toBe(403);
  const superior = await superToken();
  expect((await call('DELETE', path, { token: superior })).status).toBe(500);
  const change = { id: 'google', enabled: false };
  expect((await call('POST', path, { token: superior, data: change })).data).toEqual(change);
  expect((await call('DELETE', '/v2/auth/providers/duo', { token: superior })).status).toBe(200);
});

test('a public key is available as JSON and as a PEM file', async () => {
  const { call, token } = await withApp();
  const path = `/v2/auth/keys/${'0'.repeat(32)}`;
  const shown = await call('GET', path, { token });
  expect(shown.at('data.public_key_pem')).toContain('BEGIN RSA PUBLIC KEY');
  const pem = await call('GET', path, { token, headers: { accept: 'application/x-pem-file' } });
  expect(pem.text).toBe(shown.at('data.public_key_pem'));
  expect(pem.headers['content-type']).toBe('application/x-pem-file');
});

test('a vCard request returns JSON, or the card for its content type', async () => {
  const { call, token, seed } = await withApp();
  const path = `/accounts/${seed.accountId}/users/${seed.adminUserId}/vcard`;
  expect((await call('GET', path, { token })).data).toMatchObject({ username: 'admin' });
  const card = await call('GET', path, { token, headers: { accept: 'text/x-vcard' } });
  expect(card.text).toBe(
    [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'FN:Acme Admin',
      'N:Admin;Acme',
      'EMAIL:admin@acme.example',
      'END:VCARD',
      '',
    ].join('\n'),
  );
});
