import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveSandbox } from '../../../test/support/served-sandbox.ts';

test('what changes the sandbox takes its key; reading takes none', async () => {
  const { state } = await serveSandbox('--memory');
  const { baseUrl, controlKey } = state();
  const post = (headers: Record<string, string>) =>
    fetch(`${baseUrl}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"advance_ms":1000}',
    });
  expect((await post({})).status).toBe(403);
  expect((await post({ 'x-sandbox-key': `${controlKey}x` })).status).toBe(403);
  expect((await post({ 'x-sandbox-key': '' })).status).toBe(403);
  expect((await post({ 'x-sandbox-key': controlKey, origin: 'https://elsewhere.example' })).status).toBe(403);
  const before = await (await fetch(`${baseUrl}/sandbox/clock`)).json();
  expect(before).toMatchObject({ offset_ms: 0 });
  expect((await post({ 'x-sandbox-key': controlKey })).status).toBe(200);
  const after = await (await fetch(`${baseUrl}/sandbox/clock`)).json();
  expect(after).toMatchObject({ offset_ms: 1000 });
});

test('a sandbox that an older telctl started says that it must be started anew', async () => {
  const { telctl, folders, state } = await serveSandbox('--memory');
  const path = join(folders.home, '.local/state/telctl/sandboxes/default/state.json');
  const { controlKey: _, ...older } = state();
  writeFileSync(path, JSON.stringify(older));
  const run = await telctl('sandbox clock status');
  expect(run).toMatchObject({ code: 75, stdout: '' });
  expect(run.stderr).toContain('telctl sandbox stop && telctl sandbox start');
});

test('what controls the sandbox says where none runs', async () => {
  const { telctl } = await serveSandbox('--memory');
  const run = await telctl('sandbox faults list --name other');
  expect(run).toMatchObject({ code: 75, stdout: '' });
  expect(run.stderr).toContain('telctl sandbox start --name other');
});
