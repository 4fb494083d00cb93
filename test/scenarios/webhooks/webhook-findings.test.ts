import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  duplicateWebhooks,
  type PlacedWebhook,
  webhookFindings,
} from '../../../src/contract/webhook-findings.ts';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { openWorld } from '../../support/world.ts';

throughValidatingProxy();

const path = 'x8Hq71LmZp0TrWq93kVe';
const doubtful: JsonObject = {
  name: 'crm',
  uri: `https://me:pw123456@10.0.0.7/services/${path}?api_key=k1`,
  hook: 'channel_create',
  custom_data: { call_id: 'mine', floor: '3' },
};
const said = [
  'its address holds a user and a password',
  'its address holds a secret ("api_key")',
  'the path of its address looks like a secret',
  'its address, 10.0.0.7, is one that only a private network reaches',
  'custom_data.call_id overwrites what the event says under "call_id"',
];

test('a doubtful webhook is a warning in commands, files and manifests, and a finding later', async () => {
  const world = await openWorld();
  const service = { env: { TELCTL_BASE_URL: 'https://api.example', TELCTL_API_KEY: world.seed.apiKey } };
  const create = await world.telctl('webhooks create -f -', { ...service, stdin: JSON.stringify(doubtful) });
  expect(create.code, create.stderr).toBe(0);
  const manifest = { files: { 'a.yaml': JSON.stringify({ webhooks: { crm: doubtful } }) } };
  const validate = await world.telctl('validate -f a.yaml', manifest);
  const health = await world.telctl('webhooks health', service);
  const doctor = await world.telctl('doctor', service);
  for (const sentence of said) {
    expect(create.stderr).toContain(`warning: Webhook crm: ${sentence}`);
    expect(validate.stderr).toContain(sentence);
    expect(health.stderr).toContain(`warning: Webhook crm: ${sentence}`);
    expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toContain(sentence);
  }
  expect((await world.telctl('validate -f a.yaml --strict-input', manifest)).code).toBe(10);
  const entries = JSON.parse((await world.telctl('webhooks health -o json', service)).stdout);
  expect(entries[0].findings).toHaveLength(said.length);
});

test('an ordinary webhook, and a local one in a sandbox, has no warnings', async () => {
  const world = await openWorld();
  for (const uri of ['https://crm.example/hooks/v2/incoming', 'http://127.0.0.1:3000/hook']) {
    const words = ['webhooks', 'create', '--name', 'crm', '--uri', uri, '--hook', 'sms'];
    const run = await world.telctl(words);
    const isRefused = uri.startsWith('http:') && world.behaviour.webhooks.loopback === 'refused';
    expect([run.code, run.stderr]).toEqual([isRefused ? 10 : 0, expect.not.stringContaining('warning')]);
  }
});

test('a subscription to object types that never change is a warning', async () => {
  const world = await openWorld();
  const words = 'webhooks create --uri https://crm.example/in --hook object --action all';
  for (const type of ['user', 'device', 'all'])
    expect((await world.telctl(`${words} --name ${type} --type ${type}`)).stderr).not.toContain(
      'may never be',
    );
  const webhookOfType = (type: string) => ({
    name: type,
    uri: 'https://crm.example/in',
    hook: 'object',
    custom_data: { type, action: 'all' },
  });
  const files = {
    'a.yaml': JSON.stringify({
      webhooks: { queues: webhookOfType('queue'), phones: webhookOfType('device') },
    }),
  };
  for (const line of ['validate -f a.yaml', 'plan -f a.yaml']) {
    const { stderr } = await world.telctl(line, { files });
    expect(stderr).toContain('webhooks.queues: nothing that telctl knows of the service changes a queue');
    expect(stderr).not.toContain('webhooks.phones: nothing');
  }
});

test('a duplicate subscription is named, also across accounts', async () => {
  const world = await openWorld();
  const words = ['webhooks', 'create', '--uri', 'https://crm.example/in', '--hook', 'sms', '--name'];
  expect((await world.telctl([...words, 'first'])).stderr).not.toContain('warning');
  expect((await world.telctl([...words, 'second'])).stderr).toContain(
    'warning: Webhook second: first sends the same events to the same address.',
  );
  expect((await world.telctl('webhooks health')).stderr).toContain('first: second sends the same events');
  const placedWebhook = (
    accountId: string,
    above: readonly string[],
    more: JsonObject = {},
  ): PlacedWebhook => ({
    record: { id: accountId + String(more.id ?? ''), uri: 'https://a.example/', hook: 'sms', ...more },
    accountId,
    above,
  });
  const below = placedWebhook('child', ['parent']);
  expect(
    duplicateWebhooks(below, [below, placedWebhook('parent', [], { include_subaccounts: true })]),
  ).toHaveLength(1);
  expect(duplicateWebhooks(below, [placedWebhook('parent', [])])).toEqual([]);
  expect(duplicateWebhooks(below, [placedWebhook('other', [], { include_subaccounts: true })])).toEqual([]);
  expect(
    duplicateWebhooks(below, [placedWebhook('parent', [], { include_subaccounts: true, hook: 'fax' })]),
  ).toEqual([]);
});

test('a secret in the path or query of an address is hidden by default', async () => {
  const world = await openWorld();
  const { id } = await world.service('PUT', 'webhooks', doubtful);
  for (const words of [
    'list',
    'list -o json',
    'list -o csv',
    `get ${id}`,
    `get ${id} -o yaml`,
    'health -o json',
    `attempts ${id} -o json`,
  ]) {
    const run = await world.telctl(`webhooks ${words}`);
    for (const secret of [path, 'pw123456', 'k1'])
      expect(run.stdout + run.stderr, words).not.toMatch(new RegExp(`(?:/|:|=)${secret}`));
  }
  const manifest = {
    files: {
      'a.yaml': JSON.stringify({ webhooks: { crm: doubtful, other: { ...doubtful, name: 'other' } } }),
    },
  };
  for (const words of ['plan -f a.yaml', 'plan -f a.yaml -o markdown', 'export']) {
    const run = await world.telctl(words, manifest);
    expect(run.stdout + run.stderr, words).not.toContain(path);
  }
  expect((await world.telctl('webhooks list --reveal')).stdout).toContain(path);
});

test('ordinary words are not treated as secrets', () => {
  for (const uri of [
    'https://crm.example/hooks/call-events-2024/v2',
    'https://n8n.example/webhook/new-customer',
  ])
    expect(webhookFindings({ uri, hook: 'sms' }), uri).toEqual([]);
});
