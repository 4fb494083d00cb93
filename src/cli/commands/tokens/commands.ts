import { type Command, defineCommand } from '../../command/command.ts';

export const infoOptions = {
  tokenStdin: { flag: 'token-stdin', doc: 'Look at another token, read from standard input' },
  offline: { flag: 'offline', doc: "Read it here, and check it against the service's public key" },
  keyFile: {
    flag: 'key-file',
    value: 'FILE',
    doc: 'With --offline: check against this PEM file, and ask the service for nothing',
    completes: 'file',
  },
} as const;

export const revokeOptions = {
  scope: {
    flag: 'scope',
    value: 'SCOPE',
    choices: ['user', 'account', 'system'],
    required: true,
    doc: 'Whose tokens end',
  },
  user: {
    flag: 'user',
    value: 'ID',
    doc: 'User whose tokens end, with --scope user; left out: yourself',
    completes: { resource: 'users' },
  },
  everyone: {
    flag: 'everyone',
    doc: 'With --scope account: those of every user of the account as well, and prove it',
  },
  confirm: {
    flag: 'confirm',
    value: 'NAME',
    doc: 'Answers the question: the name of the user or account, or the host of the service',
  },
} as const;

const show = defineCommand({
  path: ['tokens', 'show'],
  summary: 'Print the token, for other programs',
  arguments: {},
  options: {},
  does: ['shows-secrets'],
  effect: 'read',
  examples: [
    {
      line: 'curl -H "X-Auth-Token: $(telctl tokens show)" https://api.example/v2/auth/keys',
      doc: 'A request by hand',
    },
  ],
  operations: ['tokens.refresh'],
  load: async () => (await import('./show.ts')).showToken,
});

const info = defineCommand({
  path: ['tokens', 'info'],
  summary: 'Show what a token says: user, account, reseller',
  arguments: {},
  options: infoOptions,
  effect: 'read',
  examples: [
    { line: 'telctl tokens info', doc: 'Your own' },
    { line: 'telctl tokens info --token-stdin < token.txt', doc: 'Another one' },
    { line: 'telctl tokens info --offline', doc: 'Claims, signature and end, found out on this machine' },
  ],
  operations: ['tokens.info', 'keys.get', 'keys.list'],
  load: async () => (await import('./show.ts')).showTokenInformation,
});

const refresh = defineCommand({
  path: ['tokens', 'refresh'],
  summary: 'Exchange the token for a new one now',
  arguments: {},
  options: {},
  does: ['shows-secrets'],
  effect: 'read',
  examples: [{ line: 'telctl tokens refresh', doc: 'Before a long run' }],
  operations: ['tokens.refresh'],
  load: async () => (await import('./show.ts')).refreshNow,
});

const revokeAll = defineCommand({
  path: ['tokens', 'revoke-all'],
  summary: 'End the tokens of a user, an account or the whole service',
  description:
    'Resets the secret that signs the tokens. With --scope account this ends the tokens that were got with the API key of the account; its users stay signed in, since their tokens depend on secrets of their own. --everyone resets those as well, then tries a token from before, which must be refused. The name of what is hit must be typed, or given with --confirm; --yes answers for a user and an account, never for the whole service.',
  arguments: {},
  options: revokeOptions,
  effect: 'destructive',
  examples: [
    { line: 'telctl tokens revoke-all --scope user --user alice', doc: 'Sign alice out everywhere' },
    {
      line: 'telctl tokens revoke-all --scope account --everyone --yes',
      doc: 'End every token of the account, and prove it',
    },
    {
      line: 'telctl tokens revoke-all --scope system --confirm api.example',
      doc: 'Sign everybody out, as the super administrator',
    },
  ],
  operations: [
    'tokens.reset-user-secret',
    'tokens.reset-account-secret',
    'tokens.reset-system-secret',
    'tokens.refresh',
    'users.list',
    'accounts.api-key',
  ],
  load: async () => (await import('./revoke-all.ts')).revokeAll,
});

export const tokensCommands: readonly Command[] = [show, info, refresh, revokeAll];
