import { type Command, defineCommand } from '../../cli/command.ts';

/** Options of `login`. The profile, the address and plain http are global options. */
export const loginOptions = {
  username: { flag: 'username', value: 'NAME', doc: 'User to sign in as' },
  passwordStdin: { flag: 'password-stdin', doc: 'Read the password from standard input' },
  passwordFile: {
    flag: 'password-file',
    value: 'FILE',
    doc: 'Read the password from a file',
    completes: 'file',
  },
  accountName: { flag: 'account-name', value: 'NAME', doc: "The user's account, by name" },
  accountRealm: { flag: 'account-realm', value: 'REALM', doc: "The user's account, by realm" },
  phoneNumber: { flag: 'phone-number', value: 'NUMBER', doc: "The user's account, by one of its numbers" },
  method: {
    flag: 'method',
    value: 'DIGEST',
    choices: ['md5', 'sha'],
    doc: 'How the password is hashed on its way; md5 where left out',
  },
  apiKeyStdin: { flag: 'api-key-stdin', doc: "Sign in with the account's API key, from standard input" },
  apiKeyFile: {
    flag: 'api-key-file',
    value: 'FILE',
    doc: "Sign in with the account's API key, from a file",
    completes: 'file',
  },
  basic: { flag: 'basic', doc: 'Sign in by HTTP Basic, for services that offer nothing else' },
  keyring: { flag: 'keyring', doc: "Keep the API key in the operating system's keyring, not in a file" },
  prefix: {
    flag: 'prefix',
    value: 'PREFIX',
    choices: ['/v2', 'none'],
    doc: 'What stands before account paths; found out where left out',
  },
} as const;

const login = defineCommand({
  path: ['login'],
  summary: 'Sign in to a service and remember it as a profile',
  description:
    'Signs in as a user, with an API key, or by HTTP Basic, and remembers service, account and token. An API key is stored and renews the token by itself; a password never is, so that it is asked for again when the token cannot be refreshed any more.',
  arguments: {},
  options: loginOptions,
  effect: 'local',
  examples: [
    {
      line: 'telctl login --base-url https://api.example --username admin --account-name acme',
      doc: 'Asks for the password',
    },
    {
      line: 'telctl login --profile prod --base-url https://api.example --api-key-stdin < key.txt',
      doc: 'With an API key, as the profile prod',
    },
  ],
  operations: ['tokens.user-auth', 'tokens.api-auth', 'tokens.refresh'],
  load: async () => (await import('./login.ts')).login,
});

/** `telctl login`. */
export const loginCommands: readonly Command[] = [login];
