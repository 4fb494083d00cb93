import { isObject } from '../../../base/json.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { apps } from '../../../contract/resources/apps.ts';
import { links } from '../../../contract/resources/links.ts';
import { providers } from '../../../contract/resources/providers.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { callCommand } from '../call-command.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-named.ts';
import { readSecret } from '../secrets.ts';
import { tokenItem } from '../tokens/show.ts';

const provider = {
  flag: 'provider',
  value: 'ID',
  doc: 'Provider that gave it',
  completes: { resource: 'providers' },
} as const;

const callbackOptions = {
  provider: { ...provider, required: true },
  clientId: { flag: 'client-id', value: 'ID', required: true, doc: 'Application id at the provider' },
  redirectUri: {
    flag: 'redirect-uri',
    value: 'URL',
    required: true,
    doc: 'Where the provider sent the code',
  },
  state: {
    flag: 'sso-state',
    value: 'TEXT',
    doc: 'State that was handed to the provider',
    beside: { flag: 'state', whose: 'sign-in' },
  },
  codeStdin: { flag: 'code-stdin', doc: 'Read the code from standard input' },
  codeFile: { flag: 'code-file', value: 'FILE', doc: 'Read the code from a file', completes: 'file' },
} as const;
const authorizeOptions = {
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

const callback = defineCommand({
  path: ['sso', 'callback'],
  summary: 'Hand in a code of a provider, and show whom it signs in',
  description:
    'Signs nobody in on this machine: telctl login --sso does. Nothing comes back while no link exists.',
  arguments: {},
  options: callbackOptions,
  does: ['sign-in'],
  effect: 'read',
  examples: [
    {
      line: 'telctl sso callback --provider google --client-id ID --redirect-uri https://app.example/done --code-stdin < code.txt',
      doc: 'To try what an application does',
    },
  ],
  operations: ['tokens.callback'],
  load: async () => handInCode,
});

const authorize = defineCommand({
  path: ['sso', 'authorize'],
  summary: 'Validate a token of another provider',
  arguments: {},
  options: authorizeOptions,
  does: ['sign-in'],
  effect: 'read',
  examples: [
    {
      line: 'telctl sso authorize --provider google --token-stdin < token.txt',
      doc: 'Whom it stands for here',
    },
  ],
  operations: ['tokens.authorize'],
  load: async () => authorizeToken,
});

const link = callCommand({
  path: ['sso', 'link'],
  summary: 'Link yourself to an identity at a provider',
  operation: operationFor(links, 'link'),
  arguments: {
    id: { name: 'ID', doc: 'Id of the link, as the provider and the identity there make it' },
  },
  examples: [
    { line: 'telctl sso link google-alice@acme.example', doc: 'After a sign-in that found no link' },
  ],
  says: (data, { id }) =>
    `Linked you to ${isObject(data) && typeof data.email === 'string' ? data.email : id}.`,
});

export const ssoCommands: readonly Command[] = [
  ...[apps, providers, links].flatMap((resource) => genericCommands(resource, ['sso', resource.name])),
  callback,
  authorize,
  link,
];

/** Has the service validate a token that another provider made, and shows whom it stands for. */
async function authorizeToken(input: InputOf<typeof authorizeOptions>, context: Context): Promise<Result> {
  const source = { stdin: input.tokenStdin ?? false, file: input.tokenFile };
  const token =
    (await readSecret(context, 'token', source)) ??
    (await context.ask.secret('Token of the provider:', { option: '--token-stdin' }));
  const { provider, app } = input;
  const data = {
    token,
    ...(provider === undefined ? {} : { provider }),
    ...(app === undefined ? {} : { app }),
  };
  const call = { operation: operationById('tokens.authorize'), data };
  const reply = await (await context.api()).call(call);
  return tokenItem(reply.data);
}

/**
 * Hands in the code of a provider. Where no link exists the service answers with nothing (Authentication 10), which
 * is said, and not shown as an empty record.
 */
async function handInCode(input: InputOf<typeof callbackOptions>, context: Context): Promise<Result> {
  const source = { stdin: input.codeStdin ?? false, file: input.codeFile };
  const code =
    (await readSecret(context, 'code', source)) ??
    (await context.ask.secret('Code of the provider:', { option: '--code-stdin' }));
  const { provider, clientId, redirectUri } = input;
  const state = input.state === undefined ? {} : { state: input.state };
  const api = await context.api();
  const { data } = await api.call({
    operation: operationById('tokens.callback'),
    data: { provider, client_id: clientId, redirect_uri: redirectUri, code, ...state },
  });
  if (!isObject(data) || Object.keys(data).length > 0) return tokenItem(data);
  return {
    kind: 'done',
    message:
      'No user is linked to that identity. Sign in as the user with telctl login, then link it: telctl sso link ID',
    value: {},
  };
}
