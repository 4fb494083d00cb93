import { flag, integer, mapOf, object, openObject, text } from '../fields.ts';
import { type OperationRow, resource, value } from '../resource.ts';

const path = '/accounts/{account_id}/presence';
const word = value(text('Confirmation that the service passed the request on'));

const subscription = openObject(
  {
    expires: integer('Seconds until it expires'),
    from: text('Address of the subscribed phone'),
    notify: integer('Number of notifications sent'),
    stalker: text('Process that sends the notifications'),
    timestamp: integer('Start, in Gregorian seconds', { shownAs: 'moment' }),
    version: integer('Sequence number of the last notification'),
  },
  'A phone subscribed to a presence id',
);

const setPresence = (whose: string, of: string): OperationRow => ({
  route: `POST /accounts/{account_id}/${whose}/presence`,
  reply: word,
  body: value(
    object(
      {
        action: text('reset, or set to a state', { convention: { enum: ['reset', 'set'] } }),
        state: text('on, blinking or off (with action set)', {
          convention: { enum: ['confirmed', 'early', 'terminated'] },
        }),
      },
      'New state of the lamp',
      { convention: { required: ['action'] } },
    ),
  ),
  summary: `Set the lamps of ${of}, or let them show what is`,
});

export const presence = resource({
  name: 'presence',
  singular: 'presence state',
  summary: 'Presence lamps of phones: subscriptions and states',
  order: 203,
  idParameter: 'extension',
  section: 'Conventions, Parked calls, hot desks and presence',
  doc: 'Subscriptions to an extension',
  fields: () => ({
    subscriptions: mapOf(
      mapOf(mapOf(subscription, 'By call id'), 'By event: dialog, presence, message-summary'),
      'By extension',
    ),
    timeout: flag('The request timed out'),
  }),
  columns: [],
  absent: {
    manifests: 'The current state of a lamp is not a setting',
    find: 'The search covers the phones, which name their lamps',
    orphans: 'The search covers the phones, which name their lamps',
    page: 'Lamps reflect calls, which are shown',
    trial: 'no phone watches a new account',
  },
  operations: [
    {
      summary: {
        route: `GET ${path}`,
        query: [
          { name: 'event', doc: 'Only subscriptions to this event: dialog, presence or message-summary' },
        ],
        reply: value(
          openObject(
            {
              subscriptions: mapOf(openObject({}, 'Number of subscriptions, by event'), 'By extension'),
              timeout: flag('The request timed out'),
            },
            'What is watched',
          ),
        ),
        summary: 'List watched extensions, with the number of phones for each',
      },
      get: { route: `GET ${path}/{extension}`, summary: 'Show the subscriptions to an extension' },
      reset: {
        route: `POST ${path}/{extension}`,
        reply: word,
        summary: 'Reset the lamps of an extension to the current state',
      },
      'set-of-user': setPresence('users/{user_id}', 'a user'),
      'set-of-device': setPresence('devices/{device_id}', 'a device'),
    },
  ],
});
