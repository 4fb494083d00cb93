import { freeObject, integer, object, text, texts } from '../fields.ts';
import { collection, listOperation, resource, timeRangeFilters } from '../resource.ts';
import * as shared from '../structures.ts';

const section = 'Conventions, recordings';
const made = { readOnly: true } as const;

export const recordings = resource({
  name: 'recordings',
  singular: 'recording',
  summary: 'Call recordings and their audio',
  order: 220,
  section,
  doc: 'A recording of a call',
  fields: () => ({
    id: shared.id,
    name: text('Name of the file', made),
    description: text('Description', made),
    start: integer('Start, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    duration: integer('Seconds', { ...made, shownAs: 'seconds' }),
    duration_ms: integer('Milliseconds', { ...made, shownAs: 'milliseconds' }),
    direction: text('Direction of the leg: inbound or outbound', made),
    caller_id_name: text('Name of the caller', made),
    caller_id_number: text('Number of the caller', made),
    callee_id_name: text('Name of the callee', made),
    callee_id_number: text('Number of the callee', made),
    from: text('Address of the caller', made),
    to: text('Address of the callee', made),
    request: text('Requested address', made),
    call_id: text('Recorded leg', made),
    cdr_id: text('Call record of that leg', made),
    interaction_id: text('Id that all legs of the call share', made),
    owner_id: text('Recorded user', { ...made, ref: 'users' }),
    endpoint_id: text('Device or account that requested it', made),
    origin: text('Reason for the recording', made),
    content_type: text('Content type of the audio', made),
    media_type: text('File extension', made),
    media_source: text('Source: recorded', made),
    source_type: text('Part of the service that created the recording', made),
    url: text('URL that received the audio', { ...made, secretBearing: true }),
    custom_channel_vars: freeObject('Channel variables of the service', made),
    _read_only: object({ content_types: texts('Content types available for download', made) }, 'Audio', made),
  }),
  columns: [
    'start',
    { header: 'LENGTH', paths: ['duration'] },
    'direction',
    { header: 'FROM', paths: ['caller_id_number'] },
    { header: 'TO', paths: ['callee_id_number'] },
    'origin',
    'id',
  ],
  absent: {
    manifests: 'A recording is not a setting',
    find: 'Recordings are numerous and have their own list',
    orphans: 'Recordings outlive users and devices',
    trial: 'recordings cannot be made',
  },
  listOrder: 'created',
  operations: [
    collection({
      section,
      without: ['create', 'update', 'patch'],
      except: {
        list: { query: timeRangeFilters, summary: 'List recordings in a time range' },
        get: { accepts: ['audio/mpeg', 'audio/x-wav'] },
      },
    }),
    {
      'of-user': listOperation(
        '/accounts/{account_id}/users/{user_id}/recordings',
        'List recordings of a user',
        {
          query: timeRangeFilters,
        },
      ),
    },
  ],
});
