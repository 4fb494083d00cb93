import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { formatCount, shortId } from '../../../base/wording.ts';
import type { Profile, SignInMethod, StoredToken } from '../../../client/session/profile-store.ts';
import type { Session } from '../../../client/session/session.ts';
import { decodeClaims } from '../../../client/session/token-cache.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { describeSecretPlaces } from '../labels.ts';

export const whoamiCommands: readonly Command[] = [
  defineCommand({
    path: ['whoami'],
    summary: 'Show the current user, account and service',
    account: false,
    effect: 'read',
    examples: {
      'telctl whoami': 'Show profile, service, account, user and the place of each secret',
      'telctl whoami -o json --query account_id': 'Print the account id for a script',
    },
    operations: ['users.get'],
    load: async () => whoami,
  }),
];

const minuteMs = 60_000;

/** `; token valid 49 more minutes`. */
function remainingTime(expiresAtMs: number | undefined, nowMs: number): string {
  if (expiresAtMs === undefined) return '';
  const minutes = Math.floor((expiresAtMs - nowMs) / minuteMs);
  if (minutes < 0) return '; token expired';
  return `; token valid ${formatCount(minutes, 'more minute')}`;
}

/** Shows the current sign-in. Reads the user from the service, which verifies the sign-in. */
async function whoami(_: unknown, context: Context): Promise<Result> {
  const session = await context.session();
  const { profile } = session;
  const user = await signedInUser(context, session);
  const token = session.storedToken();
  const expiresAtMs = token && tokenExpiry(token);
  const username = typeof user?.username === 'string' ? user.username : profile.username;
  const role = typeof user?.priv_level === 'string' ? user.priv_level : undefined;
  const places = session.secretPlaces();
  const formatId = (id: string) => (context.host.stdout.isTTY ? shortId(id) : id);
  return {
    kind: 'item',
    value: {
      profile: profile.name,
      profile_source: session.profileSource,
      base_url: profile.baseUrl,
      prefix: profile.prefix,
      account_id: profile.accountId,
      account_name: profile.accountName ?? null,
      owner_id: profile.ownerId ?? null,
      username: username ?? null,
      role: role ?? null,
      method: profile.method,
      expires_at: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString(),
      protect: profile.protect ?? null,
      secrets: places,
    },
    named: username ?? profile.accountName ?? profile.accountId,
    rows: [
      ['Profile', `${profile.name}  (from: ${session.profileSource})${protection(profile)}`],
      ['Service', profile.baseUrl],
      ['Account', [profile.accountName, formatId(profile.accountId)].filter(Boolean).join('  ')],
      ['User', describeUser(profile, username, role)],
      ['Signed in', `${methodWords[profile.method]}${remainingTime(expiresAtMs, context.host.clock.now())}`],
      ['Secrets', describeSecretPlaces(places)],
    ],
  };
}

const methodWords: Readonly<Record<SignInMethod, string>> = {
  password: 'by password',
  'api-key': 'by API key',
  basic: 'by HTTP Basic',
  sso: 'by single sign-on',
  token: 'by a given token',
};

const protection = ({ protect }: Profile): string =>
  protect === undefined ? '' : protect === 'read-only' ? '  read-only' : '  asks before every change';

function describeUser(
  { method, ownerId }: Profile,
  username: string | undefined,
  role: string | undefined,
): string {
  const suffix = role === 'admin' ? '  (account administrator)' : role === undefined ? '' : `  (${role})`;
  if (username !== undefined) return `${username}${suffix}`;
  return method === 'api-key' && ownerId === undefined ? 'none: the key acts as the account' : 'unknown';
}

async function signedInUser(context: Context, { profile, token }: Session): Promise<JsonObject | undefined> {
  const { accountId: account_id, ownerId: user_id } = profile;
  if (user_id === undefined) {
    await token();
    return undefined;
  }
  try {
    const api = await context.ownApi();
    const { data } = await api.call({ operation: operationById('users.get'), path: { account_id, user_id } });
    return isObject(data) ? data : undefined;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted' || error.status === undefined)
      throw error;
    if (error.status === 401) throw error;
    return undefined;
  }
}

/** The last time that a date can represent. */
const maxDateMs = 8.64e15;

/** For a token from outside, returns its unverified claim, which is only shown. */
function tokenExpiry({ token, expiresAtMs }: StoredToken): number | undefined {
  if (expiresAtMs < Number.MAX_SAFE_INTEGER) return expiresAtMs;
  const seconds = decodeClaims(token)?.exp;
  const ms = typeof seconds === 'number' ? seconds * 1000 : Number.NaN;
  return ms > 0 && ms <= maxDateMs ? ms : undefined;
}
