import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { conferences } from '../../../contract/resources/conferences.ts';
import { participants } from '../../../contract/resources/participants.ts';
import type { Command, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { act } from '../act.ts';
import { callCommand } from '../call-command.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { readBody } from '../generic/input.ts';
import { bodyOptions } from '../generic/input-options.ts';

const conference = {
  name: 'CONFERENCE',
  doc: alternatives(conferences.naturalKeys),
  completes: { resource: 'conferences' },
} as const;

/** Arguments that name one of its participants. */
const participantArguments = {
  conference,
  participant: { name: 'PARTICIPANT', doc: 'Number of the participant' },
} as const;

const list = callCommand({
  path: ['conferences', 'participants', 'list'],
  summary: 'List who is in a conference',
  operation: operationFor(participants, 'list'),
  arguments: { conference },
  examples: [{ line: 'telctl conferences participants list Sales', doc: 'Who hears and who is heard' }],
  gives: { resource: 'participants', noun: 'participants', rows: 'pages' },
});

const get = callCommand({
  path: ['conferences', 'participants', 'get'],
  summary: 'Show one participant',
  operation: operationFor(participants, 'get'),
  arguments: participantArguments,
  examples: [
    { line: 'telctl conferences participants get Sales 3', doc: 'Everything about one participant' },
  ],
  gives: {
    resource: 'participants',
    item(record, { participant }) {
      // Some services answer for whoever is not there with nothing in it.
      if (Object.keys(record).length > 0) return record;
      throw new Failure('not_found', `There is no participant ${JSON.stringify(participant)}.`);
    },
  },
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
