import { either, freeObject, integer, mapOf, object, text, texts } from '../fields.ts';
import { listOperation, resource, showOperation, value } from '../resource.ts';
import * as shared from '../structures.ts';
import { statsRange } from './queues.ts';

const path = '/accounts/{account_id}/agents';
const one = `${path}/{user_id}`;
const queueIds = texts('Ids of queues');

const status = object(
  {
    agent_id: text('User', { ref: 'users' }),
    status: text('ready, paused, logged_out, connecting, connected, wrapup, outbound …'),
    timestamp: integer('Start of the state, in Gregorian seconds', { shownAs: 'moment' }),
    pause_time: integer('Length of the pause, in seconds'),
    wait_time: integer('Seconds that the caller waited'),
    call_id: text('Call'),
    caller_id_name: text('Name of the caller'),
    caller_id_number: text('Number of the caller'),
    queue_id: text('Queue of the call', { ref: 'queues' }),
  },
  'The state of an agent',
);

export const agentActions = ['login', 'logout', 'pause', 'resume', 'end_wrapup'] as const;

export const agents = resource({
  name: 'agents',
  singular: 'agent',
  summary: 'Users who answer the calls of queues',
  order: 114,
  idParameter: 'user_id',
  section: 'Conventions, Queues',
  doc: 'An agent: a user with queues',
  fields: () => ({
    id: shared.id,
    username: text('Name to sign in with', { readOnly: true }),
    first_name: text('First name', { readOnly: true }),
    last_name: text('Last name', { readOnly: true }),
    queues: texts('Ids of the queues', { readOnly: true }),
  }),
  columns: [
    { header: 'NAME', paths: ['first_name', 'last_name'] },
    { header: 'QUEUES', paths: ['queues'], show: 'count' },
    'id',
  ],
  absent: {
    manifests: 'An agent is a user with queues in its field queues',
    page: 'Agents appear as users',
    trial: 'an agent is a user, who is tried as that',
  },
  listFields: ['first_name', 'last_name', 'queues'],
  operations: [
    {
      list: listOperation(path, 'List agents: users who have queues'),
      get: { route: `GET ${one}`, reply: { kind: 'record', resource: 'users' }, summary: 'Show one agent' },
      states: showOperation(
        `${path}/status`,
        'Show the current state of all agents',
        mapOf(status, 'The state of each agent, by id'),
        { query: [{ name: 'status', doc: 'Only agents in this state' }] },
      ),
      state: showOperation(
        `${one}/status`,
        'Show the current state of an agent',
        either(status, text('A keyword')),
      ),
      'set-state': {
        route: `POST ${one}/status`,
        body: value(
          object(
            {
              status: text(`What to do: ${agentActions.join(', ')}`),
              timeout: integer('Seconds of a pause', { convention: { minimum: 0 } }),
              presence_id: text('Presence id to update'),
              presence_state: text('Presence state to publish'),
            },
            'A state change',
          ),
        ),
        reply: value(text('A sentence')),
        summary: 'Sign an agent in or out, or pause an agent',
      },
      queues: showOperation(`${one}/queue_status`, 'List the ids of the queues of an agent', queueIds),
      'set-queue': {
        route: `POST ${one}/queue_status`,
        body: value(
          object(
            {
              action: text('What to do', { convention: { enum: ['login', 'logout'] } }),
              queue_id: text('Queue', { ref: 'queues' }),
            },
            'A queue to join or leave',
          ),
        ),
        reply: value(queueIds),
        summary: 'Add an agent to a queue, or remove one',
      },
      stats: showOperation(
        `${path}/stats`,
        'Count the calls of all agents',
        mapOf(freeObject('Calls by queue'), 'Calls of each agent, by id'),
        { query: [...statsRange, { name: 'agent_id', doc: 'Only this agent' }] },
      ),
    },
  ],
});
