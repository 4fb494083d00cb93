import { Failure } from '../../../base/failure.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ItemResult, Result } from '../../command/result.ts';
import { readSecret } from '../passwords/secrets.ts';

export const infoOptions = {
  tokenStdin: { doc: 'Look at another token, read from standard input' },
  offline: { doc: "Read it here, and check it against the service's public key" },
  keyFile: {
    value: 'FILE',
    doc: 'With --offline: check against this PEM file, and ask the service for nothing',
  },
} as const;

export const revokeOptions = {
  scope: { value: 'SCOPE', choices: ['user', 'account', 'system'], required: true, doc: 'Whose tokens end' },
  user: {
    value: 'ID',
    doc: 'User whose tokens end, with --scope user; left out: yourself',
    completes: { resource: 'users' },
  },
  everyone: { doc: 'With --scope account: those of every user of the account as well, and prove it' },
  confirm: {
    value: 'NAME',
    doc: 'Answers the question: the name of the user or account, or the host of the service',
  },
} as const;

export const tokensCommands: readonly Command[] = [
  defineCommand({
    path: ['tokens', 'show'],
    summary: 'Print the token, for other programs',
    does: ['shows-secrets'],
    effect: 'read',
    examples: {
      'curl -H "X-Auth-Token: $(telctl tokens show)" https://api.example/v2/auth/keys': 'A request by hand',
    },
    operations: ['tokens.refresh'],
    load: async () => showToken,
  }),
  defineCommand({
    path: ['tokens', 'info'],
    summary: 'Show what a token says: user, account, reseller',
    options: infoOptions,
    effect: 'read',
    examples: {
      'telctl tokens info': 'Your own',
      'telctl tokens info --token-stdin < token.txt': 'Another one',
      'telctl tokens info --offline': 'Claims, signature and end, found out on this machine',
    },
    operations: ['tokens.info', 'keys.get', 'keys.list'],
    load: async () => showTokenInformation,
  }),
  defineCommand({
    path: ['tokens', 'refresh'],
    summary: 'Exchange the token for a new one now',
    does: ['shows-secrets'],
    effect: 'read',
    examples: { 'telctl tokens refresh': 'Before a long run' },
    operations: ['tokens.refresh'],
    load: async () => refreshNow,
  }),
  defineCommand({
    path: ['tokens', 'revoke-all'],
    summary: 'End the tokens of a user, an account or the whole service',
    description:
      'Resets the secret that signs the tokens. With --scope account this ends the tokens that were got with the API key of the account; its users stay signed in, since their tokens depend on secrets of their own. --everyone resets those as well, then tries a token from before, which must be refused. The name of what is hit must be typed, or given with --confirm; --yes answers for a user and an account, never for the whole service.',
    options: revokeOptions,
    effect: 'destructive',
    examples: {
      'telctl tokens revoke-all --scope user --user alice': 'Sign alice out everywhere',
      'telctl tokens revoke-all --scope account --everyone --yes':
        'End every token of the account, and prove it',
      'telctl tokens revoke-all --scope system --confirm api.example':
        'Sign everybody out, as the super administrator',
    },
    operations: [
      'tokens.reset-user-secret',
      'tokens.reset-account-secret',
      'tokens.reset-system-secret',
      'tokens.refresh',
      'users.list',
      'accounts.api-key',
    ],
    load: async () => (await import('./revoke-all.ts')).revokeAll,
  }),
];

/** Prints a token that works now, alone on its line. */
async function showToken(_: unknown, context: Context): Promise<Result> {
  const session = await context.session();
  const token = await session.token();
  context.notices.disclose([token]);
  return { kind: 'text', text: token, value: { token } };
}

/** Exchanges the token for a new one and keeps it. The old one lives on until its end. */
async function refreshNow(_: unknown, context: Context): Promise<Result> {
  const session = await context.session();
  const { expiresAtMs } = await session.refresh();
  const minutes = Math.round((expiresAtMs - context.host.clock.now()) / 60_000);
  return {
    kind: 'done',
    message: `Refreshed the token; it is valid for ${counted(minutes, 'minute')}.`,
    value: { expires_at: new Date(expiresAtMs).toISOString() },
  };
}

/**
 * Shows what the service reads in a token. The token goes in the body of a POST: in the address of the GET that the
 * service has too, it would end up in logs.
 */
async function showTokenInformation(input: InputOf<typeof infoOptions>, context: Context): Promise<Result> {
  if (!input.offline && input.keyFile !== undefined)
    throw new Failure('usage', '--key-file belongs to --offline.');
  if (input.offline) {
    const { checkOffline } = await import('./check-offline.ts');
    return checkOffline(input, context);
  }
  const api = await context.api();
  const informationOn = async (token: string): Promise<Result> => {
    const { data } = await api.call({ operation: operationById('tokens.info'), data: { token } });
    return tokenItem(data);
  };
  const given = await readSecret(context, 'token', { stdin: input.tokenStdin ?? false, file: undefined });
  if (given !== undefined) return informationOn(given);
  const session = await context.session();
  const token = await session.token();
  try {
    return await informationOn(token);
  } catch (error) {
    // The session may have renewed a dead token on the way; the body still held the old one.
    const renewed = await session.token();
    if (renewed === token) throw error;
    return informationOn(renewed);
  }
}

/** Returns what the service says of a token, named by the token's account. */
export function tokenItem(data: Json): ItemResult {
  const account = isObject(data) ? (data.account_name ?? data.account_id) : undefined;
  return {
    kind: 'item',
    value: data,
    resource: 'tokens',
    ...(typeof account === 'string' ? { named: account } : {}),
  };
}
