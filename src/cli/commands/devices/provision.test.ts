import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const password = 'Quay<&>Heron-4171';

async function office() {
  const world = await openWorld();
  const { id } = await world.addUser({
    ...{ username: 'alice', first_name: 'Alice', last_name: 'Archer & Co', presence_id: '2001' },
  });
  await world.service('PUT', 'devices', {
    ...{ name: 'desk', owner_id: String(id), mac_address: '00:04:f2:ab:7e:fd' },
    sip: { username: 'alice-desk', password },
  });
  return world;
}

test('prints phone settings as text and QR code, without the password', async () => {
  const { telctl } = await office();
  const run = await telctl('devices provision desk');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toMatch(
    /Phone +desk\nName +Alice Archer & Co\nExtension +2001\nUser +alice-desk\nPassword +\(write it with --reveal --out FILE\)\nServer +acme\.sandbox\.example\n/,
  );
  expect(run.stdout).toMatch(/[▀▄█]{10}/);
  expect(run.stdout + run.stderr).not.toContain('Heron');
  const json = JSON.parse((await telctl('devices provision desk -o json')).stdout);
  expect(json).toEqual({
    ...{ name: 'desk', display_name: 'Alice Archer & Co', extension: '2001', username: 'alice-desk' },
    ...{ realm: 'acme.sandbox.example', mac: '0004f2ab7efd' },
  });
});

test('writes the password only to a new private file', async () => {
  const { telctl, folders } = await office();
  const run = await telctl('devices provision desk --reveal --out desk.txt');
  expect(run.code, run.stderr).toBe(0);
  const path = join(folders.cwd, 'desk.txt');
  expect(readFileSync(path, 'utf8')).toContain(password);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(run.stdout + run.stderr).not.toContain('Heron');
  expect((await telctl('devices provision desk --reveal --out desk.txt')).code).toBe(9);
  expect((await telctl('devices provision desk --reveal')).code).toBe(2);
});

test('fills in a template, escapes XML values, and rejects unknown variables', async () => {
  const { telctl, folders } = await office();
  const files = {
    'phone.xml': '<phone><name>{{display_name}}</name><user>{{username}}</user></phone>\n',
    'secret.xml': '<password>{{password}}</password>\n',
    'wrong.xml': '{{pasword}}',
    'partial.xml': '{{> /etc/passwd}}',
    'open.xml': '{{#name}}',
  };
  const run = (line: string) => telctl(`devices provision desk --template ${line}`, { files });
  expect((await run('phone.xml')).stdout).toBe(
    '<phone><name>Alice Archer &amp; Co</name><user>alice-desk</user></phone>\n',
  );
  expect(await run('secret.xml')).toMatchObject({ code: 2, stdout: '' });
  expect((await run('secret.xml --reveal --out alice.xml')).code).toBe(0);
  expect(readFileSync(join(folders.cwd, 'alice.xml'), 'utf8')).toBe(
    '<password>Quay&lt;&amp;&gt;Heron-4171</password>\n',
  );
  expect(await run('wrong.xml')).toMatchObject({
    code: 10,
    stderr: expect.stringContaining('unknown variable "pasword"'),
  });
  expect((await run('partial.xml')).code).toBe(10);
  expect((await run('open.xml')).code).toBe(10);
});
