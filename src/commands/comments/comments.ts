import type { Api, Call } from '../../api/api.ts';
import { Failure } from '../../base/failure.ts';
import { isObject, type JsonObject, textOf } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import type { InputOf, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { comments } from '../../contract/resources/comments.ts';
import { act } from '../act.ts';
import { asRecord, operationFor } from '../generic/find-named.ts';
import { neededOwner, type Owner } from '../owners.ts';
import type { addOptions, ownerOptions, placeArguments, writtenOptions } from './commands.ts';

type Written = InputOf<typeof writtenOptions>;

const callOf = (verb: string, { of, path }: Owner, place?: string): Call => ({
  operation: operationFor(comments, `${verb}-${verb === 'add' ? 'to' : 'of'}-${of}`),
  path: { ...path, ...(place === undefined ? {} : { comment_id: place }) },
});

/** Throws `Failure` of kind `usage` for what is no place. */
function refuseNoPlace(word: string | undefined): void {
  if (word === undefined || /^\d+$/.test(word)) return;
  throw new Failure('usage', `${JSON.stringify(word)} is no place: 0 is the oldest comment.`);
}

/** All comments on something, each with its place. */
async function allOf(api: Api, owner: Owner): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const page of api.pages(callOf('list', owner))) found.push(...page);
  return found.map((comment, place) => ({ id: String(place), ...comment }));
}

/** Lists the comments on a user or a device. */
export async function listComments(
  input: InputOf<typeof ownerOptions>,
  context: Context,
): Promise<ListResult> {
  const owner = await neededOwner(input, context);
  const items = await allOf(await context.api(), owner);
  return { kind: 'list', items, resource: 'comments', noun: 'comments' };
}

/** Shows one comment. */
export async function getComment(
  { place, ...input }: InputOf<typeof ownerOptions, typeof placeArguments>,
  context: Context,
): Promise<Result> {
  refuseNoPlace(place);
  const call = callOf('get', await neededOwner(input, context), place);
  const { data } = await (await context.api()).call(call);
  return { kind: 'item', value: { id: place, ...asRecord(comments, data) }, resource: 'comments' };
}

/** The words of a comment that were given. */
const said = ({ content, author, actionRequired, private: isPrivate }: Written): JsonObject => ({
  ...(author === undefined ? {} : { author }),
  ...(content === undefined ? {} : { content }),
  ...(actionRequired ? { action_required: true } : {}),
  ...(isPrivate ? { is_private: true } : {}),
});

/** Adds a comment in the name of whoever is signed in. */
export async function addComment(input: InputOf<typeof addOptions>, context: Context): Promise<Result> {
  const owner = await neededOwner(input, context);
  const timestamp = Math.floor(context.host.clock.now() / 1000) + gregorianOffset;
  const { username, accountName } = (await context.session()).profile;
  const author = username ?? accountName ?? 'telctl';
  const comment: JsonObject = { author, timestamp, ...said(input) };
  const same = ({ content, timestamp: at }: JsonObject): boolean =>
    content === comment.content && at === timestamp;
  return act(context, {
    call: { ...callOf('add', owner), data: { comments: [comment] } },
    lookUp: async (api) => (await allOf(api, owner)).find(same),
    message: () => `Added a comment to ${owner.label}.`,
    resource: 'comments',
  });
}

/** Changes a comment: what is not given stays. */
export async function updateComment(
  { place, ...input }: InputOf<typeof writtenOptions, typeof placeArguments>,
  context: Context,
): Promise<Result> {
  const change = said(input);
  if (Object.keys(change).length === 0)
    throw new Failure('usage', 'Say what changes: --content, --author, --action-required or --private.');
  refuseNoPlace(place);
  const owner = await neededOwner(input, context);
  const { data } = await (await context.api()).call(callOf('get', owner, place));
  return act(context, {
    call: { ...callOf('update', owner, place), data: { ...(isObject(data) ? data : {}), ...change } },
    message: () => `Changed comment ${place} on ${owner.label}.`,
    resource: 'comments',
  });
}

/** Removes one comment or all, after a question. */
export const removal =
  (verb: 'delete' | 'clear') =>
  async (input: ParsedInput, context: Context): Promise<Result> => {
    refuseNoPlace(textOf(input.place));
    const owner = await neededOwner({ user: textOf(input.user), device: textOf(input.device) }, context);
    const what = verb === 'clear' ? 'all comments' : `comment ${textOf(input.place)}`;
    const call = callOf(verb, owner, textOf(input.place));
    const question = `Remove ${what} on ${owner.label}?`;
    if (!context.options.dryRun && !(await context.ask.confirm(question, { option: '--yes' })))
      throw new Failure('interrupted', 'Nothing was removed.');
    return act(context, { call, message: () => `Removed ${what} on ${owner.label}.` });
  };
