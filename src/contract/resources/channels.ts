import { flag, freeObject, integer, openObject, text } from '../fields.ts';
import { listOperation, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/channels';
const made = { source: 'convention', readOnly: true } as const;
const ours = { source: 'convention' } as const;

const listLegs = (whose: string, of: string) =>
  listOperation(`/accounts/{account_id}/${whose}/channels`, `List the live legs of ${of}`);

/** Legs of live calls (Conventions, live calls). Lists and single legs have different names for the same fields. */
export const channels = resource({
  name: 'channels',
  singular: 'channel',
  summary: 'Live calls: list, hang up, transfer or redirect them',
  order: 200,
  idElsewhere: 'uuid',
  section: 'Conventions, live calls',
  doc: 'A live leg of a call',
  fields: () => ({
    id: shared.id,
    uuid: text('Id of the leg, in lists', { ...made, shownAs: 'seconds' }),
    call_id: text('Id of the leg, in a single record', { ...made, shownAs: 'seconds' }),
    direction: text('Direction seen from the service, in lists: inbound or outbound', made),
    call_direction: text('Direction seen from the service, in a single record: inbound or outbound', made),
    answered: flag('The call was answered', made),
    timestamp: integer('Start, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    elapsed_s: integer('Seconds since the start, in lists', made),
    elapsed_seconds: integer('Seconds since the start, in a single record', made),
    destination: text('Called number or user', made),
    other_leg: text('Call id of the connected leg, in lists', made),
    other_leg_call_id: text('Call id of the connected leg, in a single record', made),
    caller_id_name: text('Name of the caller', made),
    caller_id_number: text('Number of the caller', made),
    callee_id_name: text('Name of the callee', made),
    callee_id_number: text('Number of the callee', made),
    authorizing_id: text('Device or carrier that authorized the leg', made),
    authorizing_type: text('Type of authorizing_id: device, resource, user', made),
    owner_id: text('User who owns the phone', { ...made, ref: 'users' }),
    username: text('User name with which the phone registers', made),
    presence_id: text('Presence id', made),
    callflow_id: text('Running callflow', { ...made, ref: 'callflows' }),
    interaction_id: text('Id that all legs of a call share', made),
    from: text('Address of the caller', made),
    to: text('Address of the callee', made),
    is_onhold: flag('On hold, in lists', made),
    is_on_hold: flag('On hold, in a single record', made),
    is_loopback: flag('A leg inside the service', made),
    custom_channel_vars: freeObject('Channel variables of the service', made),
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
    manifests: 'A live call is not a setting',
    find: 'Live calls are short-lived',
    orphans: 'Live calls are short-lived',
    page: 'Calls have their own view',
    trial: 'calls cannot be made there',
  },
  operations: [
    {
      list: listOperation(path, 'List live calls, one leg per row'),
      get: { route: `GET ${path}/{channel_id}`, summary: 'Show one live leg' },
      'of-user': listLegs('users/{user_id}', 'a user'),
      'of-device': listLegs('devices/{device_id}', 'a device'),
      'of-group': listLegs('groups/{group_id}', 'a group'),
      act: {
        route: `POST ${path}/{channel_id}`,
        repeat: 'never',
        body: value(
          openObject(
            {
              action: text('What to do: hangup, transfer, callflow, intercept or break', ours),
              target: text('Number or extension (with transfer)', { ...ours, dialled: true }),
              'transfer-type': text('blind or attended (with transfer)', {
                ...ours,
                convention: { enum: ['blind', 'attended'] },
              }),
              id: text('Id of the callflow (with callflow)', { ...ours, ref: 'callflows' }),
              target_type: text('Type of the target: device, user or number (with intercept)', ours),
              target_id: text('Id or number of the target (with intercept)', ours),
            },
            'An action on a live call',
          ),
        ),
        reply: value(text('Confirmation that the service passed the request on')),
        summary: 'Hang up, transfer or intercept a live call, or send it to a callflow',
      },
      metaflow: {
        route: `PUT ${path}/{channel_id}`,
        body: value(openObject({}, 'A step of a metaflow: module and data')),
        reply: value(text('Confirmation that the service passed the request on')),
        summary: 'Run a step of a metaflow on a live call',
      },
    },
  ],
});
