import { freeObject, integer, object, text, texts } from '../fields.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/cdrs';
const ofUser = '/accounts/{account_id}/users/{user_id}/cdrs';
const made = { source: 'convention', readOnly: true } as const;
/** A figure that lists show as digits in a text. */
const figure = { ...made, convention: { alsoType: ['string'] } } as const;

/** The part of time that a list is of; every list of what calls left behind needs one. */
export const timeRangeQuery = [
  { name: 'created_from', doc: 'From here on, in Gregorian seconds; at most 31 days and an hour are shown' },
  { name: 'created_to', doc: 'Up to here, in Gregorian seconds; now where left out' },
] as const;
const listQuery = [
  ...timeRangeQuery,
  { name: 'utc_offset', doc: 'Seconds added to the date and time of each record' },
] as const;

/** Fields of a list item, in the order of the service's own CSV. */
const listFields = [
  'call_id',
  'caller_id_number',
  'caller_id_name',
  'callee_id_number',
  'callee_id_name',
  'duration_seconds',
  'billing_seconds',
  'timestamp',
  'hangup_cause',
  'other_leg_call_id',
  'owner_id',
  'to',
  'from',
  'direction',
  'request',
  'authorizing_id',
  'cost',
  'dialed_number',
  'calling_from',
  'datetime',
  'unix_timestamp',
  'unix_timestamp_micro',
  'rfc_1036',
  'iso_8601',
  'iso_8601_combined',
  'call_type',
  'rate',
  'rate_name',
  'bridge_id',
  'recording_url',
  'media_recordings',
  'media_server',
  'call_priority',
  'interaction_id',
];

/** Fields of the stored record, which services filter by; the others are worked out for lists. */
const storedFields = [
  'call_id',
  'caller_id_number',
  'caller_id_name',
  'callee_id_number',
  'callee_id_name',
  'hangup_cause',
  'other_leg_call_id',
  'to',
  'from',
  'request',
  'media_server',
  'interaction_id',
];

