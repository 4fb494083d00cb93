import { createHash } from 'node:crypto';
import { type JsonObject, textAt } from '../../../base/json.ts';
import { namedRecord } from '../collections/collection.ts';
import { writeHidden } from '../collections/records.ts';
import { notification } from '../events/event.ts';
import { pick } from '../fields.ts';
import type { SigningKey } from '../identity/authority.ts';
import { describeToken } from '../identity/information.ts';
import {
  accountRecordName,
  type Principal,
  principalByApiKey,
  principalByCredentials,
  tokenSubject,
  verifyToken,
} from '../identity/principal.ts';
import { gregorianSeconds, newId, newSecret } from '../ids-and-secrets.ts';
import { buildPut, lettersAndDigits } from '../placement.ts';
import {
  invalid,
  malformedRequest,
  missingField,
  missingFields,
  notSignedIn,
  Refusal,
  unknownId,
} from '../refusal.ts';
import {
  type Answer,
  accountOf,
  pathParameter,
  principalOf,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { Services } from '../services.ts';
import { newRecord, plainPut, type RecordName, type Store, type StoredRecord } from '../store/store.ts';
import { accountInService } from '../telephony/numbers.ts';

type Finder = (value: string, store: Store) => Promise<StoredRecord | undefined>;

const accountBy =
  (field: string, normalize: (value: string) => string): Finder =>
  async (value, store) => {
    const holder = await store.findHolder({ kind: 'accounts', scope: '', field, value: normalize(value) });
    return holder && store.get(holder);
  };

/** Identifiers of an account at sign-in, by priority. */
const identifiers = new Map<string, Finder>([
  [
    'phone_number',
    async (value, store) => {
      const id = await accountInService(store, value);
      return id === undefined ? undefined : store.get(accountRecordName(id));
    },
  ],
  ['account_realm', accountBy('realm', (value) => value.toLowerCase())],
  ['account_name', accountBy('name', lettersAndDigits)],
]);

/** Returns the account of a sign-in. It must have exactly one identifier (Authentication 3). */
async function namedAccount(data: JsonObject, { store, behaviour }: Services): Promise<StoredRecord> {
  const given = [...identifiers].flatMap(([name, find]) => {
    const value = textAt(data, name);
    return value === undefined ? [] : [{ name, value, find }];
  });
  const [only, ...others] = given;
  if (!only) throw notSignedIn('The request names no account.');
  if (others.length > 0 && behaviour.identity.identifiers === 'one') {
    throw invalid(
      given.map(({ name }) => ({
        path: name,
        rule: 'superfluous',
        message: 'is one of several identifiers; send exactly one',
      })),
    );
  }
  for (const { value, find } of given) {
    const account = await find(value, store);
    if (account) return account;
  }
  throw notSignedIn('No user has these credentials.');
}

async function issueToken(principal: Principal, call: ServiceRequest): Promise<Answer> {
  const { account, user, keyId, method } = principal;
  const token = await call.services.authority.issue(
    {
      account_id: account.id,
      ...(user ? { owner_id: user.id } : {}),
      ...(keyId === undefined ? {} : { key_id: keyId }),
      method,
    },
    tokenSubject(principal),
  );
  const data = await describeToken(principal, call.services);
  if (call.services.behaviour.identity.information === 'documented') return { data, token };
  const signsIn = !call.operation.authenticated;
  return {
    data,
    token,
    ...(signsIn
      ? { envelope: { page_size: 1, revision: 'automatic' }, created: user?.id ?? account.id }
      : {}),
  };
}

/** Adds the number of matching users to refusals, if the service counts them. */
async function withUserCount<T>(call: ServiceRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || !call.services.behaviour.identity.countsUsers) throw error;
    const { status, code, message, data } = error;
    throw new Refusal(status, code, message, data, { envelope: { page_size: status === 400 ? 1 : 0 } });
  }
}

const signInByDigest: RequestHandler = async (call) => {
  const { data, services } = call;
  const credentials = textAt(data, 'credentials');
  if (credentials === undefined) throw missingFields(['credentials'], services.behaviour);
  const account = await namedAccount(data, services);
  const method = textAt(data, 'method') === 'sha' ? 'sha' : 'md5';
  return issueToken(
    await withUserCount(call, () => principalByCredentials(account, method, credentials, services.store)),
    call,
  );
};

const signInByKey: RequestHandler = async (call) => {
  const { behaviour, store } = call.services;
  const apiKey = textAt(call.data, 'api_key');
  if (apiKey === undefined) throw missingFields(['api_key'], behaviour);
  const others = Object.keys(call.data).filter((key) => key !== 'api_key');
  if (others.length > 0 && behaviour.identity.extraKeyFields === 'refused')
    throw invalid(
      others.map((path) => ({ path, rule: 'additionalProperties', message: 'is unknown', value: call.data })),
    );
  return issueToken(await withUserCount(call, () => principalByApiKey(apiKey, store, behaviour)), call);
};

const refresh: RequestHandler = async (call) => issueToken({ ...principalOf(call), method: 'cb_auth' }, call);

const showToken =
  (tokenIn: (call: ServiceRequest) => string | undefined): RequestHandler =>
  async (call) => {
    const isField = call.services.behaviour.identity.information === 'field';
    const token = tokenIn(call);
    if (token === undefined) {
      throw isField
        ? new Refusal(404, 'missing token in params', 'The token to inspect is missing.', {})
        : malformedRequest('The token to inspect is missing.');
    }
    const holder = await verifyToken(token, call.services).catch((error: unknown) => {
      if (isField && error instanceof Refusal) throw new Refusal(401, 'invalid_jwt', error.message, {});
      throw error;
    });
    if (isField) return { data: await describeToken(holder, call.services), token };
    return { data: { ...(await describeToken(holder, call.services)), method: holder.method } };
  };

