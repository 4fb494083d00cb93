import { anything, flag, freeObject, integer, list, object, openObject, text } from '../fields.ts';
import { collection, listOperation, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
const digits = (doc: string) => text(doc, { convention: { pattern: '^[0-9]+$' } });
const dialled = { dialled: 'extension' } as const;
const tone = { convention: { alsoType: ['string'] } } as const;

/** Settings of members or moderators. */
const role = (doc: string, joinMuted: boolean) =>
  openObject(
    {
      join_deaf: flag('Join without hearing', { ...ours, convention: { default: false } }),
      join_muted: flag('Join muted', { ...ours, convention: { default: joinMuted } }),
      numbers: list(digits('A number'), 'Numbers to dial', {
        ...ours,
        ...dialled,
        convention: { uniqueItems: true },
      }),
      pins: list(digits('A PIN'), 'PINs; callers enter one of them', { ...ours, secret: true }),
      play_entry_prompt: flag('Announce participants who join', ours),
    },
    doc,
  );

/** Names contain hyphens. */
const profile = object(
  {
    'alone-sound': text('Media played to a single participant'),
    'announce-count': integer('Announce the number of participants from this count on'),
    'caller-controls': text('Keys for members'),
    'comfort-noise': integer('Level of comfort noise', { convention: { minimum: 0, maximum: 10_000 } }),
    'energy-level': integer('Audio level that counts as speech', {
      convention: { minimum: 0, maximum: 1800 },
    }),
    'enter-sound': text('Media played when a participant joins'),
    'exit-sound': text('Media played when a participant leaves'),
    interval: integer('Milliseconds per frame', { convention: { minimum: 10, maximum: 120 } }),
    'locked-sound': text('Media played when the conference is locked'),
    'max-members': integer('Most members', { convention: { minimum: 2 } }),
    'max-members-sound': text('Media played when the conference is full'),
    'moderator-controls': text('Keys for moderators'),
    'moh-sound': text('Music on hold'),
    'muted-sound': text('Media played on mute'),
    rate: integer('Sample rate in hertz', {
      convention: { enum: [8000, 12_000, 16_000, 24_000, 32_000, 44_100, 48_000] },
    }),
    'unmuted-sound': text('Media played on unmute'),
  },
  'Profile of the conference bridge',
);

const path = '/accounts/{account_id}/conferences';

export const conferences = resource({
  name: 'conferences',
  singular: 'conference',
  summary: 'Conference rooms: numbers, PINs, tones',
  order: 80,
  takesOwnId: true,
  naturalKeys: ['name', 'conference_numbers'],
  pricedAs: { category: 'conferences', item: 'conference' },
  section: 'Resources and their fields, Conference',
  listedIn: 'Endpoints, Account resources',
  doc: 'A conference',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    bridge_password: text('Password of the conference bridge', { secret: true }),
    bridge_username: text('User of the conference bridge'),
    caller_controls: text('Keys for members'),
    conference_numbers: list(anything({ type: 'string', pattern: '^[0-9]+$' }), 'Numbers to dial', {
      ...dialled,
      convention: { uniqueItems: true },
    }),
    controls: freeObject('Action of each key, by the names of the controls'),
    domain: text('Domain'),
    flags: shared.flagWords,
    focus: text('Server that hosts the conference'),
    language: text('Language of the prompts', { option: true, names: 'language' }),
    max_members_media: text('Media played when the conference is full'),
    max_participants: integer('Maximum number of participants', { option: true, convention: { minimum: 1 } }),
    member: role('Settings for members', true),
    moderator: role('Settings for moderators', false),
    moderator_controls: text('Keys for moderators'),
    owner_id: text('User who owns it', { option: true, ref: 'users', minLength: 32, maxLength: 32 }),
    play_entry_tone: flag('Play a tone when a participant joins', tone),
    play_exit_tone: flag('Play a tone when a participant leaves', tone),
    play_name: flag('Announce names', { convention: { default: false } }),
    play_welcome: flag('Welcome callers'),
    profile,
    profile_name: text('Name of a profile of the service'),
    require_moderator: flag('Require a moderator', { option: true }),
    wait_for_moderator: flag('Hold members until a moderator joins', { option: true }),
    ui_flags: freeObject('Flags of user interfaces', ours),
  }),
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  unique: [
    { field: 'conference_numbers', within: 'account', pool: 'numbers' },
    { field: 'member.numbers', within: 'account', pool: 'numbers' },
    { field: 'moderator.numbers', within: 'account', pool: 'numbers' },
  ],
  lines: [
    {
      flag: 'numbers',
      value: 'NUMBER,NUMBER',
      fields: ['conference_numbers'],
      doc: 'Numbers to dial: 3001,3002',
    },
  ],
  columns: ['name', { header: 'NUMBERS', paths: ['conference_numbers'], show: 'list' }, 'owner_id', 'id'],
  sections: [{ order: 120 }],
  listFields: ['name', 'owner_id', 'member', 'moderator', 'ui_flags', 'conference_numbers', 'flags'],
  operations: [
    collection({ documented: ['patch'] }),
    {
      act: {
        route: `PUT ${path}/{conference_id}`,
        section: 'Conventions, Conferences',
        body: value(
          openObject(
            {
              action: text('What to do', {
                convention: { enum: ['lock', 'unlock', 'play', 'record', 'dial'] },
              }),
              data: freeObject('Parameters of the action'),
            },
            'An action',
          ),
        ),
        reply: { kind: 'record', orOther: true },
        summary: 'Lock or unlock a conference, play media, record it, or dial a participant',
      },
    },
  ],
});

