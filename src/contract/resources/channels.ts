import { flag, freeObject, integer, openObject, text } from '../fields.ts';
import { listing, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/channels';
const made = { source: 'convention', readOnly: true } as const;
const ours = { source: 'convention' } as const;

const legsOf = (whose: string, of: string) =>
  listing(`/accounts/{account_id}/${whose}/channels`, `List the live legs of ${of}`);

/** Live calls: the legs that are up now (Conventions, live calls). Lists and single legs have other names for the same. */
export const channels = resource({
  name: 'channels',
  singular: 'channel',
  summary: 'Live calls: the legs that are up now, and steering them',
  order: 200,
  idElsewhere: 'uuid',
  section: 'Conventions, live calls',
  doc: 'A live leg of a call',
  fields: () => ({
    id: shared.id,
    uuid: text('Id of the leg, in lists', { ...made, shownAs: 'seconds' }),
    call_id: text('Id of the leg, in a single one', { ...made, shownAs: 'seconds' }),
    direction: text('Seen from the service, in lists: inbound or outbound', made),
    call_direction: text('Seen from the service, in a single one: inbound or outbound', made),
    answered: flag('Somebody answered', made),
    timestamp: integer('Start, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    elapsed_s: integer('Seconds since the start, in lists', made),
    elapsed_seconds: integer('Seconds since the start, in a single one', made),
    destination: text('Number or user that it is for', made),
    other_leg: text('Leg that it is connected with, in lists', made),
    other_leg_call_id: text('Leg that it is connected with, in a single one', made),
    caller_id_name: text('Name of the caller', made),
    caller_id_number: text('Number of the caller', made),
    callee_id_name: text('Name of who is called', made),
    callee_id_number: text('Number of who is called', made),
    authorizing_id: text('Device or carrier by whose right it is there', made),
    authorizing_type: text('Sort of that: device, resource, user', made),
    owner_id: text('User whose phone it is', { ...made, ref: 'users' }),
    username: text('Name by which the phone signs in', made),
    presence_id: text('Name of the lamp', made),
    callflow_id: text('Callflow that is being run', { ...made, ref: 'callflows' }),
    interaction_id: text('Id that all legs of a call share', made),
    from: text('Address of the caller', made),
    to: text('Address of who is called', made),
    is_onhold: flag('On hold, in lists', made),
    is_on_hold: flag('On hold, in a single one', made),
    is_loopback: flag('A leg inside the service', made),
    custom_channel_vars: freeObject('Variables of the service', made),
    custom_application_vars: freeObject('Variables that callflows set', made),
  }),
  columns: [
    { header: 'START', paths: ['timestamp'], show: 'time' },
    { header: 'LENGTH', paths: ['elapsed_s'] },
    'direction',
    'answered',
    { header: 'FROM', paths: ['caller_id_number'], sparse: true },
    { header: 'TO', paths: ['destination'] },
    { header: 'OWNER', paths: ['owner_id'], show: 'id', refers: 'users', sparse: true },
    { header: 'ID', paths: ['uuid'], show: 'id' },
  ],
  absent: {
    manifests: 'A live call is no setting',
    find: 'Live calls are gone before they are looked for',
    orphans: 'Live calls end by themselves',
    page: 'Calls have a view of their own',
    trial: 'calls cannot be made there',
  },
  operations: [
    {
      list: listing(path, 'List live calls, leg by leg'),
      get: { route: `GET ${path}/{channel_id}`, summary: 'Show one live leg' },
      'of-user': legsOf('users/{user_id}', 'a user'),
      'of-device': legsOf('devices/{device_id}', 'a device'),
      'of-group': legsOf('groups/{group_id}', 'a group'),
      act: {
        route: `POST ${path}/{channel_id}`,
        repeat: 'never',
        body: value(
          openObject(
            {
              action: text('What to do: hangup, transfer, callflow, intercept or break', ours),
              target: text('With transfer: number or extension', { ...ours, dialled: true }),
              'transfer-type': text('With transfer: blind or attended', {
                ...ours,
                convention: { enum: ['blind', 'attended'] },
              }),
              id: text('With callflow: its id', { ...ours, ref: 'callflows' }),
              target_type: text('With intercept: device, user or number', ours),
              target_id: text('With intercept: which one', ours),
            },
            'A change of a live call',
          ),
        ),
        reply: value(text('News that the service passed it on')),
        summary: 'Hang up, transfer or intercept a live call, or send it to a callflow',
      },
      metaflow: {
        route: `PUT ${path}/{channel_id}`,
        body: value(openObject({}, 'A step of a metaflow: module and data')),
        reply: value(text('News that the service passed it on')),
        summary: 'Run a step of a metaflow on a live call',
      },
    },
  ],
});
