import { text } from '../fields.ts';
import { listOperation, resource } from '../resource.ts';

const made = { readOnly: true } as const;

/** Phones store the signed-in users in `hotdesk.users` (Conventions, Hot desks). */
export const hotdesks = resource({
  name: 'hotdesks',
  singular: 'hotdesk',
  summary: "Users signed in on other users' phones",
  order: 28,
  idParameter: 'device_id',
  section: 'Conventions, Parked calls, hot desks and presence',
  doc: 'A user signed in on a shared phone',
  fields: () => ({
    device_id: text('Phone', { ...made, ref: 'devices' }),
    device_name: text('Name of the phone', made),
    user_id: text('User signed in on the phone', { ...made, ref: 'users' }),
  }),
  columns: ['user_id', { header: 'PHONE', paths: ['device_name'] }, 'device_id'],
  absent: {
    manifests: 'Current sign-ins are not a setting',
    find: 'Phones list their users',
    orphans: 'Phones list their users',
    page: 'Phones list their users',
    trial: 'nobody signs in at the phones of a new account',
  },
  operations: [
    {
      list: listOperation(
        '/accounts/{account_id}/hotdesks',
        'List users and the phones where they are signed in',
      ),
      'of-user': listOperation(
        '/accounts/{account_id}/users/{user_id}/hotdesks',
        'List the phones where a user is signed in',
      ),
      'of-device': listOperation(
        '/accounts/{account_id}/devices/{device_id}/hotdesks',
        'List the users signed in on a phone',
      ),
    },
  ],
});
