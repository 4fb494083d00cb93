import { flag, integer, list, object, openObject, text } from '../fields.ts';
import { type OperationRows, resource, value } from '../resource.ts';

const fields = () => ({
  author: text('Who wrote it', { option: true }),
  content: text('What it says', { option: true }),
  timestamp: integer('Time, in Gregorian seconds', { shownAs: 'moment' }),
  account_id: text('Account of the author', { ref: 'accounts' }),
  user_id: text('The author', { ref: 'users' }),
  action_required: flag('Action is required', { option: true }),
  is_private: flag('Only visible to the operator', { option: true }),
});

const needed = ['author', 'content', 'timestamp'];
const comment = () => object(fields(), 'A comment', { convention: { required: needed } });
const all = openObject({ comments: list(comment(), 'Comments, oldest first') }, 'Comments');
const whole = value(all);
const listed = { as: 'field', key: 'comments' } as const;

function commentsOn(of: 'user' | 'device'): OperationRows {
  const path = `/accounts/{account_id}/${of}s/{${of}_id}/comments` as const;
  const one = `${path}/{comment_id}` as const;
  return {
    [`list-of-${of}`]: {
      route: `GET ${path}`,
      reply: whole,
      listed,
      summary: `List the comments on a ${of}`,
    },
    [`add-to-${of}`]: { route: `PUT ${path}`, body: whole, reply: whole, summary: `Add comments to a ${of}` },
    [`clear-of-${of}`]: { route: `DELETE ${path}`, reply: whole, summary: `Remove all comments on a ${of}` },
    [`get-of-${of}`]: { route: `GET ${one}`, summary: `Show one comment on a ${of}, by its place` },
    [`update-of-${of}`]: {
      route: `POST ${one}`,
      body: value(comment()),
      summary: `Replace a comment on a ${of}, by its place`,
    },
    [`delete-of-${of}`]: {
      route: `DELETE ${one}`,
      // After a delete, the next comment has the same id.
      repeat: 'never',
      reply: value(all),
      summary: `Remove a comment on a ${of}, by its place`,
    },
  };
}

/** The id of a comment is its position (Conventions, Comments). */
export const comments = resource({
  name: 'comments',
  singular: 'comment',
  summary: 'Comments on users and devices',
  order: 29,
  shownWithoutId: true,
  section: 'Conventions, Comments',
  doc: 'A comment',
  fields: () => ({ id: text('Position in the list of comments', { readOnly: true }), ...fields() }),
  required: [{ fields: needed, on: ['create', 'update'], source: 'convention' }],
  columns: [
    { header: 'PLACE', paths: ['id'] },
    { header: 'TIME', paths: ['timestamp'], show: 'time' },
    'author',
    { header: 'TEXT', paths: ['content'], show: 'sentence' },
  ],
  absent: {
    manifests: 'A comment is not a setting',
    find: 'Comments belong to each user and device',
    orphans: 'Comments refer to their authors, who may be deleted',
    page: 'Comments belong to each user and device',
    trial: 'they belong to users and devices',
  },
  operations: [commentsOn('user'), commentsOn('device')],
});
