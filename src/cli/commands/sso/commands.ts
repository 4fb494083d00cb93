import { nextStep } from '../../../base/failure.ts';
import { isObject, type Json, textOrUndefined } from '../../../base/json.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { apps, links, providers } from '../../../contract/resources/sso.ts';
import type { Command } from '../../command/command.ts';
import type { Result } from '../../command/result.ts';
import { genericCommands } from '../generic/commands.ts';
import { type BodyMaker, callCommand } from '../operations/operation-command.ts';
import { readSecret } from '../passwords/secrets.ts';
import { operationFor } from '../records/find-named.ts';
import { tokenItem } from '../tokens/commands.ts';

const provider = {
  flag: 'provider',
  value: 'ID',
  doc: 'Provider that issued it',
  completes: { resource: 'providers' },
  as: 'text',
  into: { data: 'provider' },
} as const;

const providerSecret =
  (word: 'code' | 'token'): BodyMaker =>
  async ({ data }, context, input) => {
    const source = { stdin: input[`${word}Stdin`] === true, file: textOrUndefined(input[`${word}File`]) };
    const isApp = isObject(data) && data.app !== undefined && data.provider === undefined;
    if (isApp && !source.stdin && source.file === undefined) return data;
    const secret =
      (await readSecret(context, word, source)) ??
      (await context.ask.secret(`${word === 'code' ? 'Code' : 'Token'} of the provider:`, {
        option: `--${word}-stdin`,
      }));
    return { ...(isObject(data) ? data : {}), [word]: secret };
  };

export const ssoCommands: readonly Command[] = [
  ...[apps, providers, links].flatMap((resource) => genericCommands(resource, ['sso', resource.name])),
  callCommand({
    path: ['sso', 'callback'],
    summary: 'Exchange a code of a provider, and show its user',
    description:
      'Does not sign you in on this machine; use telctl login --sso for that. Without a link, the service returns no user.',
    operation: operationById('tokens.callback'),
    options: {
      provider: { ...provider, required: true },
      clientId: {
        value: 'ID',
        required: true,
        doc: 'Application id at the provider',
        into: { data: 'client_id' },
      },
      redirectUri: {
        value: 'URL',
        required: true,
        doc: 'Address to which the provider sent the code',
        into: { data: 'redirect_uri' },
      },
      state: {
        flag: 'sso-state',
        value: 'TEXT',
        doc: 'State that was sent to the provider',
        beside: { flag: 'state', whose: 'sign-in' },
        into: { data: 'state' },
      },
      codeStdin: { doc: 'Read the code from standard input', into: 'nowhere' },
      codeFile: { value: 'FILE', doc: 'Read the code from a file', into: 'nowhere' },
    },
    data: providerSecret('code'),
    does: ['sign-in'],
    examples: {
      'telctl sso callback --provider google --client-id ID --redirect-uri https://app.example/done --code-stdin < code.txt':
        'Test the sign-in of an application',
    },
    gives: { result: linkedUserResult },
  }),
  callCommand({
    path: ['sso', 'authorize'],
    summary: 'Validate a token of a provider, or an application for your user',
    operation: operationById('tokens.authorize'),
    options: {
      provider,
      app: {
        value: 'ID',
        doc: 'Application that the token was issued for',
        completes: { resource: 'apps' },
        as: 'text',
        into: { data: 'app' },
      },
      tokenStdin: { doc: 'Read the token from standard input', into: 'nowhere' },
      tokenFile: { value: 'FILE', doc: 'Read the token from a file', into: 'nowhere' },
    },
    data: providerSecret('token'),
    does: ['sign-in'],
    examples: {
      'telctl sso authorize --provider google --token-stdin < token.txt': 'Show the user of a token',
      'telctl sso authorize --app ID': 'Show your identity for an application',
    },
    gives: { result: tokenItem },
  }),
  callCommand({
    path: ['sso', 'link'],
    summary: 'Link yourself to an identity at a provider',
    operation: operationFor(links, 'link'),
    arguments: { id: { name: 'ID', doc: 'Id of the link, from the provider and the identity' } },
    examples: {
      'telctl sso link google-alice@acme.example': 'Link your user after a sign-in without a link',
    },
    says: (data, { id }) =>
      `Linked you to ${isObject(data) && typeof data.email === 'string' ? data.email : id}.`,
  }),
];

/** Shows the user of a code. Without a link, the service returns no user (Authentication 10). */
function linkedUserResult(data: Json): Result {
  if (!isObject(data) || Object.keys(data).length > 0) return tokenItem(data);
  return {
    kind: 'done',
    message: `No user is linked to that identity. Sign in as the user with ${nextStep`login`}, then link it: ${nextStep`sso link ID`}`,
    value: {},
  };
}
