import { Failure } from '../../base/failure.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { type Command, defineCommand, type InputOf, type ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { conferences } from '../../contract/resources/conferences.ts';
import { participants } from '../../contract/resources/participants.ts';
import { act } from '../act.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';
import { asRecord, findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { readBody } from '../generic/input.ts';
import { bodyOptions } from '../generic/input-options.ts';
import { flattened } from '../generic/list.ts';

const conference = {
  name: 'CONFERENCE',
  doc: alternatives(conferences.naturalKeys),
  completes: { resource: 'conferences' },
} as const;

const conferenceArguments = { conference } as const;
/** Arguments that name one of its participants. */
const participantArguments = {
  conference,
  participant: { name: 'PARTICIPANT', doc: 'Number of the participant' },
} as const;

const list = defineCommand({
  path: ['conferences', 'participants', 'list'],
  summary: 'List who is in a conference',
  arguments: conferenceArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl conferences participants list Sales', doc: 'Who hears and who is heard' }],
  operations: ['participants.list'],
  load: async () => listParticipants,
});

const get = defineCommand({
  path: ['conferences', 'participants', 'get'],
  summary: 'Show one participant',
  arguments: participantArguments,
  options: {},
  effect: 'read',
  examples: [
    { line: 'telctl conferences participants get Sales 3', doc: 'Everything about one participant' },
  ],
  operations: ['participants.get'],
  load: async () => getParticipant,
});

const update: Command = {
  path: ['conferences', 'participants', 'update'],
  summary: 'Mute, unmute, deafen, undeafen or remove a participant, or play something',
  description: 'The body may be any object: give it by -f or --set where the service knows other actions.',
  arguments: participantArguments,
  get options() {
    return {
      action: { flag: 'action', value: 'mute|unmute|deaf|undeaf|kick|play', doc: 'What to do' },
      mediaId: { flag: 'media-id', value: 'ID', doc: 'With --action play: what to play' },
      ...bodyOptions(participants, operationFor(participants, 'update')),
    };
  },
  effect: 'write',
  examples: [
    { line: 'telctl conferences participants update Sales 3 --action mute', doc: 'No longer be heard' },
    { line: 'telctl conferences participants update Sales 3 -f body.yaml', doc: 'A body of your own' },
  ],
  operations: ['participants.update'],
  load: async () => updateParticipant,
};

export const conferencesCommands: readonly Command[] = [
  ...genericCommands(conferences, ['conferences']),
  list,
  get,
  update,
];

const operation = operationFor(participants, 'update');

/**
 * Does something to a participant. The specification answers with the conference, compatible services with a word;
 * either is shown to scripts as it came.
 */
async function updateParticipant(input: ParsedInput, context: Context): Promise<Result> {
  const { action, conference, files, mediaId, participant } = input;
  const given = await readBody(context, participants, operation, input);
  const data = withAction(given, action, mediaId);
  // An empty body is what the specification shows of this operation; it is sent where a file says so.
  const isWritten = Array.isArray(files) && files.length > 0;
  if (Object.keys(data).length === 0 && !isWritten)
    throw new Failure('usage', 'No action was given.', {
      hint: 'Give --action mute, unmute, deaf, undeaf, kick or play, or a body by -f FILE.',
    });
  const path = await participantPath(context, String(conference), String(participant));
  const what = typeof data.action === 'string' ? `action ${data.action}` : 'the body';
  return act(context, {
    call: { operation, path, data },
    message: () => `Sent ${what} to participant ${participant} of conference ${conference}.`,
    resource: 'conferences',
  });
}

/** The body with the action, whose parameters stand in a `data` of their own (Conventions, Conferences). */
function withAction(
  given: JsonObject,
  action: ParsedInput[string],
  mediaId: ParsedInput[string],
): JsonObject {
  const media = typeof mediaId === 'string' ? { media_id: mediaId } : undefined;
  const parameters = isObject(given.data) ? given.data : {};
  return {
    ...given,
    ...(typeof action === 'string' ? { action } : {}),
    ...(media ? { data: { ...parameters, ...media } } : {}),
  };
}

async function listParticipants(
  { conference }: InputOf<Record<never, never>, typeof conferenceArguments>,
  context: Context,
): Promise<ListResult> {
  const { id } = await findNamed(context, conferences, conference);
  const operation = operationFor(participants, 'list');
  const pages = (await context.api()).pages({ operation, path: pathTo(conferences, id) });
  return { kind: 'list', items: flattened(pages), resource: 'participants', noun: 'participants' };
}

async function getParticipant(
  { conference, participant }: InputOf<Record<never, never>, typeof participantArguments>,
  context: Context,
): Promise<Result> {
  const path = await participantPath(context, conference, participant);
  const { data } = await (await context.api()).call({ operation: operationFor(participants, 'get'), path });
  const value = asRecord(participants, data);
  // Some services answer for whoever is not there with nothing in it.
  if (Object.keys(value).length === 0)
    throw new Failure('not_found', `There is no participant ${JSON.stringify(participant)}.`);
  return { kind: 'item', value, resource: 'participants' };
}

async function participantPath(
  context: Context,
  conference: string,
  participant: string,
): Promise<Readonly<Record<string, string>>> {
  const { id } = await findNamed(context, participants, participant);
  return {
    ...pathTo(conferences, (await findNamed(context, conferences, conference)).id),
    ...pathTo(participants, id),
  };
}
