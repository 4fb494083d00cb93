import { isObject, type Json, type JsonObject, objectsIn, valueAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import type { Api, ApiRequest } from '../../../client/api/api.ts';
import { comments } from '../../../contract/resources/comments.ts';
import type { Command } from '../../command/command.ts';
import {
  type Case,
  callCommand,
  type OperationCommandFacts,
  ownerOptions,
  type Request,
} from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const place = {
  name: 'PLACE',
  doc: 'Position of the comment, where 0 is the oldest',
  into: { path: 'comment_id' },
  as: 'integer',
} as const;
const content = {
  flag: 'content',
  value: 'TEXT',
  doc: 'Text of the comment',
  into: { data: 'content' },
} as const;
const commentOptions = {
  author: {
    value: 'TEXT',
    doc: 'Author of the comment (default: you, or the account of the API key)',
    into: { data: 'author' },
  },
  actionRequired: { doc: 'Mark the comment as requiring action', into: { data: 'action_required' } },
  private: { doc: 'Show the comment only to the operator', into: { data: 'is_private' } },
} as const;

const operationOf = (verb: string, of: string) =>
  operationFor(comments, `${verb}-${verb === 'add' ? 'to' : 'of'}-${of}`);

/** Returns the cases of a verb for users and devices. Their messages end with the owner. */
const ownerCases = (verb: string, says = '', asks?: string): readonly Case[] =>
  ['user', 'device'].map((of) => ({
    when: { [of]: true },
    operation: operationOf(verb, of),
    says: `${says} ${of} {${of}}.`,
    ...(asks === undefined ? {} : { asks: `${asks} ${of} {${of}}?` }),
  }));

const readRequest = (verb: string, { path }: Request): ApiRequest => ({
  operation: operationOf(verb, path.user_id === undefined ? 'device' : 'user'),
  path,
});

async function findAdded(api: Api, request: Request): Promise<Json | undefined> {
  const { data } = request;
  const [sent] = objectsIn(valueAt(data ?? null, 'comments'));
  const isAddedComment = ({ content, timestamp }: JsonObject): boolean =>
    content === sent?.content && timestamp === sent?.timestamp;
  for await (const page of api.pages(readRequest('list', request)))
    if (page.some(isAddedComment)) return page.find(isAddedComment);
  return undefined;
}

const calls: readonly OperationCommandFacts[] = [
  {
    path: ['comments', 'list'],
    summary: 'List the comments on a user or a device',
    options: ownerOptions,
    given: ownerCases('list'),
    examples: { 'telctl comments list --user alice': 'List the oldest comment first' },
    shows: 'comments',
    gives: {
      resource: 'comments',
      noun: 'comments',
      rows: { each: (comment, index) => ({ id: String(index), ...comment }) },
    },
  },
  {
    path: ['comments', 'get'],
    summary: 'Show one comment on a user or a device',
    arguments: { place },
    options: ownerOptions,
    given: ownerCases('get'),
    examples: { 'telctl comments get 0 --user alice': 'Show the oldest comment' },
    shows: 'comments',
    gives: { resource: 'comments', item: (comment, { place = '' }) => ({ id: String(place), ...comment }) },
  },
  {
    path: ['comments', 'add'],
    summary: 'Add a comment to a user or a device',
    options: { ...ownerOptions, content: { ...content, required: true }, ...commentOptions },
    given: ownerCases('add', 'Added a comment to'),
    // The default author is the current user.
    async data({ data }, context) {
      const { username, accountName } = (await context.session()).profile;
      const timestamp = Math.floor(context.host.clock.now() / 1000) + gregorianOffset;
      const author = username ?? accountName ?? 'telctl';
      return { comments: [{ author, timestamp, ...(isObject(data) ? data : {}) }] };
    },
    lookUp: findAdded,
    examples: {
      'telctl comments add --user alice --content "On leave"': 'Add a comment under your own name',
    },
  },
  {
    path: ['comments', 'update'],
    summary: 'Change a comment on a user or a device',
    arguments: { place },
    options: { ...ownerOptions, content, ...commentOptions },
    anyOf: [['content', 'author', 'action-required', 'private']],
    given: ownerCases('update', 'Changed comment {place} on'),
    // The service replaces the whole comment, so unchanged fields are sent again.
    async data(request, context) {
      const { data } = await (await context.api()).call(readRequest('get', request));
      return { ...(isObject(data) ? data : {}), ...(isObject(request.data) ? request.data : {}) };
    },
    examples: {
      'telctl comments update 0 --user alice --content "Is back"': 'Change the text of the oldest comment',
    },
  },
  {
    path: ['comments', 'remove'],
    summary: 'Remove a comment; later comments are renumbered',
    arguments: { place },
    options: ownerOptions,
    given: ownerCases('delete', 'Removed comment {place} on', 'Remove comment {place} on'),
    examples: { 'telctl comments remove 0 --user alice --yes': 'Remove it without a question' },
  },
  {
    path: ['comments', 'clear'],
    summary: 'Remove all comments on a user or a device',
    options: ownerOptions,
    given: ownerCases('clear', 'Removed all comments on', 'Remove all comments on'),
    examples: { 'telctl comments clear --device Desk --yes': 'Remove them without a question' },
  },
];

export const commentsCommands: readonly Command[] = calls.map(callCommand);
