import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { openWorld } from '../../support/world.ts';

throughValidatingProxy();

/** Returns an editor that replaces a text with `sed`. */
const replacingEditor = (from: string, to: string) => ({ env: { EDITOR: `sed -i 's/${from}/${to}/'` } });

const alice = {
  ...{ username: 'alice', first_name: 'Alice', last_name: 'Archer', password: 'first-Secret' },
  ...{ timezone: 'Europe/London', x_custom: { note: 'keep $\u007bthis}' }, flags: ['a', 'b'] },
};

test('edit shows the changed fields, asks, and sends only those', async () => {
  const world = await openWorld();
  await world.addUser(alice);
  const seen = await world.telctl('users edit alice', { env: { EDITOR: 'cat' } });
  expect(seen).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Nothing was changed in user alice.'),
  });

  const unanswered = await world.telctl('users edit alice', replacingEditor('Archer', 'Adams'));
  expect(unanswered.code).toBe(2);
  const edited = await world.telctl('users edit alice --yes', replacingEditor('Archer', 'Adams'));
  expect(edited).toMatchObject({ code: 0, stderr: expect.stringContaining('last_name: Archer → Adams') });
  const sent = edited.requests.at(-1);
  expect(sent?.method).toBe('PATCH');
  expect(sent?.body).toMatchObject({ data: { last_name: 'Adams' } });
  expect(JSON.stringify(sent?.body)).not.toContain('first_name');

  // Deleting a line removes the field.
  await world.telctl('users edit alice --yes', { env: { EDITOR: "sed -i '/^timezone:/d'" } });
  const after = JSON.parse((await world.telctl('users get alice -o json')).stdout);
  expect(after).toMatchObject({
    last_name: 'Adams',
    x_custom: { note: 'keep $\u007bthis}' },
    flags: ['a', 'b'],
  });
  expect(after.timezone).not.toBe('Europe/London');
});

test('a refused file is kept and named, and an emptied file changes nothing', async () => {
  const world = await openWorld();
  await world.addUser(alice);
  const wrong = await world.telctl('users edit alice --yes', { env: { EDITOR: "echo 'priv_level: [' >>" } });
  expect(wrong.code).toBe(10);
  const [, path = ''] = /Your file is kept: (\S+\.yaml)\./.exec(wrong.stderr) ?? [];
  expect(readFileSync(path, 'utf8')).toContain('priv_level: [');
  expect(wrong.stderr).toMatch(/Correct it and run: telctl users patch [0-9a-f]{32} -f /);
  const emptied = await world.telctl('users edit alice --yes', { env: { EDITOR: "sed -i 'd'" } });
  expect(emptied).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing was changed') });
  expect(existsSync(path)).toBe(false);
  const failing = await world.telctl('users edit alice --yes', { env: { EDITOR: 'false' } });
  expect(failing).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exited with code 1. Nothing was changed.'),
  });
  expect((await world.telctl('users edit alice')).code).toBe(2);
});

test('the path of an editor can contain spaces, quotes and arguments', async () => {
  const world = await openWorld();
  await world.addUser(alice);
  const program = join(world.folders.cwd, 'my editor');
  writeFileSync(program, '#!/bin/sh\nsed -i "s/$1/$2/" "$3"\n', { mode: 0o755 });
  for (const [editor, name] of [
    [`${program} Archer Adams`, 'Adams'],
    [`"${program}" Adams Allen`, 'Allen'],
  ]) {
    const edited = await world.telctl('users edit alice --yes', { env: { EDITOR: editor ?? '' } });
    expect(edited.stderr).toContain(`→ ${name}`);
  }
});