const recordName = (id: string): RecordName => ({ kind: 'recoveries', scope: '', id });
const unknownValue = (path: string, cause: string) =>
  invalid([{ path, rule: 'not_found', message: 'is not known', cause }]);

/** Returns the account in the request. Refuses (400) a missing or unknown account. */
async function recoveredAccount({ data, services: { store } }: ServiceRequest): Promise<StoredRecord> {
  for (const [name, find] of identifiers) {
    const value = textAt(data, name);
    if (value === undefined) continue;
    const account = await find(value, store);
    if (account) return account;
    throw unknownValue(name, value.toLowerCase().replaceAll(' ', ''));
  }
  throw invalid([missingField('account_name')]);
}

/** Sends a recovery link by email. The sandbox stores the email. */
const recover: RequestHandler = async (call) => {
  const { data, services } = call;
  const [username, page] = [textAt(data, 'username') ?? '', textAt(data, 'ui_url') ?? ''];
  const account = await recoveredAccount(call);
  const value = username.toLowerCase();
  const holder = await services.store.findHolder({
    kind: 'users',
    scope: account.id,
    field: 'username',
    value,
  });
  const user = holder && (await services.store.get(holder));
  if (!user) throw unknownValue('username', username);
  const resetId = [account.id, ...Array.from({ length: 4 }, () => newId(services.random))]
    .join('')
    .slice(0, 137);
  const body: JsonObject = { account_id: account.id, user_id: user.id };
  const record = newRecord(recordName(resetId), body, gregorianSeconds(services.clock));
  call.changes.push(plainPut(record));
  const link = `${page}${page.includes('?') ? '&' : '?'}recovery=${resetId}`;
  const keys = {
    ...pick(user.body, ['email', 'first_name', 'last_name']),
    password_reset_link: link,
    user_id: user.id,
  };
  call.events.push(notification(services, 'password_recovery', { accountId: account.id, keys }));
  return { data: `A link to sign in was sent to ${textAt(user.body, 'email') ?? username}.` };
};

/** Signs in with a recovery link, which works once. The user must then change the password. */
const signInByRecovery: RequestHandler = async (call) => {
  const { store } = call.services;
  const id = textAt(call.data, 'reset_id') ?? '';
  const known = await store.get(recordName(id));
  const account = await store.get(accountRecordName(textAt(known?.body ?? {}, 'account_id') ?? ''));
  const userId = textAt(known?.body ?? {}, 'user_id') ?? '';
  const user = account && (await store.get({ kind: 'users', scope: account.id, id: userId }));
  if (!account || !user) throw unknownValue('user', id);
  const changed = { ...user, body: { ...user.body, require_password_update: true } };
  call.changes.push({ change: 'remove', record: recordName(id), erase: true, isSilent: true });
  call.changes.push(buildPut(changed, 'users'));
  const principal: Principal = { account, user, method: 'cb_user_auth' };
  return issueToken(principal, call);
};

const emptyAnswer = ({ services }: ServiceRequest): Answer => ({
  data: services.behaviour.replies.resetsWithoutData ? undefined : {},
});

const resetSystemSecret: RequestHandler = async (call) => {
  call.changes.push(call.services.authority.newSystemSecret());
  return emptyAnswer(call);
};

const resetAccountSecret: RequestHandler = async (call) => {
  writeHidden(call, accountOf(call), 'accounts', { secret: newSecret(call.services.random) });
  return emptyAnswer(call);
};

const resetUserSecret: RequestHandler = async (call) => {
  const user = await namedRecord(call, 'users');
  writeHidden(call, user, 'users', { secret: newSecret(call.services.random) });
  return emptyAnswer(call);
};

const pemType = 'application/x-pem-file';

async function namedKey(call: ServiceRequest): Promise<SigningKey> {
  const id = pathParameter(call, 'key_id');
  const key = await call.services.authority.key();
  if (key.id !== id) throw unknownId(id);
  return key;
}

export const signInHandlers: RequestHandlers = {
  // Sign-in and tokens (Endpoints, Authentication and tokens).
  'tokens.user-auth': signInByDigest,
  'tokens.api-auth': signInByKey,
  'tokens.refresh': refresh,
  'tokens.info': showToken(({ data }) => textAt(data, 'token')),
  'tokens.info-by-query': showToken(({ query }) => query.get('token') ?? undefined),
  // Password recovery (Conventions, sign-in, recovery).
  'tokens.recover': recover,
  'tokens.recovered': signInByRecovery,
  // Resets of secrets. They invalidate the tokens bound to them (States and transitions).
  'tokens.reset-system-secret': resetSystemSecret,
  'tokens.reset-account-secret': resetAccountSecret,
  'tokens.reset-user-secret': resetUserSecret,
  // Signing keys. A reset does not change the id.
  'keys.list': async ({ services }) => ({ data: [(await services.authority.key()).id] }),
  'keys.get': async (call) => {
    const { id, publicPem } = await namedKey(call);
    const isNamed = call.services.behaviour.identity.signingKeys === 'with-id';
    const data = { ...(isNamed ? { id } : {}), public_key_pem: publicPem };
    const revision = `1-${createHash('md5').update(publicPem).digest('hex')}`;
    return call.accept.includes(pemType)
      ? { data, revision, text: { type: pemType, body: publicPem, fileName: 'public_key.pem' } }
      : { data, revision };
  },
  'keys.reset': async (call) => {
    await namedKey(call);
    call.changes.push(await call.services.authority.newKey());
    return { data: {} };
  },
};
