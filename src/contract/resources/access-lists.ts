import { text, texts } from '../fields.ts';
import { resource, settings } from '../resource.ts';

/** Shared by the lists of an account and of a device. */
const facts = {
  section: 'Conventions, Security settings',
  doc: 'Networks that phones may register from',
  fields: () => ({
    order: text('Order of evaluation: the last matching rule applies', {
      option: true,
      outward: true,
      convention: { enum: ['allow,deny', 'deny,allow'] },
    }),
    cidrs: texts('Networks, such as 203.0.113.0/24', { outward: true }),
    user_agent: text('Regular expression for the name of the phone', { option: true }),
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
  absent: { manifests: 'A wrong network disconnects every phone, so it has its own commands' },
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
    manifests: 'A wrong network disconnects the phone, so it has its own commands',
    find: 'Networks do not refer to records of the account',
    orphans: 'Networks do not refer to records of the account',
    page: 'The networks are shown with the phone',
    trial: 'it belongs to a phone',
  },
  operations: [
    settings(
      '/accounts/{account_id}/devices/{device_id}/access_lists',
      'the networks that a phone may register from',
    ),
  ],
});
