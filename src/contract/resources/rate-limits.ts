import { integer, object } from '../fields.ts';
import { resource, settings } from '../resource.ts';

const counts = (doc: string) =>
  object(
    {
      invites: integer('Calls'),
      registrations: integer('Registrations'),
      total_packets: integer('Packets in all'),
    },
    doc,
    { convention: { required: ['total_packets'] } },
  );

const both = ['per_minute', 'per_second'];
const rateLimit = (doc: string, required: readonly string[] = both) =>
  object({ per_minute: counts('In a minute'), per_second: counts('In a second') }, doc, {
    convention: { required },
  });

export const rate_limits = resource({
  name: 'rate_limits',
  singular: 'rate limit',
  summary: 'SIP request limits of an account and its devices',
  kind: 'singleton',
  order: 256,
  section: 'Conventions, Security settings',
  doc: 'SIP request limits',
  fields: () => ({
    account: rateLimit('Limit for the whole account'),
    device: rateLimit('Limit for each device'),
  }),
  required: [{ fields: ['account', 'device'], on: ['update'], source: 'convention' }],
  columns: [
    { header: 'ACCOUNT, A SECOND', paths: ['account.per_second.total_packets'] },
    { header: 'DEVICE, A SECOND', paths: ['device.per_second.total_packets'] },
  ],
  leftOutAs: 'rate limits',
  absent: { manifests: 'Only accounts above can set them' },
  operations: [settings('/accounts/{account_id}/rate_limits', 'the limits of SIP requests')],
});

export const device_rate_limits = resource({
  name: 'device_rate_limits',
  singular: 'device rate limit',
  summary: 'SIP request limits of one device',
  commandWords: ['devices', 'rate-limits'],
  order: 23,
  idParameter: 'device_id',
  oneOfEach: 'devices',
  section: 'Conventions, Security settings',
  schema: () => rateLimit('SIP request limits of a device', []),
  required: [{ fields: both, on: ['update'], source: 'convention' }],
  columns: [
    { header: 'A SECOND', paths: ['per_second.total_packets'] },
    { header: 'A MINUTE', paths: ['per_minute.total_packets'] },
  ],
  leftOutAs: 'rate limits of single phones',
  absent: {
    manifests: 'Only accounts above can set them',
    find: 'Limits do not refer to records of the account',
    orphans: 'Limits do not refer to records of the account',
    page: 'Only accounts above can set them',
    trial: 'it belongs to a phone',
  },
  operations: [
    settings(
      '/accounts/{account_id}/devices/{device_id}/rate_limits',
      'the limits of SIP requests of a device',
    ),
  ],
});
