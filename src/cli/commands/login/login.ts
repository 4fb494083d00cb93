import { resolve } from 'node:path';
import { Failure, nextStep } from '../../../base/failure.ts';
import { refusePlainHttp } from '../../../client/api/transport.ts';
import { isProfileSelected, storedName } from '../../../client/session/choose-identity.ts';
import { checkProfileName, type Profile, readProfiles } from '../../../client/session/profile-store.ts';
import {
  isSameOrigin,
  normaliseBaseUrl,
  parsePrefix,
  type Settings,
} from '../../../client/session/settings.ts';
import type { Credentials } from '../../../client/session/sign-in.ts';
import {
  type ProfileTarget,
  type RememberedSignIn,
  signInProfile,
} from '../../../client/session/sign-in-profile.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import type { loginOptions } from './commands.ts';
import {
  askPassword,
  isAccountId,
  isPasswordAsked,
  readCredentials,
  secretCommandOf,
} from './credentials.ts';

/** Signs in and stores the sign-in as a profile. All checks and questions are before the first request. */
export async function login(input: InputOf<typeof loginOptions>, context: Context): Promise<Result> {
  const { settings, host } = context;
  refuseAccount(input, settings.account);
  const baseUrl = await readServiceAddress(context);
  const name = chooseProfileName(context, baseUrl);
  checkProfileName(name);
  refusePlainHttp(new URL(baseUrl), settings.allowHttp.value);
  const before = readProfiles(host).profiles.get(name);
  const again = before !== undefined && isSameOrigin(before.baseUrl, baseUrl) ? before : undefined;
  const absolutePath = (path: string | undefined) =>
    path === undefined ? undefined : resolve(host.cwd, path);
  const request = {
    name,
    baseUrl,
    prefix: input.prefix === undefined ? undefined : parsePrefix(input.prefix, '--prefix'),
    caFile: absolutePath(settings.caFile.value),
    clientCert: absolutePath(settings.clientCert.value),
    clientKey: absolutePath(settings.clientKey.value),
    allowHttp: settings.allowHttp.value,
  };
  const { profile, token } = await signInAs(input, context, request, again);
  const { defaultName } = readProfiles(host);
  const more = defaultName === name ? '' : ` To use it by default: ${nextStep`profiles use ${name}`}`;
  return {
    kind: 'done',
    message: `Signed in to ${profile.accountName ?? profile.accountId}${describeIdentity(profile)} (profile "${name}").${more}`,
    value: {
      profile: name,
      base_url: baseUrl,
      account_id: profile.accountId,
      account_name: profile.accountName ?? null,
      owner_id: profile.ownerId ?? null,
      method: profile.method,
      expires_at: new Date(token.expiresAtMs).toISOString(),
    },
  };
}

async function signInAs(
  input: InputOf<typeof loginOptions>,
  context: Context,
  request: ProfileTarget,
  again: Profile | undefined,
): Promise<RememberedSignIn> {
  if (input.sso !== undefined) {
    const { loginBySso } = await import('./sso-login.ts');
    return loginBySso(input, context, { ...request, provider: input.sso, again });
  }
  const secretCommand = secretCommandOf(input, context);
  const target = { baseUrl: request.baseUrl, profile: request.name, again, secretCommand };
  const credentials = await readCredentials(input, context, target);
  if (input.keyring && credentials.kind !== 'api-key') {
    throw new Failure('usage', '--keyring stores only API keys. Passwords are never stored.', {
      hint: 'Sign in with --api-key-stdin, or omit --keyring.',
    });
  }
  const keyring = input.keyring ?? false;
  const signInWith = (each: Credentials) =>
    signInProfile(context.sessionParts(), { ...request, credentials: each, keyring, secretCommand });
  return credentials.kind === 'password' && isPasswordAsked(input, context, target)
    ? retryPassword(context, credentials, signInWith)
    : signInWith(credentials);
}

const maxTries = 3;

/** Asks again if a typed password is refused. Throws the last refusal. */
async function retryPassword<T>(
  context: Context,
  credentials: Extract<Credentials, { kind: 'password' }>,
  signInWith: (credentials: Credentials) => Promise<T>,
): Promise<T> {
  let typed = credentials;
  for (let left = maxTries - 1; ; left -= 1) {
    try {
      return await signInWith(typed);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'auth' || left === 0) throw error;
      context.notices.warn(error.lines);
      typed = { ...typed, password: await askPassword(context, typed.username) };
    }
  }
}

function describeIdentity({ username, ssoProvider }: Profile): string {
  if (ssoProvider !== undefined) return ` by single sign-on at ${ssoProvider}`;
  return username === undefined ? ' by API key' : ` as ${username}`;
}

async function readServiceAddress({ settings, ask, notices }: Context): Promise<string> {
  const { value } = settings.baseUrl;
  if (value !== undefined) return value;
  for (;;) {
    const typed = await ask.text('Address of the service, such as api.example:', {
      option: '--base-url URL',
    });
    try {
      return normaliseBaseUrl(typed, 'The address');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      notices.warn(error.lines);
    }
  }
}

/** Chooses the named profile, the default one of this service, or `default`. Keeps profiles of other services. */
function chooseProfileName({ host, settings }: Context, baseUrl: string): string {
  const stored = readProfiles(host);
  const value = storedName(settings, stored);
  if (value !== undefined && isProfileSelected(settings)) return value;
  const { profiles } = stored;
  const name =
    value !== undefined && isSameOrigin(profiles.get(value)?.baseUrl ?? '', baseUrl) ? value : 'default';
  const there = profiles.get(name);
  if (there === undefined || isSameOrigin(there.baseUrl, baseUrl)) return name;
  throw new Failure('usage', `Profile "${name}" is for another service, ${there.baseUrl}.`, {
    hint: 'Choose a name for this one: --profile NAME',
  });
}

/** Throws `usage` for `--account` without `--basic`, because the credentials determine the account. */
function refuseAccount(
  { basic }: Pick<InputOf<typeof loginOptions>, 'basic'>,
  { value, source }: Settings['account'],
): void {
  if (source !== 'option' || (basic && isAccountId(value))) return;
  throw new Failure('usage', '--account needs an id and --basic in a sign-in.', {
    hint: "Name the user's account with --account-name or --account-realm. An API key belongs to one account.",
  });
}
