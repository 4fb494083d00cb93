import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import type { Profile } from '../../../client/session/profile-store.ts';
import {
  linkIdentity,
  redeemGrant,
  redeemIdToken,
  type SignedIn,
  signIn,
} from '../../../client/session/sign-in.ts';
import {
  type ProfileTarget,
  type RememberedSignIn,
  rememberSignIn,
} from '../../../client/session/sign-in-profile.ts';
import { openTokenCache, profileTokenPath } from '../../../client/session/token-cache.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import {
  beginAuthorization,
  findClient,
  readIdToken,
  readSignInPage,
  type SsoClient,
} from './authorization.ts';
import type { loginOptions } from './commands.ts';
import { isUserNamed, readCredentials } from './credentials.ts';
import { fetchCode } from './sso-code.ts';

type LoginInput = InputOf<typeof loginOptions>;

export interface SsoRequest extends ProfileTarget {
  readonly provider: string;
  readonly again: Profile | undefined;
}

/**
 * Signs in at a provider: browser, code, callback. If the identity is not linked to a user yet, signs in with the
 * user's own credentials, from options or a terminal, and links it (Authentication 10). Throws `auth` if that is not
 * possible.
 */
export async function loginBySso(
  input: LoginInput,
  context: Context,
  request: SsoRequest,
): Promise<RememberedSignIn> {
  const { provider, baseUrl, again } = request;
  const parts = context.sessionParts();
  const own = ownSignIn(input, context, request);
  if (input.idToken) return loginByIdToken(input, context, request, own);
  const client = await findClient(context, {
    provider,
    clientId: input.clientId,
    discovery: input.discovery,
    baseUrl,
    again,
    token: async () =>
      storedToken(context, again) ?? (own.isOffered() ? (await own.signIn()).token.token : undefined),
  });
  const page = await readSignInPage(parts, client.discovery);
  const { authorization, code } = await fetchCode(
    context,
    {
      provider,
      redirectUri: input.redirectUri,
      byHand: input.noBrowser === true || input.codeStdin === true,
      codeStdin: input.codeStdin === true,
    },
    (redirectUri) =>
      beginAuthorization({
        page,
        clientId: client.clientId,
        redirectUri,
        random: context.host.random,
        pkce: input.noPkce !== true,
      }),
  );
  const outcome = await redeemGrant(parts, baseUrl, { ...client, ...authorization, code });
  const signedIn =
    outcome.kind === 'signed-in'
      ? outcome.signedIn
      : await linkAndSignIn(outcome.linkId, own, { context, request, client });
  return rememberSignIn(parts, request, signedIn, {
    method: 'sso',
    keyStore: 'none',
    ssoProvider: provider,
    ssoClientId: client.clientId,
    ssoDiscovery: client.discovery,
  });
}

async function loginByIdToken(
  { clientId }: LoginInput,
  context: Context,
  request: SsoRequest,
  own: OwnSignIn,
): Promise<RememberedSignIn> {
  const { provider, baseUrl } = request;
  const parts = context.sessionParts();
  const token = await readIdToken(parts, clientId);
  const outcome = await redeemIdToken(parts, baseUrl, { provider, token });
  const signedIn =
    outcome.kind === 'signed-in'
      ? outcome.signedIn
      : await linkAndSignIn(outcome.linkId, own, { context, request });
  return rememberSignIn(parts, request, signedIn, {
    method: 'sso',
    keyStore: 'none',
    ssoProvider: provider,
    ...(clientId === undefined ? {} : { ssoClientId: clientId }),
  });
}

type OwnSignIn = ReturnType<typeof ownSignIn>;

/** Signs in with the user's own credentials, at most once and only when needed. */
function ownSignIn(input: LoginInput, context: Context, { baseUrl, again }: SsoRequest) {
  let made: Promise<SignedIn> | undefined;
  const isGiven = isUserNamed(input);
  const { sso: provider = '' } = input;
  const askOnce = async (): Promise<SignedIn> => {
    if (!isGiven) {
      context.notices.say(`Your own user of the service is needed once, before ${provider} can sign you in.`);
    }
    // An API key of the environment belongs to an account, and only users can be linked.
    const credentials = await readCredentials({ ...input, method: input.method ?? 'md5' }, context, {
      baseUrl,
      again,
    });
    return signIn(context.sessionParts(), baseUrl, credentials);
  };
  return {
    isAgreed: () => isGiven || made !== undefined,
    isOffered: () => isGiven || context.ask.available,
    signIn(): Promise<SignedIn> {
      made ??= askOnce();
      return made;
    },
  };
}

function storedToken({ host, notices }: Context, again: Profile | undefined): string | undefined {
  if (again === undefined) return undefined;
  const kept = openTokenCache(host, profileTokenPath(host, again.name), notices.warn).read();
  return kept !== undefined && kept.expiresAtMs > host.clock.now() ? kept.token : undefined;
}

interface Linking {
  readonly context: Context;
  readonly request: SsoRequest;
  /** `undefined` for the sign-in of a job. */
  readonly client?: SsoClient;
}

async function linkAndSignIn(
  linkId: string | undefined,
  own: OwnSignIn,
  linking: Linking,
): Promise<SignedIn> {
  const { context, request } = linking;
  const { provider, baseUrl } = request;
  if (linkId === undefined) {
    throw new Failure(
      'auth',
      `${provider} identified you, but the service has not linked a user to you and offers no link.`,
      { hint: 'Ask the administrator of the service for the id of your link.' },
    );
  }
  if (!own.isOffered()) throw notLinked(linking, linkId);
  context.notices.say(
    `${provider} identified you, but no user of ${baseUrl} is linked to that identity yet.`,
  );
  const question = `Sign in with your own user and link it to ${provider}?`;
  if (!own.isAgreed() && !(await context.ask.confirm(question, { option: '--username NAME' }))) {
    throw notLinked(linking, linkId);
  }
  const signedIn = await own.signIn();
  await linkIdentity(context.sessionParts(), baseUrl, signedIn, linkId);
  context.notices.say(`Linked. ${provider} can now sign you in.`);
  return signedIn;
}

function notLinked({ request, client }: Linking, linkId: string): Failure {
  const { provider, name, baseUrl } = request;
  const said = `${provider} identified you, but no user of the service is linked to that identity yet.`;
  if (client === undefined)
    return new Failure('auth', said, {
      hint: createHint`Sign in as the user for this job, then link it once: ${nextStep`sso link ${linkId}`}`,
    });
  const { clientId, discovery } = client;
  const line = nextStep`login --profile ${name} --base-url ${baseUrl} --sso ${provider} --client-id ${clientId} --discovery ${discovery} --username NAME --account-name ACCOUNT --password-file FILE`;
  return new Failure('auth', said, {
    hint: createHint`Sign in once with your own user, which links it: ${line}`,
  });
}
