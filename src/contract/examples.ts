import type { JsonObject } from '../base/json.ts';
import { sampleIds, sampleNumber, samples } from './samples.ts';
import type { Operation } from './types.ts';

/** Returns the body of an operation in examples: a sample of its resource, or what differs from that. */
export function bodyExample({ id, verb, resource, body }: Operation): JsonObject | undefined {
  const known = bodyExamples.get(id);
  if (known || body?.kind === 'record') return known ?? samples[resource]?.record;
  return verb === 'patch' ? samples[resource]?.change : undefined;
}

/** `data` of requests that are no whole record, by operation. */
const bodyExamples: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['ports.schedule', { transfer_date: 63_950_000_000 }],
  ['webhooks.re-enable', { 're-enable': true }],
  ['webhooks.re-enable-descendants', { 're-enable': true }],
  ['participants.update', { action: 'mute' }],
  ['numbers.locality', { numbers: [sampleNumber] }],
  ['limits.set', { inbound_trunks: 6, accept_charges: true }],
  [
    'tokens.user-auth',
    { credentials: '7dc2f1f4c7a83f0a5c9b3c0d2b1e9f64', method: 'md5', account_name: 'Acme Dental' },
  ],
  ['tokens.info', { token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl' }],
  [
    'tokens.callback',
    {
      provider: 'acme-id',
      client_id: 'telctl-demo',
      code: 'code-from-the-provider',
      redirect_uri: 'https://portal.acme.example/back',
    },
  ],
  ['tokens.authorize', { provider: 'acme-id', token: 'token-of-the-provider' }],
  ['tokens.api-auth', { api_key: '0123456789abcdef'.repeat(4) }],
  ['messages.update', { folder: 'saved' }],
  ['messages.move-all', { messages: ['202511-c46a1f7be0d943528c0e9b57f2a6d381'], folder: 'deleted' }],
  ['ports.submit', { reason: 'All letters are there' }],
  ['ports.pend', { reason: 'Sent to the losing carrier' }],
  ['ports.complete', { reason: 'The numbers ring here' }],
  ['ports.reject', { reason: 'The account number is another' }],
  ['ports.cancel', { reason: 'The customer stays' }],
  ['ports.comment', { comments: [{ content: 'The bill is attached', is_private: false }] }],
  ['selectors.update-rules', { rules: [{ get_resources: {} }] }],
  ['services.assign', { overrides: {} }],
  ['services.override', { overrides: { users: { basic: { rate: 5 } } } }],
]);

/** Values of path parameters. */
export const pathExamples: ReadonlyMap<string, string> = new Map<string, string>([
  ['account_id', sampleIds.account],
  ['user_id', sampleIds.user],
  ['menu_id', sampleIds.menu],
  ['group_id', sampleIds.group],
  ['plan_id', sampleIds.plan],
  ['phone_number', sampleNumber],
  ['app_id', 'telctl-demo'],
  ['provider_id', 'acme-id'],
  ['participant_id', '3'],
]);

/** Text that stands in an example for an id without meaning. */
export const anyId = 'c46a1f7be0d943528c0e9b57f2a6d381';
