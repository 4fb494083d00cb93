import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveSandbox } from '../../../test/support/served-sandbox.ts';
import { quietHost } from '../../base/host/real-host.ts';
import { createValidator } from '../../contract/validate.ts';
import { controlAt } from './control-client.ts';
import { type ControlInput, type ControlName, controls } from './control-operations.ts';

test('only changes of the sandbox need the control key', async () => {
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

test('a command suggests a restart if an older telctl started the sandbox', async () => {
  const { telctl, folders, state } = await serveSandbox('--memory');
  const path = join(folders.home, '.local/state/telctl/sandboxes/default/state.json');
  const { controlKey: _, ...older } = state();
  writeFileSync(path, JSON.stringify(older));
  const run = await telctl('sandbox clock status');
  expect(run).toMatchObject({ code: 75, stdout: '' });
  expect(run.stderr).toContain('telctl sandbox stop && telctl sandbox start');
});

test('a command reports that the sandbox is not running', async () => {
  const { telctl } = await serveSandbox('--memory');
  const run = await telctl('sandbox faults list --name other');
  expect(run).toMatchObject({ code: 75, stdout: '' });
  expect(run.stderr).toContain('telctl sandbox start --name other');
});

test('every control validates its input, and its response matches its schema', async () => {
  const { telctl, state } = await serveSandbox();
  for (const line of [
    'devices create --name desk --owner admin --generate',
    'vmboxes create --name Desk --mailbox 2001',
    'callflows create --name Desk --numbers 2001,+15551230000 --answers user:admin',
  ])
    expect(await telctl(line)).toMatchObject({ code: 0 });
  // Only a sandbox of `sandbox exec` goes back to its beginning.
  const inputs: { readonly [K in Exclude<ControlName, 'reset'>]: ControlInput<K> } = {
    ...{ status: {}, overview: {}, seed: {}, door: { open: false }, clock: {}, log: { since: 1 } },
    turnClock: { advance_ms: 1000 },
    addFault: { match: 'GET /nothing', status: 503 },
    ...{ faults: {}, clearFault: { id: '1' }, clearFaults: {} },
    ...{ registerPhones: { phone: 'desk' }, phones: {} },
    call: { from: '+15551230009', to: '2001', digits: [], people: {} },
    sms: { from: 'admin', to: '+15551230009', body: 'Hello', dry_run: true },
    fax: { from: '+15551230009', to: '+15551230000', pages: 2 },
    voicemail: { box: '2001', from: '+15551230009' },
    traffic: { calls_per_minute: 60, seconds: 2 },
    unregisterPhones: { phone: 'desk' },
    ...{ saveSnapshot: { name: 'now' }, snapshots: {}, loadSnapshot: { name: 'now' } },
    deleteSnapshot: { name: 'now' },
    ...{ findAccount: { account: 'acme' }, resetAccount: { account: 'acme' } },
  };
  const { baseUrl, controlKey } = state();
  const line = { baseUrl, controlKey };
  const control = controlAt({ host: quietHost({}) }, { kind: 'exec', ...line }, line);
  for (const [name, input] of Object.entries(inputs) as [ControlName, never][]) {
    const reply = await control.request(name, input);
    expect(createValidator(controls[name].reply, 'specification')(reply), name).toEqual([]);
  }
});
