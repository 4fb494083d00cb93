import { flag, freeObject, integer, openObject, text } from '../fields.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/conferences/{conference_id}/participants';
const made = { source: 'convention', readOnly: true } as const;

const change = openObject(
  {
    action: text('What to do', {
      source: 'convention',
      convention: { enum: ['mute', 'unmute', 'deaf', 'undeaf', 'kick', 'play'] },
    }),
    data: freeObject('Parameters of the action', { source: 'convention' }),
  },
  'A change of a participant',
);

/** Those who are in a running conference. Their fields are the convention; the specification shows none. */
export const participants = resource({
  name: 'participants',
  singular: 'participant',
  summary: 'Those who are in a running conference',
  order: 90,
  section: 'Endpoints, Account resources',
  listedIn: 'Endpoints, Account resources',
  doc: 'A participant',
  fields: () => ({
    id: shared.id,
    participant_id: integer('Number of the participant', made),
    call_id: text('Call', made),
    conference_name: text('Conference', made),
    conference_uuid: text('Run of the conference', made),
    current_energy: integer('How loud now', made),
    duration: integer('Seconds in the conference', { ...made, shownAs: 'seconds' }),
    energy_level: integer('Level that counts as speech', made),
    floor: flag('Has the floor', made),
    hear: flag('Hears the others', made),
    is_moderator: flag('Is a moderator', made),
    join_time: integer('When they joined, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    mute_detect: flag('Speech is noticed while muted', made),
    speak: flag('Is heard', made),
    switch_hostname: text('Server', made),
    talking: flag('Is talking', made),
    video: flag('With video', made),
  }),
  columns: [
    { header: 'PARTICIPANT', paths: ['participant_id'] },
    { header: 'CALL', paths: ['call_id'] },
    { header: 'MODERATOR', paths: ['is_moderator'], show: 'flag' },
    { header: 'HEARS', paths: ['hear'], show: 'flag' },
    { header: 'HEARD', paths: ['speak'], show: 'flag' },
    { header: 'LENGTH', paths: ['duration'] },
  ],
  commandWords: ['conferences', 'participants'],
  absent: {
    manifests: 'Who is in a conference now is no setting',
    page: 'Nobody stays in a conference of the sandbox',
    trial: 'nobody is in a conference of a new account',
  },
  operations: [
    {
      list: { route: `GET ${path}`, reply: { kind: 'list' }, summary: 'List who is in a conference' },
      get: { route: `GET ${path}/{participant_id}`, summary: 'Show one participant' },
      update: {
        route: `PUT ${path}/{participant_id}`,
        source: 'specification',
        body: { kind: 'value', schema: change },
        reply: { kind: 'record', resource: 'conferences', orOther: true },
        summary: 'Mute, unmute, deafen, undeafen or remove a participant, or play something',
      },
      'update-all': {
        route: `PUT ${path}`,
        section: 'Conventions, Conferences',
        body: { kind: 'value', schema: change },
        reply: { kind: 'record', resource: 'conferences', orOther: true },
        summary: 'Mute, unmute, deafen, undeafen or remove everybody in a conference',
      },
    },
  ],
});
