import { type Command, defineCommand } from '../../command/command.ts';
import { apps } from '../../contract/resources/apps.ts';
import { links } from '../../contract/resources/links.ts';
import { providers } from '../../contract/resources/providers.ts';
import { genericCommands } from '../generic/commands.ts';

const provider = {
  flag: 'provider',
  value: 'ID',
  doc: 'Provider that gave it',
  completes: { resource: 'providers' },
} as const;

/** Options of `sso callback`. */
export const callbackOptions = {
  provider,
  clientId: { flag: 'client-id', value: 'ID', doc: 'Application id at the provider' },
  redirectUri: { flag: 'redirect-uri', value: 'URL', doc: 'Where the provider sent the code' },
  state: { flag: 'sso-state', value: 'TEXT', doc: 'State that was handed to the provider' },
  codeStdin: { flag: 'code-stdin', doc: 'Read the code from standard input' },
  codeFile: { flag: 'code-file', value: 'FILE', doc: 'Read the code from a file', completes: 'file' },
} as const;
/** Options of `sso authorize`. */
export const authorizeOptions = {
  provider,
  app: {
    flag: 'app',
    value: 'ID',
    doc: 'Application that the token was made out to',
    completes: { resource: 'apps' },
  },
  tokenStdin: { flag: 'token-stdin', doc: 'Read the token from standard input' },
  tokenFile: { flag: 'token-file', value: 'FILE', doc: 'Read the token from a file', completes: 'file' },
} as const;
/** Arguments of `sso link`. */
export const linkArguments = {
  id: { name: 'ID', doc: 'Id of the link, as the provider and the identity there make it' },
} as const;

const callback = defineCommand({
  path: ['sso', 'callback'],
  summary: 'Hand in a code of a provider, and show whom it signs in',
  description:
    'Signs nobody in on this machine: telctl login --sso does. Nothing comes back while no link exists.',
  arguments: {},
  options: callbackOptions,
  effect: 'read',
  examples: [
    {
      line: 'telctl sso callback --provider google --client-id ID --redirect-uri https://app.example/done --code-stdin < code.txt',
      doc: 'To try what an application does',
    },
  ],
  operations: ['tokens.callback'],
  load: async () => (await import('./sign-in.ts')).handInCode,
});

const authorize = defineCommand({
  path: ['sso', 'authorize'],
  summary: 'Validate a token of another provider',
  arguments: {},
  options: authorizeOptions,
  effect: 'read',
  examples: [
    {
      line: 'telctl sso authorize --provider google --token-stdin < token.txt',
      doc: 'Whom it stands for here',
    },
  ],
  operations: ['tokens.authorize'],
  load: async () => (await import('./sign-in.ts')).authorizeToken,
});

const link = defineCommand({
  path: ['sso', 'link'],
  summary: 'Link yourself to an identity at a provider',
  arguments: linkArguments,
  options: {},
  effect: 'write',
  examples: [
    { line: 'telctl sso link google-alice@acme.example', doc: 'After a sign-in that found no link' },
  ],
  operations: ['links.link'],
  load: async () => (await import('./sign-in.ts')).linkUser,
});

/** Everything under `telctl sso`. */
export const ssoCommands: readonly Command[] = [
  ...[apps, providers, links].flatMap((resource) => genericCommands(resource, ['sso', resource.name])),
  callback,
  authorize,
  link,
];
