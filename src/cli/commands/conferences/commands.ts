import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { conferences, participants } from '../../../contract/resources/conferences.ts';
import type { Command, ParsedInput } from '../../command/command.ts';
import { argumentFor, genericCommands } from '../generic/commands.ts';
import { callCommand, type Request } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const conference = argumentFor(conferences, 'CONFERENCE');

const participantArguments = {
  conference,
  participant: { name: 'PARTICIPANT', doc: 'Number of the participant' },
} as const;

/** Builds a body with the parameters of an action in a nested `data` (Conventions, Conferences). */
function actionBody({ data: given }: Request, { action, files, mediaId }: ParsedInput): JsonObject {
  const body = isObject(given) ? given : {};
  const parameters = isObject(body.data) ? body.data : {};
  const data = {
    ...body,
    ...(typeof action === 'string' ? { action } : {}),
    ...(typeof mediaId === 'string' ? { data: { ...parameters, media_id: mediaId } } : {}),
  };
  // The specification shows an empty body for this operation, so a file may contain one.
  const isWritten = Array.isArray(files) && files.length > 0;
  if (Object.keys(data).length > 0 || isWritten) return data;
  throw new Failure('usage', 'No action was given.', {
    hint: 'Give --action mute, unmute, deaf, undeaf, kick or play, or a body by -f FILE.',
  });
}

export const conferencesCommands: readonly Command[] = [
  ...genericCommands(conferences, ['conferences']),
  callCommand({
    path: ['conferences', 'participants', 'list'],
    operation: operationFor(participants, 'list'),
    arguments: { conference },
    examples: { 'telctl conferences participants list Sales': 'Show who is muted or deaf' },
    gives: { resource: 'participants', noun: 'participants', rows: 'pages' },
  }),
  callCommand({
    path: ['conferences', 'participants', 'get'],
    operation: operationFor(participants, 'get'),
    arguments: participantArguments,
    examples: { 'telctl conferences participants get Sales 3': 'Show all fields of one participant' },
    gives: {
      resource: 'participants',
      item(record, { participant }) {
        // Some services return an empty record for an unknown participant.
        if (Object.keys(record).length > 0) return record;
        throw new Failure('not_found', `There is no participant ${JSON.stringify(participant)}.`);
      },
    },
  }),
  callCommand({
    path: ['conferences', 'participants', 'update'],
    description: 'If the service supports other actions, pass the body with -f or --set.',
    operation: operationFor(participants, 'update'),
    arguments: participantArguments,
    options: {
      action: { value: 'mute|unmute|deaf|undeaf|kick|play', doc: 'What to do', into: 'nowhere' },
      mediaId: { value: 'ID', doc: 'Media to play with --action play', into: 'nowhere' },
    },
    body: participants,
    data: async (request, _, input) => actionBody(request, input),
    examples: {
      'telctl conferences participants update Sales 3 --action mute': 'Mute the participant',
      'telctl conferences participants update Sales 3 -f body.yaml': 'Send a custom body',
    },
    says: (_, { conference, participant }, { data }) =>
      `Sent ${isObject(data) && typeof data.action === 'string' ? `action ${data.action}` : 'the body'} to participant ${participant} of conference ${conference}.`,
  }),
];
