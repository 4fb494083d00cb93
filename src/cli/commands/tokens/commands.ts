import { Failure } from '../../../base/failure.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ItemResult, Result } from '../../command/result.ts';
import { readSecret } from '../passwords/secrets.ts';

export const infoOptions = {
  tokenStdin: { doc: 'Show another token, read from standard input' },
  offline: { doc: "Decode it on this machine, and check it against the service's public key" },
  keyFile: {
    value: 'FILE',
    doc: 'With --offline: check against this PEM file, without requests to the service',
  },
} as const;

export const revokeOptions = {
  scope: {
    value: 'SCOPE',
    choices: ['user', 'account', 'system'],
    required: true,
    doc: 'Tokens to revoke: of a user, an account or the whole service',
  },
  user: {
    value: 'ID',
    doc: 'With --scope user: user whose tokens are revoked (default: yourself)',
    completes: { resource: 'users' },
  },
  everyone: { doc: 'With --scope account, also revoke the tokens of every user, and verify it' },
  confirm: {
    value: 'NAME',
    doc: 'Confirm with the name of the user or account, or the host of the service',
  },
} as const;

export const tokensCommands: readonly Command[] = [
  defineCommand({
    path: ['tokens', 'show'],
    summary: 'Print the token, for other programs',
    does: ['shows-secrets'],
    effect: 'read',
    examples: {
      'curl -H "X-Auth-Token: $(telctl tokens show)" https://api.example/v2/auth/keys':
        'Send a request with curl',
    },
    operations: ['tokens.refresh'],
    load: async () => showToken,
  }),
  defineCommand({
    path: ['tokens', 'info'],
    summary: 'Show the user, account and reseller of a token',
    options: infoOptions,
    effect: 'read',
    examples: {
      'telctl tokens info': 'Show your own token',
      'telctl tokens info --token-stdin < token.txt': 'Show another token',
      'telctl tokens info --offline': 'Check claims, signature and expiry on this machine',
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
      'Resets the secret that signs the tokens. --scope account ends the tokens from the API key of the account. Its users stay signed in, because they have their own secrets. --everyone also resets those, then checks that the service refuses an old token. You must type the name of the user, account or service, or pass it with --confirm. --yes confirms for a user and an account, but not for the whole service.',
    options: revokeOptions,
    effect: 'destructive',
    examples: {
      'telctl tokens revoke-all --scope user --user alice': 'Sign alice out everywhere',
      'telctl tokens revoke-all --scope account --everyone --yes':
        'End every token of the account, and verify it',
      'telctl tokens revoke-all --scope system --confirm api.example':
        'Sign out all users, as the super administrator',
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

/** Prints only a valid token. */
async function showToken(_: unknown, context: Context): Promise<Result> {
  const session = await context.session();
  const token = await session.token();
  context.notices.disclose([token]);
  return { kind: 'text', text: token, value: { token } };
}

/** Exchanges the token for a new one and stores it. The old token stays valid until it expires. */
async function refreshNow(_: unknown, context: Context): Promise<Result> {
  const session = await context.session();
  const { expiresAtMs } = await session.refresh();
  const minutes = Math.round((expiresAtMs - context.host.clock.now()) / 60_000);
  return {
    kind: 'done',
    message: `Refreshed the token; it is valid for ${formatCount(minutes, 'minute')}.`,
    value: { expires_at: new Date(expiresAtMs).toISOString() },
  };
}

/** Sends the token in the body of a POST, because the address of a GET would end up in logs. */
async function showTokenInformation(input: InputOf<typeof infoOptions>, context: Context): Promise<Result> {
  if (!input.offline && input.keyFile !== undefined)
    throw new Failure('usage', '--key-file needs --offline.');
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
    // The session may have renewed an expired token, although the body had the old one.
    const renewed = await session.token();
    if (renewed === token) throw error;
    return informationOn(renewed);
  }
}

/** Returns the service's view of a token, which the token's account requested. */
export function tokenItem(data: Json): ItemResult {
  const account = isObject(data) ? (data.account_name ?? data.account_id) : undefined;
  return {
    kind: 'item',
    value: data,
    resource: 'tokens',
    ...(typeof account === 'string' ? { named: account } : {}),
  };
}