/** Call detail records: one for each leg of a call, written when it ends (Conventions, call records). */
export const cdrs = resource({
  name: 'cdrs',
  singular: 'cdr',
  summary: 'Call detail records: who called whom, when, how long and why it ended',
  kind: 'collection',
  order: 210,
  idParameter: 'cdr_id',
  section: 'Conventions, call records',
  schema: () =>
    object(
      {
        id: shared.id,
        call_id: text('Id of the leg', made),
        direction: text('Seen from the service, as lists show it: inbound or outbound', made),
        call_direction: text('Seen from the service, as the record has it: inbound or outbound', made),
        caller_id_number: text('Number of the caller', made),
        caller_id_name: text('Name of the caller', made),
        callee_id_number: text('Number of who was called', made),
        callee_id_name: text('Name of who was called', made),
        dialed_number: text('Number that was dialled', made),
        calling_from: text('Number or user that called', made),
        duration_seconds: integer('Seconds from start to end', { ...made, shownAs: 'seconds' }),
        ringing_seconds: integer('Seconds of ringing', { ...made, shownAs: 'seconds' }),
        billing_seconds: integer('Seconds from answer to end; 0 where nobody answered', {
          ...made,
          shownAs: 'seconds',
        }),
        timestamp: integer('Start of the leg in lists, its end in the record; Gregorian seconds', {
          ...figure,
          shownAs: 'moment',
        }),
        datetime: text('Start of the leg, as a date and time', made),
        unix_timestamp: integer('Start of the leg, in Unix seconds', figure),
        unix_timestamp_micro: integer('Start of the leg, in Unix microseconds', figure),
        channel_created_time: integer('Start of the leg, in Unix microseconds', made),
        rfc_1036: text('Start of the leg', made),
        iso_8601: text('Date on which the leg started', made),
        iso_8601_combined: text('Start of the leg', made),
        hangup_cause: text('Reason why the leg ended', made),
        hangup_code: text('Code of the signalling at the end', made),
        disposition: text('Side that ended the leg', made),
        other_leg_call_id: text('Leg that it was connected with', made),
        other_leg_caller_id_name: text('Name of the caller on the other leg', made),
        other_leg_caller_id_number: text('Number of the caller on the other leg', made),
        other_leg_destination_number: text('Number that the other leg was for', made),
        other_leg_direction: text('Direction of the other leg', made),
        interaction_id: text('Id that all legs of a call and its transfers share', made),
        interaction_time: integer('Start of the call, in Gregorian seconds', { ...made, shownAs: 'moment' }),
        interaction_key: text('Second part of the id of the call', made),
        owner_id: text('User whose phone it was', { ...made, ref: 'users' }),
        authorizing_id: text('Device or carrier by whose right the leg was there', made),
        from: text('Address of the caller', made),
        from_uri: text('Address of the caller, with its scheme', made),
        from_tag: text('Tag of the signalling', made),
        to: text('Address of who was called', made),
        to_uri: text('Address of who was called, with its scheme', made),
        to_tag: text('Tag of the signalling', made),
        request: text('Address that was asked for', made),
        cost: integer('Price, in units of 1/10000', figure),
        call_type: text('How the leg is paid for', made),
        rate: text('Price of a minute', made),
        rate_name: text('Name of the rate', made),
        bridge_id: text('First leg of the call', made),
        call_priority: text('Priority', made),
        recording_url: text('Address that a recording was sent to', { ...made, secretBearing: true }),
        media_recordings: texts('Recordings of the leg', made),
        media_server: text('Server that carried it', made),
        presence_id: text('Name of the lamp', made),
        user_agent: text('Phone', made),
        digits_dialed: text('Keys pressed during the leg', made),
        custom_channel_vars: freeObject('Variables of the service', made),
        custom_application_vars: freeObject('Variables that callflows set', made),
        custom_sip_headers: freeObject('Headers seen', made),
      },
      'A call detail record',
    ),
  columns: [
    { header: 'START', paths: ['datetime'], show: 'time' },
    { header: 'DIRECTION', paths: ['direction'] },
    { header: 'FROM', paths: ['calling_from'] },
    { header: 'TO', paths: ['dialed_number'] },
    { header: 'LENGTH', paths: ['duration_seconds'] },
    { header: 'BILLED', paths: ['billing_seconds'] },
    { header: 'CAUSE', paths: ['hangup_cause'] },
    { header: 'OWNER', paths: ['owner_id'], show: 'id', refers: 'users', sparse: true },
    { header: 'ID', paths: ['id'], show: 'id' },
  ],
  storedAs: {
    ...Object.fromEntries(storedFields.map((field) => [field, field])),
    direction: 'call_direction',
    authorizing_id: 'custom_channel_vars.authorizing_id',
    owner_id: 'custom_channel_vars.owner_id',
    call_type: 'custom_channel_vars.account_billing',
    rate: 'custom_channel_vars.rate',
    rate_name: 'custom_channel_vars.rate_name',
    bridge_id: 'custom_channel_vars.bridge_id',
    call_priority: 'custom_channel_vars.call_priority',
    media_recordings: 'custom_channel_vars.media_recordings',
  },
  absent: {
    manifests: 'A call record is written by the service, no setting',
    find: 'Call records are many, and searched by their own list',
    orphans: 'Call records outlive users, devices and numbers',
    page: 'Calls have a view of their own',
    trial: 'call records cannot be made',
  },
  listOrder: 'created',
  listFields,
  operations: [
    {
      list: {
        route: `GET ${path}`,
        query: listQuery,
        reply: { kind: 'list' },
        summary: 'List call records of a range of time',
      },
      get: { route: `GET ${path}/{cdr_id}`, summary: 'Show one call record' },
      'of-user': {
        route: `GET ${ofUser}`,
        query: listQuery,
        reply: { kind: 'list' },
        summary: 'List call records of a user',
      },
      interactions: {
        route: `GET ${path}/interaction`,
        query: listQuery,
        reply: { kind: 'list' },
        summary: 'List calls: one leg of each',
      },
      'interactions-of-user': {
        route: `GET ${ofUser}/interaction`,
        query: listQuery,
        reply: { kind: 'list' },
        summary: 'List calls of a user: one leg of each',
      },
      legs: {
        route: `GET ${path}/legs/{interaction_id}`,
        reply: { kind: 'list' },
        summary: 'List the legs of a call, by the id of the call or of one of its records',
      },
      summary: {
        route: `GET ${path}/summary`,
        query: timeRangeQuery,
        reply: {
          kind: 'value',
          schema: object(
            {
              inbound: freeObject('Seconds from carriers, by address and kind of number', made),
              outbound: freeObject('Seconds to carriers, by address and kind of number', made),
            },
            'Seconds of calls from and to carriers',
          ),
        },
        summary: 'Sum up the seconds of calls from and to carriers',
      },
    },
  ],
});
