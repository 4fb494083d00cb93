import { either, flag, list, mapOf, object, openObject, text } from '../fields.ts';
import { resource } from '../resource.ts';

const made = { readOnly: true } as const;

const slot = () => ({
  id: text('Number of the slot', made),
  call_id: text('Parked leg', made),
  slot_call_id: text('Id of the slot in the switch', made),
  parker_call_id: text('Leg of the person who parked the call', made),
  ringback_id: text('Phone that rings if the call stays parked too long', made),
  cid_number: text('Number of the caller', made),
  cid_name: text('Name of the caller', made),
  cid_uri: text('Address of the caller', made),
  presence_id: text('Presence id of the slot', made),
  presence_user: text('User part of the presence id', made),
  presence_realm: text('Realm of the presence id', made),
  from_tag: text('SIP tag of the caller', made),
  to_tag: text('SIP tag of the callee', made),
  switch_uri: text('Address of the switch', made),
  node: text('Server that holds the call', made),
  hold_media: text('Ringback media for the caller', made),
  attended: flag('Parked by an attended transfer', made),
});

/** Live calls in slots, which no service stores (Conventions). */
export const parked_calls = resource({
  name: 'parked_calls',
  singular: 'parked call',
  summary: 'Calls that wait in a parking slot',
  order: 202,
  idParameter: 'slot',
  section: 'Conventions, Parked calls, hot desks and presence',
  doc: 'A parked call',
  fields: () => slot(),
  columns: [
    { header: 'SLOT', paths: ['id'] },
    { header: 'CALLER', paths: ['cid_number', 'cid_name'] },
    { header: 'LEG', paths: ['call_id'] },
    { header: 'PARKED BY', paths: ['parker_call_id'], sparse: true },
  ],
  absent: {
    manifests: 'A parked call is not a setting',
    page: 'Live calls include parked calls',
    trial: 'calls cannot be made there',
  },
  operations: [
    {
      list: {
        route: 'GET /accounts/{account_id}/parked_calls',
        listed: { as: 'map', key: 'slots' },
        reply: {
          kind: 'value',
          // Compatible services return an empty list if no call is parked.
          schema: either(
            object({ slots: mapOf(object(slot(), 'A parked call'), 'By slot') }, 'The slots'),
            list(openObject({}, 'Nothing'), 'No slots'),
          ),
        },
        summary: 'List parked calls',
      },
    },
  ],
});
