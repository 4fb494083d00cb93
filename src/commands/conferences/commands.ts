import { type Command, defineCommand } from '../../command/command.ts';
import { conferences } from '../../contract/resources/conferences.ts';
import { participants } from '../../contract/resources/participants.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-record.ts';
import { bodyOptions } from '../generic/input-options.ts';

const conference = {
  name: 'CONFERENCE',
  doc: alternatives(conferences.naturalKeys),
  completes: { resource: 'conferences' },
} as const;

/** Arguments that name a conference. */
export const conferenceArguments = { conference } as const;
/** Arguments that name one of its participants. */
export const participantArguments = {
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
  load: async () => (await import('./participants.ts')).listParticipants,
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
  load: async () => (await import('./participants.ts')).getParticipant,
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
    { line: 'telctl conferences participants update Sales 3 --action mute', doc: 'Be no longer heard' },
    { line: 'telctl conferences participants update Sales 3 -f body.yaml', doc: 'A body of your own' },
  ],
  operations: ['participants.update'],
  load: async () => (await import('./participants.ts')).updateParticipant,
};

/** Everything under `telctl conferences`. */
export const conferencesCommands: readonly Command[] = [
  ...genericCommands(conferences, ['conferences']),
  list,
  get,
  update,
];
