import { text } from '../fields.ts';
import { listing, resource } from '../resource.ts';

const made = { readOnly: true } as const;

/** Who is signed in on which phone; phones keep it in `hotdesk.users` (Conventions, Hot desks). */
export const hotdesks = resource({
  name: 'hotdesks',
  singular: 'hotdesk',
  summary: 'Users who are signed in on phones of others',
  order: 28,
  idParameter: 'device_id',
  section: 'Conventions, Parked calls, hot desks and presence',
  doc: 'A user on a phone',
  fields: () => ({
    device_id: text('Phone', { ...made, ref: 'devices' }),
    device_name: text('Name of the phone', made),
    user_id: text('User who is signed in there', { ...made, ref: 'users' }),
  }),
  columns: ['user_id', { header: 'PHONE', paths: ['device_name'] }, 'device_id'],
  absent: {
    manifests: 'Who is signed in now is no setting',
    find: 'Phones name their users themselves',
    orphans: 'Phones name their users themselves',
    page: 'Phones name their users themselves',
    trial: 'nobody signs in at the phones of a new account',
  },
  operations: [
    {
      list: listing('/accounts/{account_id}/hotdesks', 'List who is signed in on which phone'),
      'of-user': listing(
        '/accounts/{account_id}/users/{user_id}/hotdesks',
        'List the phones on which a user is signed in',
      ),
      'of-device': listing(
        '/accounts/{account_id}/devices/{device_id}/hotdesks',
        'List the users who are signed in on a phone',
      ),
    },
  ],
});
