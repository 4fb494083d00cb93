import { flag, integer, list, object, openObject, text } from '../fields.ts';
import { operation } from '../operations.ts';
import { resource } from '../resource.ts';
import type { Operation } from '../types.ts';

const section = 'Conventions, Comments';
const common = { resource: 'comments', section, errors: 'reference' } as const;
const convention = { source: 'convention', section } as const;

const fields = () => ({
  author: text('Who wrote it', { option: true }),
  content: text('What it says', { option: true }),
  timestamp: integer('When, in Gregorian seconds', { shownAs: 'moment' }),
  account_id: text('Account of the author', { ref: 'accounts' }),
  user_id: text('The author', { ref: 'users' }),
  action_required: flag('Somebody has to do something', { option: true }),
  is_private: flag('Only for the operator', { option: true }),
});

const needed = ['author', 'content', 'timestamp'];
const comment = (required: readonly string[] = needed) =>
  object(fields(), 'A comment', { convention: { required } });
const all = openObject({ comments: list(comment(), 'The oldest first') }, 'Comments');
const whole = { kind: 'value', schema: all } as const;
const listed = { as: 'field', key: 'comments' } as const;

function commentsOn(of: 'user' | 'device'): readonly Operation[] {
  const path = `/accounts/{account_id}/${of}s/{${of}_id}/comments`;
  const one = `${path}/{comment_id}`;
  const reply = { kind: 'record' } as const;
  return [
    operation(common, {
      ...{ ...convention, verb: `list-of-${of}`, method: 'GET', path, reply: whole, listed },
      summary: `List the comments on a ${of}`,
    }),
    operation(common, {
      ...{ ...convention, verb: `add-to-${of}`, method: 'PUT', path, body: whole, reply: whole },
      summary: `Add comments to a ${of}`,
    }),
    operation(common, {
      ...{ ...convention, verb: `clear-of-${of}`, method: 'DELETE', path, reply: whole },
      summary: `Remove all comments on a ${of}`,
    }),
    operation(common, {
      ...{ ...convention, verb: `get-of-${of}`, method: 'GET', path: one, reply },
      summary: `Show one comment on a ${of}, by its place`,
    }),
    operation(common, {
      ...{ ...convention, verb: `update-of-${of}`, method: 'POST', path: one, reply },
      body: { kind: 'value', schema: comment() },
      summary: `Replace a comment on a ${of}, by its place`,
    }),
    operation(common, {
      // The next one has its place afterwards.
      ...{ ...convention, verb: `delete-of-${of}`, method: 'DELETE', path: one, repeat: 'never' },
      reply: { kind: 'value', schema: all },
      summary: `Remove a comment on a ${of}, by its place`,
    }),
  ];
}

/** Notes that people leave on users and devices; a comment has no id but its place (Conventions, Comments). */
export const comments = resource({
  name: 'comments',
  singular: 'comment',
  summary: 'Notes that people leave on users and devices',
  kind: 'collection',
  order: 29,
  idParameter: 'comment_id',
  naturalKeys: [],
  section,
  schema: () =>
    object({ id: text('Place among the comments', { readOnly: true }), ...fields() }, 'A comment'),
  required: [{ fields: needed, on: ['create', 'update'], source: 'convention' }],
  unique: [],
  columns: [
    { header: 'PLACE', paths: ['id'] },
    { header: 'TIME', paths: ['timestamp'], show: 'time' },
    { header: 'AUTHOR', paths: ['author'] },
    { header: 'TEXT', paths: ['content'], show: 'sentence' },
  ],
  absent: {
    manifests: 'Notes are no settings',
    find: 'Notes lie with each user and device',
    orphans: 'Comments name their authors, who may be gone since',
    page: 'Notes lie with each user and device',
    trial: 'they belong to users and devices',
  },
  listFields: [],
  operations: [...commentsOn('user'), ...commentsOn('device')],
});
