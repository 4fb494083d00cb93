import { type Command, defineCommand } from '../../command/command.ts';

/** The profile, the address and plain http are global options. */
export const loginOptions = {
  username: { value: 'NAME', doc: 'User to sign in as' },
  passwordStdin: { doc: 'Read the password from standard input', excludes: ['password-file'] },
  passwordFile: { value: 'FILE', doc: 'Read the password from a file' },
  passwordCommand: {
    value: 'COMMAND',
    doc: 'Run a program, without a shell, whenever the password is needed',
    excludes: ['password-stdin', 'password-file', 'api-key-stdin', 'api-key-file', 'api-key-command'],
  },
  accountName: { value: 'NAME', doc: "The user's account, by name" },
  accountRealm: { value: 'REALM', doc: "The user's account, by realm" },
  phoneNumber: { value: 'NUMBER', doc: "Name the user's account by one of its numbers" },
  method: {
    value: 'DIGEST',
    choices: ['md5', 'sha'],
    doc: 'Hash of the sent password (default: md5)',
  },
  apiKeyStdin: { doc: "Sign in with the account's API key, from standard input", excludes: ['api-key-file'] },
  apiKeyFile: { value: 'FILE', doc: "Sign in with the account's API key, from a file" },
  apiKeyCommand: {
    value: 'COMMAND',
    doc: "Sign in with the account's API key, and run a program, without a shell, whenever it is needed",
    excludes: ['password-stdin', 'password-file', 'api-key-stdin', 'api-key-file'],
  },
  basic: { doc: 'Sign in by HTTP Basic, for services without other sign-ins' },
  sso: {
    value: 'PROVIDER',
    doc: 'Sign in at an SSO provider, in the browser',
    excludes: ['api-key-stdin', 'api-key-file', 'keyring', 'basic', 'password-command', 'api-key-command'],
  },
  clientId: {
    value: 'ID',
    doc: 'SSO application to sign in as (default: the last one, or the one that the service names)',
    needs: ['sso'],
  },
  discovery: {
    value: 'URL',
    doc: "Address of the provider's OpenID discovery document (default: detected, like the application)",
    needs: ['sso'],
  },
  redirectUri: {
    value: 'URI',
    doc: 'Address to which the provider sends the browser (default: a free port of 127.0.0.1)',
    needs: ['sso'],
  },
  noBrowser: { doc: 'Print the address of the sign-in, and ask for the code', needs: ['sso'] },
  codeStdin: {
    doc: 'With --no-browser: read the code from standard input',
    excludes: ['password-stdin'],
    needs: ['sso'],
  },
  noPkce: {
    doc: 'Leave out PKCE, for services that do not pass its verifier to the provider',
    needs: ['sso'],
  },
  idToken: {
    doc: 'With --sso: sign in with the ID token of this job, from GitHub Actions or TELCTL_ID_TOKEN',
    excludes: ['discovery', 'redirect-uri', 'no-browser', 'code-stdin', 'no-pkce'],
    needs: ['sso'],
  },
  keyring: {
    doc: "Store the API key in the operating system's keyring, not in a file",
    excludes: ['password-command', 'api-key-command'],
  },
  prefix: { value: 'PREFIX', choices: ['/v2', 'none'], doc: 'Prefix of account paths (default: detected)' },
} as const;

export const loginCommands: readonly Command[] = [
  defineCommand({
    path: ['login'],
    summary: 'Sign in to a service and remember it as a profile',
    description:
      'Signs in as a user, with an API key, at an SSO provider, or by HTTP Basic. Stores service, account and token in a profile. An API key is stored and renews the token automatically. A password is never stored; telctl asks again when the token can no longer be refreshed. With --api-key-command or --password-command, the profile stores only the program that prints the secret. The first sign-in at a provider also needs your own user, to link it.',
    options: loginOptions,
    account: true,
    does: ['sign-in', 'starts-programs', 'listens'],
    effect: 'local',
    examples: {
      'telctl login --base-url https://api.example --username admin --account-name acme':
        'Ask for the password',
      'telctl login --profile prod --base-url https://api.example --api-key-stdin < key.txt':
        'Sign in with an API key, as the profile prod',
      'telctl login --base-url https://api.example --api-key-command "pass show telctl/prod"':
        'Read the API key from a password manager',
      'telctl login --base-url https://api.example --sso google --username admin --account-name acme':
        'Sign in at a provider the first time, and link the user',
      'telctl login --base-url https://api.example --sso github --id-token --client-id telctl-ci':
        'In a job: sign in as the user linked to its identity',
      'telctl login --sso google --no-browser': 'Use a browser on another machine',
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
