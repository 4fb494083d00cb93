import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('sets, shows and removes security settings, and hides keys of second factors', async () => {
  const { telctl } = await openWorld();
  const files = { 'f.json': JSON.stringify({ order: 'allow,deny', cidrs: ['203.0.113.0/24'] }) };
  expect((await telctl('token-restrictions get')).code).toBe(5);
  expect(await telctl('access-lists update -f f.json', { files })).toMatchObject({ code: 0 });
  expect((await telctl('access-lists get')).stdout).toContain('203.0.113.0/24');
  expect(await telctl('access-lists delete --yes')).toMatchObject({ code: 0 });
  expect(JSON.parse((await telctl('access-lists get -o json')).stdout)).toEqual({});
  const duo = { name: 'Duo', enabled: true, provider_name: 'duo', settings: { secret_key: 'first-key-77' } };
  const made = await telctl('multi-factor create -f d.json', { files: { 'd.json': JSON.stringify(duo) } });
  expect([made.code, made.stdout.includes('first-key-77')], made.stderr).toEqual([0, false]);
  expect((await telctl('multi-factor list')).stdout).toContain('Duo');
  expect((await telctl('multi-factor get Duo')).stdout).not.toContain('first-key-77');
  const own = await telctl('security patch --set-json auth_modules.cb_user_auth.token_auth_expiry_s=900');
  expect(own.code, own.stderr).toBe(0);
  expect(JSON.parse((await telctl('security get -o json')).stdout)).toMatchObject({
    account: { auth_modules: { cb_user_auth: { token_auth_expiry_s: 900 } } },
    inherited_config: { auth_modules: { cb_user_auth: { token_auth_expiry_s: 3600 } } },
  });
});
