import type { JsonObject } from '../base/json.ts';
import type { ResourceName } from './types.ts';

/** Ids, names and numbers of nobody: numbers of the 555 exchange, addresses of the domain `example`. */
export const sampleIds = {
  account: '0b3f7c1e9a2d4586b7e1c4a9d0f25e63',
  user: '91cc04e2a7b54d0f8e36c1b2f9d47a10',
  menu: '5d20f6b81c9e4a37a4d8e0c17b3f9264',
  group: '7e41a9c35b0d48f2916ad3e8c5f7b028',
  plan: 'basic_plan',
} as const;

/** The number of a sample call. */
export const sampleNumber = '+14155550123';

/** A record of a resource, for examples and tests. */
export interface Sample {
  /** As one writes it to create one. Ids in it are those of other samples. */
  readonly record: JsonObject;
  /** Fields that a patch changes in it. */
  readonly change?: JsonObject;
  /** Name that a command line uses for it; NAME or ID if left out. */
  readonly named?: string;
}

/** A row for each resource whose records are written. */
export const samples: Readonly<Partial<Record<ResourceName, Sample>>> = {
  accounts: {
    record: {
      name: 'Acme Dental',
      realm: 'acme-dental.sip.example',
      timezone: 'Europe/Zurich',
      language: 'en-us',
    },
    change: { language: 'de-ch' },
    named: 'acme',
  },
  users: {
    record: {
      username: 'alice',
      first_name: 'Alice',
      last_name: 'Archer',
      email: 'alice@acme.example',
      password: 'a-first-password',
      priv_level: 'user',
      caller_id: { external: { name: 'Acme Dental', number: sampleNumber } },
    },
    change: { caller_id: { external: { number: '+14155550142' } }, email: null },
    named: 'alice',
  },
  groups: {
    record: { name: 'Reception', endpoints: { [sampleIds.user]: { type: 'user', weight: 1 } } },
    change: { name: 'Front desk' },
  },
  callflows: {
    record: {
      name: 'Main line',
      numbers: [sampleNumber],
      flow: {
        module: 'menu',
        data: { id: sampleIds.menu },
        children: { 1: { module: 'user', data: { id: sampleIds.user }, children: {} } },
      },
    },
    change: { name: 'Main line, after hours' },
    named: '+15551230000',
  },
  metaflows: { record: { binding_digit: '*', digit_timeout: 2000, listen_on: 'self' } },
  menus: { record: { name: 'Main menu', retries: 3, timeout: 10_000 }, change: { retries: 2 } },
  directories: { record: { name: 'Staff', min_dtmf: 3 }, change: { min_dtmf: 2 } },
  conferences: {
    record: { name: 'Weekly', conference_numbers: ['5550100'], max_participants: 20 },
    change: { max_participants: 50 },
  },
  vmboxes: {
    record: { name: 'Alice', mailbox: '100', owner_id: sampleIds.user },
    change: { name: 'Alice at home' },
    named: '100',
  },
  faxes: {
    record: {
      from_number: sampleNumber,
      to_number: '+14155550199',
      document: { url: 'https://files.acme.example/letter.pdf', method: 'get' },
    },
  },
  messages: { record: { caller_id_name: 'Bob', caller_id_number: sampleNumber, length: 4200 } },
  numbers: {
    record: { cnam: { display_name: 'Acme Dental' } },
    change: { cnam: { display_name: 'Acme' } },
    named: '+15551230000',
  },
  ports: {
    record: {
      name: 'Numbers of the old office',
      numbers: { [sampleNumber]: {} },
      signee_name: 'Alice Archer',
    },
    change: { name: 'Both offices' },
  },
  selectors: { record: { name: 'Local calls', resource: 'carrier_one', selector: 'prefix', value: '+1415' } },
  services: { record: { add: [sampleIds.plan] } },
  limits: { record: { inbound_trunks: 4, outbound_trunks: 2, allow_prepay: true } },
  webhooks: {
    record: {
      name: 'CRM',
      uri: 'https://crm.acme.example/hook',
      hook: 'channel_create',
      http_verb: 'post',
      format: 'json',
    },
    change: { enabled: false },
    named: 'crm',
  },
  apps: {
    record: { client_id: 'telctl-demo', provider: 'acme-id', secret: 'not-a-secret', name: 'Acme portal' },
  },
  providers: {
    record: { id: 'acme-id', provider_type: 'oauth', name: 'Acme ID', discovery: 'https://id.acme.example' },
  },
};
