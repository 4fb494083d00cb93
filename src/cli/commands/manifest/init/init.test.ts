import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorld } from '../../../../../test/support/world.ts';
import { templates } from './generated/templates.ts';
import { manifestInitOptions } from './init-command.ts';

const variables = {
  ...{ ALICE_PASSWORD: 'one', BOB_PASSWORD: 'two', CAROL_PASSWORD: 'three', DAVE_PASSWORD: 'four' },
  CRM_TOKEN: 'five',
};

it('writes a valid template with comments that name the new file, without a sign-in', async () => {
  const { telctl, folders } = await openWorld({ signIn: 'none' });
  const run = await telctl('init --template small-office --out office.yaml');
  expect(run).toMatchObject({ code: 0, requests: [] });
  expect(run.stderr).toBe('Wrote office.yaml.\nTo see what it would change: telctl plan -f office.yaml\n');
  const text = readFileSync(join(folders.cwd, 'office.yaml'), 'utf8');
  expect(text).toContain('#   telctl apply -f office.yaml');
  expect(text).not.toContain('examples/');
  expect((await telctl('validate -f office.yaml', { env: variables })).code).toBe(0);
});

it('accepts every template name', () => {
  expect(manifestInitOptions.template.choices.toSorted()).toEqual(Object.keys(templates).toSorted());
});

it('writes a multi-file template into a folder', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const run = await telctl('init --template call-centre');
  expect(run.stderr).toContain('To see what it would change: telctl plan -f call-centre/base\n');
  const valid = await telctl('validate --allow-unset -f call-centre/base --var domain=test.example');
  expect(valid.code, valid.stderr).toBe(0);
});

it('writes people and callflows of the account with comments, and a plan finds no changes', async () => {
  const { telctl, folders, addUser } = await openWorld();
  await addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  expect((await telctl('init')).code).toBe(0);
  const text = readFileSync(join(folders.cwd, 'manifest.yaml'), 'utf8');
  expect(text).toMatch(/^# A first manifest of acme: /);
  expect(text).toMatch(/^# People: .*telctl explain users\nusers:$/m);
  const plan = await telctl('plan -f manifest.yaml --exit-code');
  expect(plan.code, plan.stderr).toBe(0);
});

it('does not overwrite files, and writes nothing with --dry-run', async () => {
  const { telctl, filesWritten } = await openWorld();
  const before = filesWritten().length;
  expect((await telctl('init --template reseller --dry-run')).stderr).toContain('Would write manifest.yaml.');
  expect(filesWritten()).toHaveLength(before);
  const files = { 'manifest.yaml': 'users: {}\n' };
  for (const line of ['init', 'init --template reseller'])
    expect(await telctl(line, { files })).toMatchObject({
      code: 9,
      requests: [],
      stderr: expect.stringContaining('manifest.yaml already exists. Nothing was written.'),
    });
  expect((await telctl('init --template reseller --from-account')).code).toBe(2);
});
