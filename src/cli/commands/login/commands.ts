import { type Command, defineCommand } from '../../command/command.ts';

/** Options of `login`. The profile, the address and plain http are global options. */
export const loginOptions = {
  username: { value: 'NAME', doc: 'User to sign in as' },
  passwordStdin: { doc: 'Read the password from standard input', excludes: ['password-file'] },
  passwordFile: { value: 'FILE', doc: 'Read the password from a file' },
  passwordCommand: {
    value: 'COMMAND',
    doc: 'Run a program for the password whenever it is needed; without a shell',
    excludes: ['password-stdin', 'password-file', 'api-key-stdin', 'api-key-file', 'api-key-command'],
  },
  accountName: { value: 'NAME', doc: "The user's account, by name" },
  accountRealm: { value: 'REALM', doc: "The user's account, by realm" },
  phoneNumber: { value: 'NUMBER', doc: "The user's account, by one of its numbers" },
  method: {
    value: 'DIGEST',
    choices: ['md5', 'sha'],
    doc: 'Hash in which the password is sent; md5 by default',
  },
  apiKeyStdin: { doc: "Sign in with the account's API key, from standard input", excludes: ['api-key-file'] },
  apiKeyFile: { value: 'FILE', doc: "Sign in with the account's API key, from a file" },
  apiKeyCommand: {
    value: 'COMMAND',
    doc: "Sign in with the account's API key, and run a program for it whenever it is needed; without a shell",
    excludes: ['password-stdin', 'password-file', 'api-key-stdin', 'api-key-file'],
  },
  basic: { doc: 'Sign in by HTTP Basic, for services that offer nothing else' },
  sso: {
    value: 'PROVIDER',
    doc: 'Sign in at an SSO provider, in the browser',
    excludes: ['api-key-stdin', 'api-key-file', 'keyring', 'basic', 'password-command', 'api-key-command'],
  },
  clientId: {
    value: 'ID',
    doc: 'SSO application to sign in as; by default the last one, or the one that the service names',
    needs: ['sso'],
  },
  discovery: {
    value: 'URL',
    doc: "The provider's OpenID discovery document; found like the application by default",
    needs: ['sso'],
  },
  redirectUri: {
    value: 'URI',
    doc: 'Where the provider sends the browser; a free port of 127.0.0.1 by default',
    needs: ['sso'],
  },
  noBrowser: { doc: 'Print the address to sign in at, and take the code by hand', needs: ['sso'] },
  codeStdin: {
    doc: 'With --no-browser: read the code from standard input',
    excludes: ['password-stdin'],
    needs: ['sso'],
  },
  noPkce: { doc: "For services that do not hand PKCE's verifier on to the provider", needs: ['sso'] },
  idToken: {
    doc: 'With --sso: sign in by the ID token of this job, of GitHub Actions or in TELCTL_ID_TOKEN, without a browser or a stored key',
    excludes: ['discovery', 'redirect-uri', 'no-browser', 'code-stdin', 'no-pkce'],
    needs: ['sso'],
  },
  keyring: {
    doc: "Keep the API key in the operating system's keyring, not in a file",
    excludes: ['password-command', 'api-key-command'],
  },
  prefix: { value: 'PREFIX', choices: ['/v2', 'none'], doc: 'Prefix of account paths; detected by default' },
} as const;

export const loginCommands: readonly Command[] = [
  defineCommand({
    path: ['login'],
    summary: 'Sign in to a service and remember it as a profile',
    description:
      'Signs in as a user, with an API key, at an SSO provider, or by HTTP Basic, and remembers service, account and token. An API key is stored and renews the token by itself; a password never is, so that it is asked for again when the token cannot be refreshed any more. With --api-key-command or --password-command the profile remembers a program that prints the secret, and stores no secret. The first sign-in at a provider needs your own user too, which it is linked to.',
    options: loginOptions,
    account: true,
    does: ['sign-in', 'starts-programs', 'listens'],
    effect: 'local',
    examples: {
      'telctl login --base-url https://api.example --username admin --account-name acme':
        'Asks for the password',
      'telctl login --profile prod --base-url https://api.example --api-key-stdin < key.txt':
        'With an API key, as the profile prod',
      'telctl login --base-url https://api.example --api-key-command "pass show telctl/prod"':
        'With an API key that stays in a password manager',
      'telctl login --base-url https://api.example --sso google --username admin --account-name acme':
        'At a provider, the first time: links the user too',
      'telctl login --base-url https://api.example --sso github --id-token --client-id telctl-ci':
        'In a job, as the user whom its identity is linked to',
      'telctl login --sso google --no-browser': 'With the browser on another machine',
    },
    operations: [
      'tokens.user-auth',
      'tokens.api-auth',
      'tokens.refresh',
      'tokens.callback',
      'tokens.authorize',
      'links.link',
    ],
    load: async () => (await import('./login.ts')).login,
  }),
];
