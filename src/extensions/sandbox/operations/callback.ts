import { textAt } from '../../../base/json.ts';
import {
  hasIssuer,
  type Identity,
  redeemCode,
  tokenIssuer,
  verifyForeignToken,
} from '../identity/identity-provider.ts';
import { describeToken } from '../identity/information.ts';
import { accountRecordName, tokenSubject, userRecordName } from '../identity/principal.ts';
import { gregorianSeconds } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';
import { missingFields, notSignedIn, Refusal } from '../refusal.ts';
import type { Answer, RequestHandler, RequestHandlers, ServiceRequest } from '../requests/service-request.ts';
import { newRecord, type StoredRecord } from '../store/store.ts';

const requiredFields = ['client_id', 'code', 'provider', 'redirect_uri'] as const;
const maxRecords = 1000;

function refuseMissing({ data, services }: ServiceRequest, fields: readonly string[]): void {
  const missing = fields.filter((path) => textAt(data, path) === undefined);
  if (missing.length > 0) throw missingFields(missing, services.behaviour);
}

/** Converts refusals of a provider to server errors (500), like services in the field. */
const withProviderFaults = async <T>(
  call: ServiceRequest,
  isBare: boolean,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || call.services.behaviour.identity.providerRefusals === 'coded')
      throw error;
    const { message } = error;
    throw new Refusal(500, message, message, { message }, { isBare });
  }
};

/** Returns the link of an identity. A new link has no user. */
async function findOrMakeLink(
  call: ServiceRequest,
  app: StoredRecord,
  identity: Identity,
): Promise<StoredRecord> {
  const { clock, store } = call.services;
  const provider = textAt(app.body, 'provider') ?? '';
  const name = { kind: 'links', scope: '', id: `${provider}-${identity.subject}` };
  const known = await store.get(name);
  if (known) return known;
  const { profile, scopes } = identity;
  const [email, displayName] = [textAt(profile, 'email'), textAt(profile, 'name')];
  const now = gregorianSeconds(clock);
  const body = {
    app: app.id,
    provider,
    scope: scopes.join(' '),
    scopes,
    ...(email === undefined ? {} : { email, verified_email: profile.email_verified === true }),
    ...(displayName === undefined ? {} : { display_name: displayName }),
    profile,
  };
  const made = newRecord(name, body, now);
  call.changes.push(buildPut(made, 'links'));
  return made;
}

/**
 * Signs in the user that an identity is linked to. Without a user, `data` is empty, and the token contains the link
 * but gives no access (Authentication 10; Conventions, single sign-on).
 */
async function signInLinked(call: ServiceRequest, link: StoredRecord): Promise<Answer> {
  const { services } = call;
  const { store, authority } = services;
  const [owner, accountId] = [textAt(link.hidden, 'owner'), textAt(link.hidden, 'account')];
  if (owner === undefined || accountId === undefined) {
    return { data: {}, token: await authority.issueForIdentity(link.id) };
  }
  const [user, account] = await Promise.all([
    store.get(userRecordName(accountId, owner)),
    store.get(accountRecordName(accountId)),
  ]);
  if (!user || !account || user.body.enabled === false || account.body.enabled === false) throw notSignedIn();
  const holder = { account, user, method: 'cb_auth' };
  const claims = { account_id: account.id, owner_id: user.id, method: holder.method };
  return {
    data: await describeToken(holder, services),
    token: await authority.issue(claims, tokenSubject(holder)),
  };
}

const callback: RequestHandler = async (call) => {
  refuseMissing(call, requiredFields);
  return withProviderFaults(call, true, () => signInByCode(call));
};

async function signInByCode(call: ServiceRequest): Promise<Answer> {
  const { data, services } = call;
  const id = textAt(data, 'provider') ?? '';
  const [app, provider] = await Promise.all([
    services.store.get({ kind: 'apps', scope: '', id: textAt(data, 'client_id') ?? '' }),
    services.store.get({ kind: 'providers', scope: '', id }),
  ]);
  if (!provider || app?.body.provider !== id) throw notSignedIn('SSO application not found.');
  const identity = await redeemCode(provider, app, data);
  return signInLinked(call, await findOrMakeLink(call, app, identity));
}

/** Returns the application in the request. Refuses (401) an unknown application. */
async function namedApp({ data, services: { store } }: ServiceRequest): Promise<StoredRecord | undefined> {
  const id = textAt(data, 'app');
  if (id === undefined) return undefined;
  const app = await store.get({ kind: 'apps', scope: '', id });
  if (app) return app;
  throw notSignedIn('SSO application not found.');
}

/** Returns the provider in the request, or else of the application, or else of the token issuer. */
async function providerOf(
  { data, services: { store } }: ServiceRequest,
  token: string,
  app: StoredRecord | undefined,
): Promise<StoredRecord> {
  const id = textAt(data, 'provider') ?? (app && textAt(app.body, 'provider'));
  if (id !== undefined) {
    const named = await store.get({ kind: 'providers', scope: '', id });
    if (named) return named;
    throw notSignedIn('Provider not found.');
  }
  const issuer = tokenIssuer(token);
  const all = await store.list({ kind: 'providers', scope: '', limit: maxRecords });
  const found = issuer === undefined ? undefined : all.find((one) => hasIssuer(one, issuer));
  if (found) return found;
  throw notSignedIn('The token is not from a known provider.');
}

/** Describes the caller to an application. A signed-in caller needs no foreign token. */
async function authorizeApp(call: ServiceRequest): Promise<Answer> {
  await namedApp(call);
  const { principal: holder } = call;
  if (!holder) throw notSignedIn('Without a foreign token, the caller must be signed in.');
  return { data: await describeToken(holder, call.services) };
}

async function authorize(call: ServiceRequest): Promise<Answer> {
  if (textAt(call.data, 'token') === undefined && textAt(call.data, 'app') !== undefined)
    return authorizeApp(call);
  refuseMissing(call, ['token']);
  const token = textAt(call.data, 'token') ?? '';
  const named = await namedApp(call);
  const provider = await providerOf(call, token, named);
  const apps = await call.services.store.list({
    kind: 'apps',
    scope: '',
    key: { field: 'provider', value: provider.id },
    limit: maxRecords,
  });
  const meant = named ? apps.filter(({ id }) => id === named.id) : apps;
  const { identity, app } = await verifyForeignToken(token, provider, meant);
  return signInLinked(call, await findOrMakeLink(call, app, identity));
}

export const callbackHandlers: RequestHandlers = {
  'tokens.callback': callback,
  'tokens.authorize': (call) => withProviderFaults(call, false, () => authorize(call)),
};
