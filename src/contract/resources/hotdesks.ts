import { object, text } from '../fields.ts';
import { operation } from '../operations.ts';
import { resource } from '../resource.ts';

const section = 'Conventions, Parked calls, hot desks and presence';
const made = { readOnly: true } as const;

const listOf = (verb: string, whose: string, summary: string) =>
  operation(
    { resource: 'hotdesks', section, errors: 'reference' },
    {
      ...{ source: 'convention', section, verb, method: 'GET', reply: { kind: 'list' }, summary },
      path: `/accounts/{account_id}/${whose}hotdesks`,
    },
  );

/** Who is signed in on which phone; phones keep it in `hotdesk.users` (Conventions, Hot desks). */
export const hotdesks = resource({
  name: 'hotdesks',
  singular: 'hotdesk',
  summary: 'Users who are signed in on phones of others',
  kind: 'collection',
  order: 28,
  idParameter: 'device_id',
  naturalKeys: [],
  section,
  schema: () =>
    object(
      {
        device_id: text('Phone', { ...made, ref: 'devices' }),
        device_name: text('Name of the phone', made),
        user_id: text('User who is signed in there', { ...made, ref: 'users' }),
      },
      'A user on a phone',
    ),
  required: [],
  unique: [],
  columns: [
    { header: 'USER', paths: ['user_id'], show: 'id', refers: 'users' },
    { header: 'PHONE', paths: ['device_name'] },
    { header: 'DEVICE', paths: ['device_id'], show: 'id', refers: 'devices' },
  ],
  absent: {
    manifests: 'Who is signed in now is no setting',
    find: 'Phones name their users themselves',
    orphans: 'Phones name their users themselves',
    page: 'Phones name their users themselves',
    trial: 'nobody signs in at the phones of a new account',
  },
  listFields: [],
  operations: [
    listOf('list', '', 'List who is signed in on which phone'),
    listOf('of-user', 'users/{user_id}/', 'List the phones on which a user is signed in'),
    listOf('of-device', 'devices/{device_id}/', 'List the users who are signed in on a phone'),
  ],
});
