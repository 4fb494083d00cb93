import { logBounds } from '../../../client/session/settings.ts';
import { type Command, defineCommand } from '../../command/command.ts';

const name = { name: 'NAME', doc: 'Its name', completes: 'profile' } as const;

export const profileArguments = { name } as const;
export const optionalProfile = {
  name: { ...name, doc: 'Its name; left out: the one in use', optional: true },
} as const;

/** Options of `profiles set`; account, output, CA file and country are global options. */
export const setOptions = {
  protect: {
    value: 'HOW',
    choices: ['confirm', 'read-only', 'none'],
    doc: 'Ask before every change, refuse every change, or neither',
  },
  prefix: { value: 'PREFIX', choices: ['/v2', 'none'], doc: 'Prefix of account paths, /v2 or none' },
  logDays: {
    value: 'DAYS',
    type: 'integer',
    minimum: logBounds.least,
    maximum: logBounds.most,
    doc: 'Days that runs stay in the log, 90 where nothing is set',
  },
  unset: {
    value: 'SETTING',
    choices: ['account', 'output', 'ca-file', 'client-cert', 'log-days', 'country'],
    repeat: true,
    doc: 'Forget a setting of the profile',
  },
} as const;

export const profilesCommands: readonly Command[] = [
  defineCommand({
    path: ['profiles', 'list'],
    summary: 'List the profiles on this machine',
    effect: 'local',
    examples: { 'telctl profiles list': 'All profiles; the one in use is marked' },
    load: async () => (await import('./profiles.ts')).listProfiles,
  }),
  defineCommand({
    path: ['profiles', 'show'],
    summary: 'Show a profile, and where its secrets lie',
    arguments: optionalProfile,
    effect: 'local',
    examples: { 'telctl profiles show prod': 'Service, account, protection, secrets' },
    load: async () => (await import('./profiles.ts')).showProfile,
  }),
  defineCommand({
    path: ['profiles', 'use'],
    summary: 'Use a profile where none is named',
    arguments: profileArguments,
    effect: 'local',
    examples: { 'telctl profiles use prod': 'From now on' },
    load: async () => (await import('./profiles.ts')).useProfile,
  }),
  defineCommand({
    path: ['profiles', 'set'],
    summary: 'Change what a profile does',
    description:
      'Sets the protection and the path prefix of a profile, the days that runs stay in the log, and, from the global options --account, --output, --ca-file, --client-cert and --client-key, the account to act on, the output format, the certificates to trust and the one to show.',
    arguments: profileArguments,
    options: setOptions,
    relations: { 'client-key': { needs: ['client-cert'] } },
    account: true,
    effect: 'local',
    examples: {
      'telctl profiles set prod --protect confirm': 'Ask before every change',
      'telctl profiles set prod --account branch --unset output': 'Act on another account',
    },
    load: async () => (await import('./profiles.ts')).setProfile,
  }),
  defineCommand({
    path: ['profiles', 'delete'],
    summary: 'Forget a profile with its token and API key',
    arguments: profileArguments,
    does: ['sign-in'],
    effect: 'local',
    examples: { 'telctl profiles delete old': 'Asks first' },
    load: async () => (await import('./profiles.ts')).removeProfile,
  }),
];

export const logoutCommands: readonly Command[] = [
  defineCommand({
    path: ['logout'],
    summary: 'Forget the token and the API key of a profile',
    description:
      'Removes what could sign in from this machine. Nothing is sent, so it works without a network and with a dead token; a token that was copied elsewhere lives on until it ends or `telctl tokens revoke-all` ends it.',
    does: ['sign-in'],
    effect: 'local',
    examples: { 'telctl logout --profile prod': 'Forget the secrets of prod' },
    load: async () => (await import('./profiles.ts')).logout,
  }),
];
