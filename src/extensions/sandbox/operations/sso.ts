import { textAt } from '../../../base/json.ts';
import { traitsOf } from '../behaviour.ts';
import { answerList, collectionHandlers, namedRecord, removeRecord } from '../collections/collection.ts';
import { shownRecord, writableFields, write } from '../collections/records.ts';
import { withoutKeys } from '../fields.ts';
import { actingUser } from '../identity/information.ts';
import { reachableAccount } from '../identity/principal.ts';
import { buildPut } from '../placement.ts';
import { forbidden, invalid, missingField, Refusal, unknownId } from '../refusal.ts';
import {
  pathParameter,
  principalOf,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
  serviceRecord,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';

async function callingUser(call: ServiceRequest): Promise<StoredRecord> {
  const user = await actingUser(principalOf(call), call.services);
  if (!user) throw forbidden('Only users have links.');
  return user;
}

async function knownLink(call: ServiceRequest): Promise<StoredRecord> {
  const id = pathParameter(call, 'link_id');
  const link = await serviceRecord(call, 'links', id);
  if (!link) throw unknownId(id);
  return link;
}

async function ownLink(call: ServiceRequest): Promise<StoredRecord> {
  const [user, link] = await Promise.all([callingUser(call), knownLink(call)]);
  if (link.hidden.owner !== user.id) throw unknownId(link.id);
  return link;
}

function writeOwner(call: ServiceRequest, link: StoredRecord, user: StoredRecord | undefined): void {
  const others = withoutKeys(link.hidden, (key) => key === 'owner' || key === 'account');
  const hidden = user ? { ...others, owner: user.id, account: user.scope } : others;
  call.changes.push(buildPut({ ...link, hidden }, 'links'));
}

const linkToCaller: RequestHandler = async (call) => {
  const [user, record] = await Promise.all([callingUser(call), knownLink(call)]);
  const owner = textAt(record.hidden, 'owner');
  if (owner !== undefined && owner !== user.id) throw forbidden('The link belongs to another user.');
  writeOwner(call, record, user);
  return { data: await shownRecord(call, 'links', record) };
};

const unlink: RequestHandler = async (call) => {
  const record = await ownLink(call);
  writeOwner(call, record, undefined);
  return { data: await shownRecord(call, 'links', record) };
};

const genericApps = collectionHandlers('apps', '');
const genericProviders = collectionHandlers('providers', '');

const ownerOf = ({ hidden }: StoredRecord): string => textAt(hidden, 'account') ?? '';

/** Returns the application in the path. It must belong to the caller's account, a descendant of it or its reseller. */
async function visibleApp(call: ServiceRequest): Promise<StoredRecord> {
  const caller = principalOf(call);
  const app = await namedRecord(call, 'apps', '');
  const owner = ownerOf(app);
  if (owner === textAt(caller.account.hidden, 'reseller_id')) return app;
  try {
    await reachableAccount(owner, caller, call.services.store);
  } catch (error) {
    if (error instanceof Refusal) throw unknownId(app.id);
    throw error;
  }
  return app;
}

/** Returns the application in the path. Refuses applications that the caller cannot change. */
async function ownApp(call: ServiceRequest): Promise<StoredRecord> {
  const id = pathParameter(call, 'app_id');
  const { behaviour } = call.services;
  if (behaviour.identity.unknownApps === 'forbidden' && !(await serviceRecord(call, 'apps', id))) {
    const message = 'The application belongs to another account.';
    throw new Refusal(403, 'forbidden', message, { message }, { isReached: false });
  }
  const app = await namedRecord(call, 'apps', '');
  await reachableAccount(ownerOf(app), principalOf(call), call.services.store);
  return app;
}

async function refuseUnknownProvider(call: ServiceRequest): Promise<void> {
  const id = textAt(call.data, 'provider');
  if (id === undefined || (await serviceRecord(call, 'providers', id))) return;
  throw invalid([{ path: 'provider', rule: 'not_found', message: 'is not a provider', cause: id }]);
}

const listApps: RequestHandler = async (call) => {
  const caller = principalOf(call);
  const id = call.query.get('account_id') ?? call.account?.id ?? caller.account.id;
  const account = await reachableAccount(id, caller, call.services.store);
  const owners = [account.id, textAt(account.hidden, 'reseller_id')];
  return answerList(call, 'apps', { scope: '', has: (app) => owners.includes(ownerOf(app)) });
};

const createApp: RequestHandler = async (call) => {
  await refuseUnknownProvider(call);
  const { client_id: given } = call.data;
  if (given === undefined || given === '') {
    throw invalid([missingField('client_id')]);
  }
  const record = await write(
    call,
    'apps',
    // Validation refuses an id that is not a string.
    { kind: 'apps', scope: '', id: String(given) },
    writableFields(call, 'apps'),
    { account: principalOf(call).account.id },
  );
  return { data: await shownRecord(call, 'apps', record) };
};

/** Lists providers. `start_key` is an array, which is empty on the first page. */
const listProviders: RequestHandler = async (call) => {
  const answer = await genericProviders.list(call);
  if (!call.services.behaviour.replies.providersStartKey) return answer;
  const from = call.query.get('start_key');
  return { ...answer, envelope: { ...answer.envelope, start_key: from === null ? [] : [from] } };
};

const updateProvider: RequestHandler = async (call) => {
  const { optional = [] } = traitsOf(call.services.behaviour, 'providers');
  if (textAt(call.data, 'id') === undefined && !optional.includes('id')) {
    throw invalid([missingField('id')]);
  }
  return genericProviders.update(call);
};

const removeProvider: RequestHandler = async (call) => {
  const provider = await namedRecord(call, 'providers', '');
  const [user] = await call.services.store.list({
    kind: 'apps',
    scope: '',
    key: { field: 'provider', value: provider.id },
    limit: 1,
  });
  if (user) throw new Refusal(500, 'apps exist for provider', 'An SSO application uses the provider.');
  return removeRecord(call, 'providers', provider);
};

export const ssoHandlers: RequestHandlers = {
  // Links of users to SSO identities (States and transitions, SSO user).
  'links.list': async (call) =>
    answerList(call, 'links', { scope: '', key: { field: 'owner', value: (await callingUser(call)).id } }),
  'links.get': async (call) => ({ data: await shownRecord(call, 'links', await ownLink(call)) }),
  'links.link': linkToCaller,
  'links.delete': unlink,
  // SSO applications and providers (Endpoints, Authentication and tokens; Conventions, single sign-on).
  'apps.list': listApps,
  'apps.list-of-account': listApps,
  'apps.get': async (call) => ({ data: await shownRecord(call, 'apps', await visibleApp(call)) }),
  'apps.create': createApp,
  'apps.update': async (call) => {
    await ownApp(call);
    await refuseUnknownProvider(call);
    return genericApps.update(call);
  },
  'apps.delete': async (call) => removeRecord(call, 'apps', await ownApp(call)),
  'providers.list': listProviders,
  'providers.update': updateProvider,
  'providers.delete': removeProvider,
};
