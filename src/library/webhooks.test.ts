import { expect, test } from 'vitest';
import { failureOf } from '../../test/support/failure-of.ts';
import { hookFormats, hookRequest, hookVerbs } from '../contract/hook-request.ts';
import { samplePayload, shownSamples } from '../contract/hook-samples.ts';
import { type HookCall, type HookOrigin, readWebhook } from './webhooks.ts';

const secret = 'a/long secret & more';
const facts = { accountId: 'a'.repeat(32), timestamp: 63_870_000_000, newId: () => 'b'.repeat(32) };

function delivered({
  hook = 'channel_destroy',
  uri = 'https://receiver.example/hook',
  verb = 'post',
  format = 'json',
  customData = { secret, tenant: 'north' },
}: {
  readonly hook?: string;
  readonly uri?: string;
  readonly verb?: (typeof hookVerbs)[number];
  readonly format?: (typeof hookFormats)[number];
  readonly customData?: Record<string, string>;
}): { readonly call: HookCall; readonly body: string } {
  const target = { uri, verb, format, customData, hookId: 'hook', accountId: facts.accountId };
  const { method, url, headers, body = '' } = hookRequest(target, samplePayload(hook, facts));
  // A server names the path alone.
  return { call: { method, url: url.replace('https://receiver.example', ''), headers }, body };
}

const tried = async (work: () => unknown): Promise<unknown> => work();

/** What a receiver makes of a delivery. */
const read = (wish: Parameters<typeof delivered>[0], origin: HookOrigin) => {
  const { call, body } = delivered(wish);
  return readWebhook('channel_destroy', call, body, origin);
};

test.each(hookVerbs.flatMap((verb) => hookFormats.map((format) => [verb, format] as const)))(
  'parses an event sent by %s as %s with types and names, without the secret',
  (verb, format) => {
    const event = read({ verb, format }, { secret, customData: { tenant: 'north' } });
    expect(event.payload).toMatchObject({ hangup_cause: 'NORMAL_CLEARING', duration_seconds: 42 });
    expect(event.payload).toMatchObject({ is_internal_leg: false, tenant: 'north' });
    expect(event.payload).not.toHaveProperty('secret');
    expect(event).toMatchObject({ webhookId: 'hook', accountId: facts.accountId });
    expect(event.checked).toEqual(['secret', 'custom_data']);
  },
);

test('parses the sample of every hook', () => {
  const { secret: _, ...hooks } = Object.fromEntries(
    shownSamples.map((hook) => [hook, samplePayload(hook, facts)]),
  );
  for (const [hook, sample] of Object.entries(hooks)) {
    const { call, body } = delivered({ hook });
    const event = readWebhook(JSON.parse(JSON.stringify(hook)), call, body, { secret });
    expect(event.payload, hook).toEqual({ ...sample, tenant: 'north' });
  }
});

test.each<[string, Parameters<typeof delivered>[0], HookOrigin]>([
  ['another secret', { customData: { secret: 'guessed' } }, { secret }],
  ['no secret', { customData: {} }, { secret }],
  ['a prefix of the secret', { customData: { secret: secret.slice(0, -1) } }, { secret }],
  ['other custom data', {}, { customData: { tenant: 'south' } }],
  ['missing custom data', {}, { customData: { site: '' } }],
  ['an address outside the network', {}, { address: { from: '198.51.100.7', networks: ['192.0.2.0/24'] } }],
  ['an unknown address', {}, { address: { from: undefined, networks: ['192.0.2.0/24'] } }],
  ['an address without networks', {}, { address: { from: '192.0.2.7', networks: [] } }],
])('refuses %s', async (_, wish, origin) => {
  expect((await failureOf(tried(() => read(wish, origin)))).kind).toBe('refused');
});

test('finds the secret in the address and matches IPv4 and IPv6 networks', () => {
  const customData = {};
  for (const uri of [`/hook?key=${encodeURIComponent(secret)}`, `/${encodeURIComponent(secret)}/hook`])
    expect(read({ uri: `https://receiver.example${uri}`, customData }, { secret }).checked).toEqual([
      'secret',
    ]);
  for (const [from, networks] of [
    ['192.0.2.7', ['192.0.2.0/24']],
    ['::ffff:192.0.2.7', ['192.0.2.7']],
    ['2001:db8::1', ['192.0.2.0/24', '2001:db8::/32']],
  ] as const)
    expect(read({}, { address: { from, networks } }).checked).toEqual(['address']);
});

test('reports unchecked properties and rejects an empty secret', async () => {
  const { unchecked } = read({}, {});
  expect(unchecked.join(' ')).toMatch(
    /does not sign events.* copy .*No secret .*No expected custom data .*No expected address/,
  );
  expect((await failureOf(tried(() => read({}, { secret: '' })))).kind).toBe('usage');
});

test.each(['secret', 'customData', 'address', 'accountId'])(
  'rejects an expected %s that is present but undefined',
  async (key) => {
    const origin: HookOrigin = JSON.parse('{}');
    Object.assign(origin, { [key]: undefined });
    const failure = await failureOf(tried(() => read({}, origin)));
    expect([failure.kind, failure.message]).toEqual([
      'usage',
      expect.stringContaining(`${key} of the webhook is undefined`),
    ]);
    const nested = await failureOf(tried(() => read({}, JSON.parse('{"customData":{"tenant":null}}'))));
    expect(nested.kind).toBe('usage');
  },
);

test('rejects an event of another hook or another account, or without an account', async () => {
  const { call, body } = delivered({ hook: 'object' });
  const kindOf = async (work: () => unknown) => (await failureOf(tried(work))).kind;
  expect(await kindOf(() => readWebhook('channel_create', call, body, {}))).toBe('invalid');
  expect(await kindOf(() => readWebhook(JSON.parse('"chanel_create"'), call, body, {}))).toBe('usage');
  expect(await kindOf(() => read({}, { accountId: 'b'.repeat(32) }))).toBe('refused');
  expect(read({}, { accountId: facts.accountId }).checked).toEqual(['account']);
  const bare = { method: 'POST', url: '/', headers: new Headers({ 'content-type': 'application/json' }) };
  expect(await kindOf(() => readWebhook('object', bare, '{"type":"user","action":"doc_edited"}', {}))).toBe(
    'invalid',
  );
});

test.each([
  ['[]', 'application/json'],
  ['{"a":', 'application/json'],
  ['{"hook_event":"channel_create"}', 'application/json'],
  ['hook_event=channel_create', 'application/x-www-form-urlencoded'],
])('rejects %s as an event of the hook', async (body, type) => {
  const call = { method: 'POST', url: '/', headers: new Headers({ 'content-type': type }) };
  const reading = tried(() => readWebhook('channel_destroy', call, body, {}));
  expect((await failureOf(reading)).kind).toBe('invalid');
});
