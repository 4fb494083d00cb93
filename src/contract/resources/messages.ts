import { either, freeObject, integer, list, object, text, texts } from '../fields.ts';
import { collection } from '../operations.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';

const common = {
  resource: 'messages',
  section: 'Conventions, voicemail boxes',
  errors: 'reference',
} as const;

const path = '/accounts/{account_id}/vmboxes/{vm_box_id}/messages';
const ours = { source: 'convention' } as const;
const made = { ...ours, readOnly: true } as const;
export const messageFolders = ['new', 'saved', 'deleted'] as const;
const folder = text('Where it lies', { ...ours, option: true, convention: { enum: messageFolders } });

/** Schema of what a change of many messages did to each. */
const outcome = object(
  {
    succeeded: texts('Ids of the messages that it happened to', ours),
    failed: either(
      list(freeObject('The reason, by id'), 'Messages that it did not happen to', ours),
      freeObject('The reasons, by id', ours),
    ),
  },
  'What happened',
);

const chosen = object(
  { messages: texts('Ids of the messages; all of the box where left out', ours), folder },
  'Which messages, and where to',
);

/** Messages in a voicemail box. The specification has none of this; it is what compatible services do. */
export const messages = resource({
  name: 'messages',
  singular: 'message',
  summary: 'Messages in a voicemail box',
  order: 110,
  idElsewhere: 'media_id',
  section: 'Conventions, voicemail boxes',
  doc: 'A voicemail message',
  fields: () => ({
    id: shared.id,
    media_id: text('Id of the recording, and of the message', made),
    folder,
    timestamp: integer('When it was left, in Gregorian seconds', { ...ours, shownAs: 'moment' }),
    from: text('Who called, as an address', ours),
    to: text('Who was called, as an address', ours),
    caller_id_name: text('Name of the caller', { ...ours, option: true, convention: { maxLength: 35 } }),
    caller_id_number: text('Number of the caller', { ...ours, option: true, convention: { maxLength: 35 } }),
    call_id: text('Call in which it was left', ours),
    length: integer('How long it is, in milliseconds', {
      ...ours,
      shownAs: 'milliseconds',
      convention: { minimum: 0 },
    }),
    transcription: object(
      {
        result: text('Whether it could be transcribed', {
          ...ours,
          convention: { enum: ['success', 'error'] },
        }),
        text: text('What is said', ours),
      },
      'What is said in it',
      ours,
    ),
  }),
  columns: [
    { header: 'FOLDER', paths: ['folder'] },
    { header: 'LEFT', paths: ['timestamp'], show: 'time', sparse: true },
    { header: 'FROM', paths: ['caller_id_number'] },
    { header: 'NAME', paths: ['caller_id_name'] },
    { header: 'LENGTH', paths: ['length'] },
    { header: 'ID', paths: ['id'], show: 'id' },
  ],
  commandWords: ['vmboxes', 'messages'],
  absent: { manifests: 'A message is a deed, no setting', page: 'Messages stand on the page of their vmbox' },
  listOrder: 'created',
  listFields: [
    'media_id',
    'folder',
    'timestamp',
    'from',
    'to',
    'caller_id_name',
    'caller_id_number',
    'call_id',
    'length',
    'transcription',
  ],
  operations: [
    collection({
      path,
      without: ['patch'],
      except: {
        list: { section: common.section },
        get: { section: common.section },
        create: { section: common.section, summary: 'Leave a message in a box' },
        update: { section: common.section, body: { kind: 'partial' }, summary: 'Move a message' },
        delete: { section: common.section },
      },
    }),
    {
      'move-all': {
        route: `POST ${path}`,
        body: { kind: 'value', schema: chosen },
        reply: { kind: 'value', schema: outcome },
        summary: 'Move several messages to a folder',
      },
      'delete-all': {
        route: `DELETE ${path}`,
        query: [{ name: 'folder', doc: 'Only the messages in this folder' }],
        reply: { kind: 'value', schema: outcome },
        summary: 'Delete the messages of a box',
      },
    },
  ],
});
