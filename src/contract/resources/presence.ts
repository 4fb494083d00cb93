import { flag, integer, mapOf, object, openObject, text } from '../fields.ts';
import { type OperationRow, resource, value } from '../resource.ts';

const path = '/accounts/{account_id}/presence';
const word = value(text('News that the service passed it on'));

const subscription = openObject(
  {
    expires: integer('Seconds for which it is good'),
    from: text('Address of the phone that watches'),
    notify: integer('Notices that were sent'),
    stalker: text('Process that sends them'),
    timestamp: integer('When it began, in Gregorian seconds', { shownAs: 'moment' }),
    version: integer('Number of the last notice'),
  },
  'A phone that watches a lamp',
);

const set = (whose: string, of: string): OperationRow => ({
  route: `POST /accounts/{account_id}/${whose}/presence`,
  reply: word,
  body: value(
    object(
      {
        action: text('reset, or set to a state', { convention: { enum: ['reset', 'set'] } }),
        state: text('With set: on, blinking or off', {
          convention: { enum: ['confirmed', 'early', 'terminated'] },
        }),
      },
      'What becomes of the lamp',
      { convention: { required: ['action'] } },
    ),
  ),
  summary: `Set the lamps of ${of}, or let them show what is`,
});

export const presence = resource({
  name: 'presence',
  singular: 'presence state',
  summary: 'Lamps of phones: who watches which extension, and what they show',
  order: 203,
  idParameter: 'extension',
  section: 'Conventions, Parked calls, hot desks and presence',
  doc: 'Who watches an extension',
  fields: () => ({
    subscriptions: mapOf(
      mapOf(mapOf(subscription, 'By call id'), 'By event: dialog, presence, message-summary'),
      'By extension',
    ),
    timeout: flag('Nobody answered in time'),
  }),
  columns: [],
  absent: {
    manifests: 'What a lamp shows now is no setting',
    find: 'Lamps are named by phones, which are searched',
    orphans: 'Lamps are named by phones, which are searched',
    page: 'Lamps follow from calls, which are shown',
    trial: 'no phone watches a new account',
  },
  operations: [
    {
      summary: {
        route: `GET ${path}`,
        query: [{ name: 'event', doc: 'Only of this event: dialog, presence or message-summary' }],
        reply: value(
          openObject(
            {
              subscriptions: mapOf(openObject({}, 'How many watch it, by event'), 'By extension'),
              timeout: flag('Nobody answered in time'),
            },
            'What is watched',
          ),
        ),
        summary: 'List which extensions are watched, and by how many phones',
      },
      get: { route: `GET ${path}/{extension}`, summary: 'Show who watches an extension' },
      reset: {
        route: `POST ${path}/{extension}`,
        reply: word,
        summary: 'Let the lamps of an extension show what is',
      },
      'set-of-user': set('users/{user_id}', 'a user'),
      'set-of-device': set('devices/{device_id}', 'a device'),
    },
  ],
});
