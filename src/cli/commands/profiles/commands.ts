import { logBounds } from '../../../client/session/settings.ts';
import { type Command, defineCommand } from '../../command/command.ts';

const name = { name: 'NAME', doc: 'Its name', completes: 'profile' } as const;

export const profileArguments = { name } as const;
export const optionalProfile = {
  name: { ...name, doc: 'Name of the profile (default: the one in use)', optional: true },
} as const;

/** Account, output, CA file and country are global options. */
export const setOptions = {
  protect: {
    value: 'HOW',
    choices: ['confirm', 'read-only', 'none'],
    doc: 'Ask before every change, refuse every change, or do neither',
  },
  prefix: { value: 'PREFIX', choices: ['/v2', 'none'], doc: 'Prefix of account paths, /v2 or none' },
  logDays: {
    value: 'DAYS',
    type: 'integer',
    minimum: logBounds.least,
    maximum: logBounds.most,
    doc: 'Days to keep runs in the log (default: 90)',
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
    examples: { 'telctl profiles list': 'List profiles, with a mark at the one in use' },
    load: async () => (await import('./profiles.ts')).listProfiles,
  }),
  defineCommand({
    path: ['profiles', 'show'],
    summary: 'Show a profile, and where its secrets are stored',
    arguments: optionalProfile,
    effect: 'local',
    examples: { 'telctl profiles show prod': 'Show service, account, protection and secrets' },
    load: async () => (await import('./profiles.ts')).showProfile,
  }),
  defineCommand({
    path: ['profiles', 'use'],
    summary: 'Use a profile by default',
    arguments: profileArguments,
    effect: 'local',
    examples: { 'telctl profiles use prod': 'Use prod for later commands' },
    load: async () => (await import('./profiles.ts')).useProfile,
  }),
  defineCommand({
    path: ['profiles', 'set'],
    summary: 'Change the settings of a profile',
    description:
      'Sets the protection, the path prefix, and the days to keep runs in the log. The global options --account, --output, --ca-file, --client-cert and --client-key set the account to act on, the output format, trusted certificates and the client certificate.',
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
    examples: { 'telctl profiles delete old': 'Delete a profile after a question' },
    load: async () => (await import('./profiles.ts')).removeProfile,
  }),
];

export const logoutCommands: readonly Command[] = [
  defineCommand({
    path: ['logout'],
    summary: 'Forget the token and the API key of a profile',
    description:
      'Removes the stored token and API key from this machine. Sends no requests, so it also works offline and with an expired token. A copied token stays valid until it expires or `telctl tokens revoke-all` ends it.',
    does: ['sign-in'],
    effect: 'local',
    examples: { 'telctl logout --profile prod': 'Forget the secrets of prod' },
    load: async () => (await import('./profiles.ts')).logout,
  }),
];
