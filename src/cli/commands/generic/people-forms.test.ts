import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import { users } from '../../../contract/resources/users.ts';

test('accepts and shows readable durations and dates, and prints numbers for programs', async () => {
  const { telctl } = await openWorld();
  const files = {
    'menu.yaml': 'name: Main\ntimeout: 8s\ninterdigit_timeout: 1500\n',
    'port.yaml': 'name: Move\ntransfer_date: 2026-12-24T09:00+01:00\nnumbers: { "+15551230001": {} }\n',
  };
  const made = await telctl('menus create -f menu.yaml -o json', { files });
  expect(made.code, made.stderr).toBe(0);
  expect(JSON.parse(made.stdout)).toMatchObject({ timeout: 8000, interdigit_timeout: 1500 });
  const shown = await telctl('menus get Main');
  expect(shown.stdout).toMatch(/^timeout +8 s$/m);
  expect(shown.stdout).toMatch(/^interdigit_timeout +1\.5 s$/m);
  expect((await telctl('menus list --fields name,timeout')).stdout).toMatch(/Main +8 s/);
  expect((await telctl('menus list --fields name,timeout -o csv')).stdout).toContain('Main,8000');
  const port = await telctl('ports create -f port.yaml -o json', { files });
  expect(port.code, port.stderr).toBe(0);
  expect(JSON.parse(port.stdout).transfer_date).toBe(63_965_318_400);
  const wrong = await telctl('menus create --name Other --set-json timeout="soon" --dry-run');
  expect(wrong.code).toBe(10);
  const unknown = await telctl(['menus', 'create', '-f', '-'], { stdin: 'name: Other\ntimeout: soon\n' });
  expect(unknown).toMatchObject({ code: 10, requests: [] });
  expect(unknown.stderr).toContain('a whole number, or 250ms, 10s');
});

test('shows fields in contract order, and masks only the secret part of a value', async () => {
  const { telctl, service } = await openWorld();
  await service('PUT', 'webhooks', {
    name: 'edits',
    uri: 'https://hooks.example/edits',
    hook: 'object',
    custom_data: { token: 'no-one-sees-this', type: 'user', action: 'doc_edited' },
  });
  const hook = await telctl('webhooks get edits');
  expect(hook.stdout).toMatch(/^ {2}type +user$/m);
  expect(hook.stdout).toMatch(/^ {2}action +doc_edited$/m);
  expect(hook.stdout).toMatch(/^ {2}token +••••••$/m);
  expect(hook.stdout).not.toContain('no-one-sees-this');
  await service('POST', `users/${JSON.parse((await telctl('users get admin -o json')).stdout).id}`, {
    ...{ last_name: 'Archer', first_name: 'Alice', priv_level: 'admin', username: 'admin' },
  });
  const labels = (await telctl('users get admin')).stdout
    .split('\n')
    .flatMap((line) => /^\w+/.exec(line) ?? []);
  const order = Object.keys(users.schema.properties ?? {});
  expect(labels.filter((label) => order.includes(label))).toEqual(
    order.filter((key) => labels.includes(key)),
  );
  const id = (await telctl('keys list -o name')).stdout.trim();
  expect((await telctl(['keys', 'get', id])).stdout).toMatch(
    /^public_key_pem +-----BEGIN RSA PUBLIC KEY-----\n +M/m,
  );
});
