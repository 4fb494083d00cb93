import { flag, freeObject, integer, list, object, text, texts } from '../fields.ts';
import { collection, resource, showOperation, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/queues';
const withMinimum = (minimum: number, usual?: number) =>
  ({ convention: { minimum, ...(usual === undefined ? {} : { default: usual }) } }) as const;
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
const roster = texts('Ids of users');
/** Statistics are kept for about a day. */
export const statsRange = [
  { name: 'start_range', doc: 'Start of the range, in Gregorian seconds' },
  { name: 'end_range', doc: 'End of the range, in Gregorian seconds' },
] as const;

const queueCall = object(
  {
    id: text('Id of the call in the queue'),
    queue_id: text('Queue', { ref: 'queues' }),
    call_id: text('Call'),
    agent_id: text('User who answered it', { ref: 'users' }),
    status: text('waiting, handled, processed or abandoned'),
    entered_timestamp: integer('Time of arrival, in Gregorian seconds', { shownAs: 'moment' }),
    handled_timestamp: integer('Time of the answer'),
    processed_timestamp: integer('When it ended'),
    abandoned_timestamp: integer('Time when the caller gave up'),
    abandoned_reason: text('Reason why the caller gave up'),
    entered_position: integer('Position in the queue'),
    wait_time: integer('Seconds until the call was answered or abandoned', { shownAs: 'seconds' }),
    talk_time: integer('Seconds of talk', { shownAs: 'seconds' }),
    caller_id_name: text('Name of the caller'),
    caller_id_number: text('Number of the caller'),
    misses: list(freeObject('An agent who did not answer'), 'Agents who did not answer'),
  },
  'A call in a queue',
);

const eavesdrop = object(
  {
    id: text('Device that listens', { ref: 'devices', outward: true }),
    call_id: text('Call to listen to'),
    mode: text('Listening mode', { convention: { enum: ['listen', 'whisper', 'full'] } }),
    timeout: integer('Seconds that the device rings', { shownAs: 'seconds', convention: { default: 20 } }),
    caller_id_name: text('Name that the device shows'),
    caller_id_number: text('Number that the device shows', { dialled: true }),
  },
  'Listener and call',
);

export const queues = resource({
  name: 'queues',
  refusesTag: ['POST', 'PATCH'],
  singular: 'queue',
  summary: 'Queues in which callers wait for agents',
  order: 112,
  takesOwnId: true,
  naturalKeys: ['name'],
  section: 'Conventions, Queues',
  doc: 'A queue',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    strategy: text('Order in which agents ring', {
      option: true,
      convention: { enum: ['round_robin', 'most_idle'], default: 'round_robin' },
    }),
    agent_ring_timeout: integer('Ring time for each agent, in seconds', {
      option: true,
      shownAs: 'seconds',
      ...withMinimum(1, 15),
    }),
    agent_wrapup_time: integer('Wrap-up time after a call, in seconds', {
      option: true,
      shownAs: 'seconds',
      ...withMinimum(0, 0),
    }),
    announce: text('Media played to the agent before the call: a media id or a URL'),
    announcements: object(
      {
        interval: integer('Seconds between announcements', { ...withMinimum(15), shownAs: 'seconds' }),
        media: object(
          {
            in_the_queue: text('"in the queue"'),
            increase_in_call_volume: text('"more calls than usual"'),
            the_estimated_wait_time_is: text('"the estimated waiting time is"'),
            you_are_at_position: text('"you are at position"'),
          },
          'Announcement media; set all four',
          {
            convention: {
              required: [
                'in_the_queue',
                'increase_in_call_volume',
                'the_estimated_wait_time_is',
                'you_are_at_position',
              ],
            },
          },
        ),
        position_announcements_enabled: flag('Announce the position in the queue'),
        wait_time_announcements_enabled: flag('Announce the estimated wait time'),
      },
      'Announcements for waiting callers',
    ),
    caller_exit_key: text('Key that a caller presses to leave the queue', {
      convention: { enum: keys, default: '#' },
    }),
    cdr_url: text('URL that receives the record of each call', {
      secretBearing: true,
      convention: { format: 'uri' },
    }),
    connection_timeout: integer('Maximum wait in seconds (0 for unlimited)', {
      shownAs: 'seconds',
      option: true,
      ...withMinimum(0, 3600),
    }),
    enter_when_empty: flag('Let callers wait when no agent is logged in', {
      option: true,
      convention: { default: true },
    }),
    max_priority: integer('Highest priority of a call, fixed after creation', {
      convention: { minimum: 0, maximum: 255 },
    }),
    max_queue_size: integer('Maximum number of waiting callers (0 for unlimited)', {
      option: true,
      convention: { default: 0 },
    }),
    moh: text('Music on hold: a media id or a URL'),
    record_caller: flag('Record the calls', { convention: { default: false } }),
    recording_url: text('URL that receives recordings', {
      secretBearing: true,
      convention: { format: 'uri' },
    }),
    ring_simultaneously: integer('Number of agents who ring at the same time', {
      option: true,
      ...withMinimum(1, 1),
    }),
    agents: texts('Ids of its agents: users with the queue in their queues', { readOnly: true }),
  }),
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  columns: ['name', 'strategy', 'id'],
  sections: [{ order: 65 }],
  listFields: ['name', 'strategy'],
  operations: [
    collection(),
    {
      roster: showOperation(`${path}/{queue_id}/roster`, 'List the ids of the agents of a queue', roster),
      'set-roster': {
        route: `POST ${path}/{queue_id}/roster`,
        body: value(roster),
        summary: 'Set all agents of a queue',
      },
      'clear-roster': {
        route: `DELETE ${path}/{queue_id}/roster`,
        reply: { kind: 'empty' },
        summary: 'Remove all agents from a queue',
      },
      stats: {
        route: `GET ${path}/stats`,
        query: [
          ...statsRange,
          { name: 'status', doc: 'Only calls in this state' },
          { name: 'agent_id', doc: 'Only calls of this agent' },
        ],
        reply: value(
          object(
            { current_timestamp: integer('Now'), stats: list(queueCall, 'The calls') },
            'Calls of the last day',
          ),
        ),
        summary: 'Show the current calls of all queues',
      },
      calls: {
        route: 'GET /accounts/{account_id}/acdc_call_stats',
        query: [
          { name: 'created_from', doc: 'Start of the range, in Gregorian seconds' },
          { name: 'created_to', doc: 'End of the range, in Gregorian seconds' },
        ],
        reply: { kind: 'list', items: queueCall },
        summary: 'List the ended calls of all queues',
      },
      'eavesdrop-call': {
        route: `PUT ${path}/eavesdrop`,
        body: value(eavesdrop),
        reply: value(freeObject('The request')),
        summary: 'Connect a device to a call of a queue to listen',
      },
      eavesdrop: {
        route: `PUT ${path}/{queue_id}/eavesdrop`,
        body: value(eavesdrop),
        reply: value(freeObject('The request')),
        summary: 'Connect a device to the calls of a queue to listen',
      },
    },
  ],
});
