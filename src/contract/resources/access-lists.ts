import { text, texts } from '../fields.ts';
import { resource, settings } from '../resource.ts';

/** Facts that the lists of an account and of one device share. */
const facts = {
  section: 'Conventions, Security settings',
  doc: 'Networks that phones may register from',
  fields: () => ({
    order: text('Which comes first; the last that fits counts', {
      option: true,
      outward: true,
      convention: { enum: ['allow,deny', 'deny,allow'] },
    }),
    cidrs: texts('Networks, such as 203.0.113.0/24', { outward: true }),
    user_agent: text('Expression that the name of the phone must match', { option: true }),
  }),
  required: [{ fields: ['order', 'cidrs'], on: ['update'], source: 'convention' }],
  columns: [
    'order',
    { header: 'NETWORKS', paths: ['cidrs'], show: 'list' },
    { header: 'USER AGENT', paths: ['user_agent'], sparse: true },
  ],
} as const;

export const access_lists = resource({
  ...facts,
  name: 'access_lists',
  singular: 'access list',
  summary: 'Networks that phones of an account may register from',
  kind: 'singleton',
  order: 254,
  leftOutAs: 'networks that phones may come from',
  absent: { manifests: 'A wrong network silences every phone, so that it is changed by itself' },
  operations: [settings('/accounts/{account_id}/access_lists', 'the networks that phones may register from')],
});

export const device_access_lists = resource({
  ...facts,
  name: 'device_access_lists',
  singular: 'device access list',
  summary: 'Networks that one phone may register from',
  commandWords: ['devices', 'access-lists'],
  order: 22,
  idParameter: 'device_id',
  oneOfEach: 'devices',
  leftOutAs: 'networks that single phones may come from',
  absent: {
    manifests: 'A wrong network silences the phone, so that it is changed by itself',
    find: 'Networks name nothing of the account',
    orphans: 'Networks name nothing of the account',
    page: 'A phone shows its networks itself',
    trial: 'it belongs to a phone',
  },
  operations: [
    settings(
      '/accounts/{account_id}/devices/{device_id}/access_lists',
      'the networks that a phone may register from',
    ),
  ],
});
