import { isObject, type Json, type JsonObject, objectsIn, valueAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import type { Api, Call } from '../../../client/api/api.ts';
import { comments } from '../../../contract/resources/comments.ts';
import type { Command } from '../../command/command.ts';
import {
  type CallFacts,
  type Case,
  callCommand,
  ownerOptions,
  type Request,
} from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const place = {
  name: 'PLACE',
  doc: 'Its place among them: 0 is the oldest',
  into: { path: 'comment_id' },
  as: 'integer',
} as const;
const content = { flag: 'content', value: 'TEXT', doc: 'What it says', into: { data: 'content' } } as const;
const others = {
  author: {
    value: 'TEXT',
    doc: 'Who says it: by default you, or the account of the API key',
    into: { data: 'author' },
  },
  actionRequired: { doc: 'Somebody has to do something', into: { data: 'action_required' } },
  private: { doc: 'Only for the operator', into: { data: 'is_private' } },
} as const;

const operationOf = (verb: string, of: string) =>
  operationFor(comments, `${verb}-${verb === 'add' ? 'to' : 'of'}-${of}`);

/** The same verb for a user and for a device; sentences end with whose comments they are. */
const given = (verb: string, says = '', asks?: string): readonly Case[] =>
  ['user', 'device'].map((of) => ({
    when: { [of]: true },
    operation: operationOf(verb, of),
    says: `${says} ${of} {${of}}.`,
    ...(asks === undefined ? {} : { asks: `${asks} ${of} {${of}}?` }),
  }));

const reading = (verb: string, { path }: Request): Call => ({
  operation: operationOf(verb, path.user_id === undefined ? 'device' : 'user'),
  path,
});

/** Looks for a comment that was added, by its words and its time. */
async function added(api: Api, request: Request): Promise<Json | undefined> {
  const { data } = request;
  const [sent] = objectsIn(valueAt(data ?? null, 'comments'));
  const isIt = ({ content, timestamp }: JsonObject): boolean =>
    content === sent?.content && timestamp === sent?.timestamp;
  for await (const page of api.pages(reading('list', request))) if (page.some(isIt)) return page.find(isIt);
  return undefined;
}

const calls: readonly CallFacts[] = [
  {
    path: ['comments', 'list'],
    summary: 'List the comments on a user or a device',
    options: ownerOptions,
    given: given('list'),
    examples: { 'telctl comments list --user alice': 'The oldest first' },
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
    given: given('get'),
    examples: { 'telctl comments get 0 --user alice': 'The oldest one' },
    shows: 'comments',
    gives: { resource: 'comments', item: (comment, { place = '' }) => ({ id: String(place), ...comment }) },
  },
  {
    path: ['comments', 'add'],
    summary: 'Add a comment to a user or a device',
    options: { ...ownerOptions, content: { ...content, required: true }, ...others },
    given: given('add', 'Added a comment to'),
    // In the name of whoever is signed in.
    async data({ data }, context) {
      const { username, accountName } = (await context.session()).profile;
      const timestamp = Math.floor(context.host.clock.now() / 1000) + gregorianOffset;
      const author = username ?? accountName ?? 'telctl';
      return { comments: [{ author, timestamp, ...(isObject(data) ? data : {}) }] };
    },
    lookUp: added,
    examples: { 'telctl comments add --user alice --content "On leave"': 'As whoever is signed in' },
  },
  {
    path: ['comments', 'update'],
    summary: 'Change a comment on a user or a device',
    arguments: { place },
    options: { ...ownerOptions, content, ...others },
    anyOf: [['content', 'author', 'action-required', 'private']],
    given: given('update', 'Changed comment {place} on'),
    // The service replaces it: what is not given stays.
    async data(request, context) {
      const { data } = await (await context.api()).call(reading('get', request));
      return { ...(isObject(data) ? data : {}), ...(isObject(request.data) ? request.data : {}) };
    },
    examples: { 'telctl comments update 0 --user alice --content "Is back"': 'Other words' },
  },
  {
    path: ['comments', 'remove'],
    summary: 'Remove a comment; those after it move up a place',
    arguments: { place },
    options: ownerOptions,
    given: given('delete', 'Removed comment {place} on', 'Remove comment {place} on'),
    examples: { 'telctl comments remove 0 --user alice --yes': 'Without being asked' },
  },
  {
    path: ['comments', 'clear'],
    summary: 'Remove all comments on a user or a device',
    options: ownerOptions,
    given: given('clear', 'Removed all comments on', 'Remove all comments on'),
    examples: { 'telctl comments clear --device Desk --yes': 'Without being asked' },
  },
];

export const commentsCommands: readonly Command[] = calls.map(callCommand);