const participantsPath = '/accounts/{account_id}/conferences/{conference_id}/participants';
const made = { ...ours, readOnly: true } as const;

const change = openObject(
  {
    action: text('What to do', {
      ...ours,
      convention: { enum: ['mute', 'unmute', 'deaf', 'undeaf', 'kick', 'play'] },
    }),
    data: freeObject('Parameters of the action', ours),
  },
  'An action on a participant',
);

/** The fields are conventions, because the specification shows none. */
export const participants = resource({
  name: 'participants',
  singular: 'participant',
  summary: 'Participants of a running conference',
  order: 90,
  shownWithoutId: true,
  section: 'Endpoints, Account resources',
  listedIn: 'Endpoints, Account resources',
  doc: 'A participant',
  fields: () => ({
    id: shared.id,
    participant_id: integer('Number of the participant', made),
    call_id: text('Call', made),
    conference_name: text('Conference', made),
    conference_uuid: text('Id of this run of the conference', made),
    current_energy: integer('How loud now', made),
    duration: integer('Seconds in the conference', { ...made, shownAs: 'seconds' }),
    energy_level: integer('Audio level that counts as speech', made),
    floor: flag('Has the floor', made),
    hear: flag('Hears the others', made),
    is_moderator: flag('Is a moderator', made),
    join_time: integer('Join time, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    mute_detect: flag('Detects speech while muted', made),
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
    manifests: 'The current participants are not a setting',
    page: 'Conferences of the sandbox have no participants',
    trial: 'nobody is in a conference of a new account',
  },
  operations: [
    {
      list: listOperation(participantsPath, 'List the participants of a conference'),
      get: { route: `GET ${participantsPath}/{participant_id}`, summary: 'Show one participant' },
      update: {
        route: `PUT ${participantsPath}/{participant_id}`,
        source: 'specification',
        body: value(change),
        reply: { kind: 'record', resource: 'conferences', orOther: true },
        summary: 'Mute, unmute, deafen, undeafen or remove a participant, or play media',
      },
      'update-all': {
        route: `PUT ${participantsPath}`,
        section: 'Conventions, Conferences',
        body: value(change),
        reply: { kind: 'record', resource: 'conferences', orOther: true },
        summary: 'Mute, unmute, deafen, undeafen or remove all participants of a conference',
      },
    },
  ],
});
