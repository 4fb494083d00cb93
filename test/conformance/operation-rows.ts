import fc from 'fast-check';
import { isObject, type JsonObject, valueAt } from '../../src/base/json.ts';
import type { ApiRequest } from '../../src/client/api/api.ts';
import { resourceByName } from '../../src/contract/catalogue.ts';
import { samples } from '../../src/contract/samples.ts';
import { requiredFields } from '../../src/contract/schema.ts';
import type { ResourceName } from '../../src/contract/types.ts';
import { sourcesByRules } from '../../src/contract/validate.ts';
import { monthOf } from '../../src/extensions/sandbox/calls/made-call.ts';
import { credentialDigests, gregorianSeconds } from '../../src/extensions/sandbox/made-values.ts';
import { buildPut } from '../../src/extensions/sandbox/placement.ts';
import type { CalledSandbox } from '../support/called-sandbox.ts';
import { minuteMs } from '../support/clock.ts';
import { forgingProvider } from '../support/forging-provider.ts';
import { genericCollections } from '../support/generic-collections.ts';
import { mode } from '../support/mode.ts';
import { recordBodies } from '../support/record-bodies.ts';
import { fieldRows } from './field-rows.ts';

/** Input of a call beside its operation. */
export type Input = Omit<ApiRequest, 'operation'>;

/** An input that is refused: how, and at which field where it is one that is wrong. */
export interface Wrong extends Input {
  readonly status: number;
  readonly field?: string;
  /** The token is good for nothing: for operations that can be given nothing wrong. */
  readonly stranger?: true;
}

/** A sandbox in which operations are tried. */
export interface Place {
  readonly sandbox: CalledSandbox;
  /** Makes a record in the account, past the client; gives its id. */
  make(name: ResourceName, data?: JsonObject): Promise<string>;
}

/** The trial of one operation. Each input is made anew for its call. */
export interface Row {
  /** The caller; the account's administrator where left out. */
  readonly as?: 'super';
  /** The least that works; left out where nothing can. */
  readonly minimal?: (place: Place) => Input | Promise<Input>;
  /** All that can be given; left out where there is nothing to give. */
  readonly full?: (place: Place) => Input | Promise<Input>;
  readonly wrong: (place: Place) => Wrong | Promise<Wrong>;
}

const digests = ({ seed }: CalledSandbox) => credentialDigests(seed.adminUsername, seed.adminPassword);

export const nobody = 'f'.repeat(32);
const nothing = () => ({});
export const stranger = (): Wrong => ({ status: 401, stranger: true });

/** The least that a record of a resource is made of, where that is not what its sample has of the required fields. */
export const least = {
  accounts: { name: 'Below' },
  users: { first_name: 'Ann', last_name: 'Archer' },
  devices: { name: 'Desk', device_type: 'sip_device' },
  groups: { name: 'Sales', endpoints: {} },
  callflows: { numbers: ['100'] },
  apps: { client_id: 'acme-app', provider: 'google', secret: 'app-secret' },
  faxes: {
    from_number: '+14155550100',
    to_number: '+14155550101',
    document: { url: 'https://files.example/a.pdf' },
  },
  ports: { name: 'From old carrier', numbers: { '+14155550102': {} } },
} as const satisfies Partial<Readonly<Record<ResourceName, JsonObject>>>;

/** The least that a new record of a resource is made of. */
export function leastOf(name: ResourceName): JsonObject {
  const known: Partial<Record<ResourceName, JsonObject>> = least;
  const required = requiredFields(resourceByName(name), 'create', sourcesByRules.conventions);
  const sample = Object.entries(samples[name]?.record ?? {});
  return known[name] ?? Object.fromEntries(sample.filter(([field]) => required.includes(field)));
}

/** Calls a sandbox to make what an operation is tried with: most of that is nothing that the specification documents. */
export const past = ({ call, callUsually }: CalledSandbox): CalledSandbox['call'] =>
  mode === 'specification' ? callUsually : call;

/** A place in a sandbox in which operations are tried: by default the account of the seed. */
export function placeIn(sandbox: CalledSandbox): Place {
  return {
    sandbox,
    async make(name, data) {
      const create = resourceByName(name).operations.find(({ verb }) => verb === 'create');
      if (!create) throw new Error(`${name} cannot be made.`);
      const path = `/v2${create.path.replace('{account_id}', sandbox.seed.accountId)}`;
      const body = data ?? leastOf(name);
      const token = await (create.role === 'super' ? sandbox.superToken() : sandbox.adminToken());
      // Services in the field make no SSO applications.
      const call = name === 'apps' ? sandbox.callUsually : past(sandbox);
      const reply = await call('PUT', path, { token, data: body });
      // Services in the field answer a new fax as the document of their store, which has no `id`.
      return valueAt(reply.data, '_id') === undefined ? reply.at('data.id') : reply.at('data._id');
    },
  };
}

/** A body with every field of the resource. */
function whole(name: ResourceName): JsonObject {
  const [body] = fc.sample(recordBodies(resourceByName(name), { all: true }), { numRuns: 1, seed: 7 });
  if (!body) throw new Error(`${name} has no bodies.`);
  return body;
}

/** A wrong value for a field, and the refusal of it. */
export const badField = (field: string, data: JsonObject): Wrong => ({ data, status: 400, field });

/** The rows of a collection's six verbs; `field` takes no array. */
function collection(
  name: ResourceName,
  field = Object.keys(leastOf(name))[0] ?? 'name',
): Readonly<Record<string, Row>> {
  const { idParameter: id = '', operations } = resourceByName(name);
  const isForSuper = operations.find(({ verb }) => verb === 'create')?.role === 'super';
  const data = leastOf(name);
  const bad = badField(field, { ...data, [field]: [1] });
  const one = async ({ make }: Place) => ({ path: { [id]: await make(name) } });
  const unknown = () => ({ path: { [id]: nobody }, status: 404 });
  const rows: Readonly<Record<string, Row>> = {
    [`${name}.list`]: {
      minimal: nothing,
      full: () => ({
        query: { page_size: '1', ascending: 'true', created_from: '0', filter_enabled: ['true', 'x'] },
      }),
      wrong: () => ({ query: { page_size: '0' }, status: 404 }),
    },
    [`${name}.get`]: { minimal: one, wrong: unknown },
    [`${name}.create`]: {
      minimal: () => ({ data }),
      full: () => ({ data: whole(name) }),
      wrong: () => bad,
    },
    [`${name}.update`]: {
      minimal: async (place) => ({ ...(await one(place)), data }),
      full: async (place) => ({ ...(await one(place)), data: whole(name) }),
      wrong: async (place) => ({ ...(await one(place)), ...bad }),
    },
    [`${name}.patch`]: {
      minimal: async (place) => ({ ...(await one(place)), data: {} }),
      full: async (place) => ({ ...(await one(place)), data: whole(name) }),
      wrong: async (place) => ({ ...(await one(place)), ...badField(field, { [field]: [1] }) }),
    },
    [`${name}.delete`]: { minimal: one, wrong: unknown },
  };
  if (!isForSuper) return rows;
  return Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, { as: 'super', ...row }]));
}

/** The rows of a collection without a patch. */
function withoutPatch(rows: Readonly<Record<string, Row>>): Readonly<Record<string, Row>> {
  return Object.fromEntries(Object.entries(rows).filter(([id]) => !id.endsWith('.patch')));
}

/** Something of one record, by an operation without a body. */
const ofOne = (name: ResourceName, id: string, full?: Input): Row => ({
  minimal: async ({ make }) => ({ path: { [id]: await make(name) } }),
  ...(full ? { full: async ({ make }) => ({ path: { [id]: await make(name) }, ...full }) } : {}),
  wrong: () => ({ path: { [id]: nobody }, status: 404 }),
});

/** Something of the account. */
const ofAccount = (row: Partial<Row> = {}): Row => ({
  minimal: nothing,
  wrong: () => ({ path: { account_id: nobody }, status: 404 }),
  ...row,
});

const listOf = (wrong: Partial<Wrong> = {}): Row => ({
  minimal: nothing,
  full: () => ({ query: { page_size: '1', ascending: 'true' } }),
  wrong: () => ({ query: { page_size: 'many' }, status: 404, ...wrong }),
});

/** An account below, made for the call. */
const below = async ({ make }: Place) => ({ account_id: await make('accounts') });
const keyId = async ({ sandbox }: Place): Promise<string> => {
  const { data } = await past(sandbox)('GET', '/v2/auth/keys', { token: await sandbox.superToken() });
  return String(Array.isArray(data) ? data[0] : '');
};

/** An SSO application whose provider hands out a code, and the link of who signs in by it. */
async function application({ sandbox, make }: Place) {
  const client_id = await make('apps');
  const provider = await forgingProvider(client_id);
  const known = { id: 'google', discovery: provider.discovery, issuer_domains: [provider.issuer] };
  const token = await sandbox.superToken();
  await past(sandbox)('POST', '/v2/auth/providers/google', { token, data: known });
  return {
    provider,
    callback: { client_id, provider: 'google', redirect_uri: 'http://127.0.0.1:4000/callback' },
  };
}

const link = { path: { link_id: 'google-ann' } };

/** Somebody who signed in at the provider and is linked to nobody. */
async function identified(place: Place): Promise<Input> {
  const { provider, callback } = await application(place);
  const data = { ...callback, code: provider.code({ sub: 'ann' }) };
  const reply = await past(place.sandbox)('PUT', '/v2/auth/callback', { data });
  if (reply.status !== 201) throw new Error(reply.text);
  return link;
}

async function linked(place: Place): Promise<Input> {
  await identified(place);
  const token = await place.sandbox.adminToken();
  await past(place.sandbox)('PUT', '/v2/auth/links/google-ann', { token, data: {} });
  return link;
}

const trunks = { inbound_trunks: 1, outbound_trunks: 2, twoway_trunks: 3, burst_trunks: 4, calls: 5 };
const noTrunks = {
  allow_prepay: false,
  authz_resource_types: ['account'],
  calls: 5,
  resource_consuming_calls: 2,
};

const accountRows: Readonly<Record<string, Row>> = {
  'accounts.list': ofAccount({ full: () => ({ query: { page_size: '1', filter_name: 'Below' } }) }),
  'accounts.descendants': ofAccount({ full: () => ({ query: { page_size: '1', ascending: 'true' } }) }),
  'accounts.get': ofAccount(),
  'accounts.create': {
    minimal: () => ({ data: least.accounts }),
    full: () => ({ data: whole('accounts') }),
    wrong: () => badField('realm', { name: 'B', realm: 'no realm' }),
  },
  'accounts.update': {
    minimal: async (place) => ({ path: await below(place), data: { name: 'Other' } }),
    full: async (place) => ({ path: await below(place), data: whole('accounts') }),
    wrong: async (place) => ({ path: await below(place), ...badField('name', {}) }),
  },
  'accounts.patch': {
    minimal: async (place) => ({ path: await below(place), data: {} }),
    full: async (place) => ({ path: await below(place), data: whole('accounts') }),
    wrong: async (place) => ({ path: await below(place), ...badField('enabled', { enabled: 'perhaps' }) }),
  },
  'accounts.delete': ofAccount({ minimal: async (place) => ({ path: await below(place) }) }),
  'accounts.api-key': ofAccount(),
  'accounts.rotate-api-key': ofAccount({ full: () => ({ data: {} }) }),
  'accounts.put-api-key': ofAccount({ full: () => ({ data: {} }) }),
};

const authRows: Readonly<Record<string, Row>> = {
  'tokens.user-auth': {
    minimal: ({ sandbox }) => ({
      data: { credentials: digests(sandbox).md5, account_name: 'acme' },
    }),
    full: ({ sandbox }) => ({
      data: { credentials: digests(sandbox).sha, method: 'sha', account_realm: sandbox.seed.accountRealm },
    }),
    wrong: () => badField('method', { credentials: 'x', method: 'crc', account_name: 'acme' }),
  },
  'tokens.api-auth': {
    minimal: ({ sandbox }) => ({ data: { api_key: sandbox.seed.apiKey } }),
    full: ({ sandbox }) => ({ data: { api_key: sandbox.seed.apiKey } }),
    wrong: () => ({ data: { api_key: '0'.repeat(64) }, status: 404 }),
  },
  'tokens.reset-system-secret': {
    as: 'super',
    minimal: nothing,
    wrong: stranger,
  },
  'tokens.reset-account-secret': ofAccount(),
  'tokens.reset-user-secret': ofOne('users', 'user_id'),
  'tokens.refresh': { minimal: nothing, wrong: stranger },
  'tokens.callback': {
    minimal: async (place) => {
      const { provider, callback } = await application(place);
      return { data: { ...callback, code: provider.code({ sub: 'ann' }) } };
    },
    full: async (place) => {
      const { provider, callback } = await application(place);
      return {
        data: { ...callback, code: provider.code({ sub: 'ann', nonce: 'n' }), nonce: 'n', state: 'xyz' },
      };
    },
    wrong: () => badField('code', { client_id: 'x', provider: 'google', redirect_uri: 'https://x' }),
  },
  'tokens.info-by-query': {
    minimal: async ({ sandbox }) => ({ query: { token: await sandbox.keyToken() } }),
    wrong: () => ({ query: { token: 'x.y.z' }, status: 401 }),
  },
  'tokens.info': {
    minimal: async ({ sandbox }) => ({ data: { token: await sandbox.keyToken() } }),
    full: async ({ sandbox }) => ({ data: { token: await sandbox.adminToken() } }),
    wrong: () => badField('token', { token: 7 }),
  },
  'tokens.authorize': {
    minimal: async (place) => {
      const { provider } = await application(place);
      return { data: { token: await provider.token({ sub: 'ann' }) } };
    },
    full: async (place) => {
      const { provider, callback } = await application(place);
      const token = await provider.token({ sub: 'ann' });
      return { data: { token, provider: 'google', app: callback.client_id } };
    },
    wrong: () => badField('token', { token: 7 }),
  },
  'apps.list': listOf(),
  'apps.list-of-account': listOf(),
  'apps.get': ofOne('apps', 'app_id'),
  'apps.create': {
    minimal: () => ({ data: least.apps }),
    full: () => ({ data: whole('apps') }),
    wrong: () => badField('provider', { ...least.apps, provider: 'unheard-of' }),
  },
  'apps.update': {
    minimal: async ({ make }) => ({ path: { app_id: await make('apps') }, data: least.apps }),
    full: async ({ make }) => ({
      path: { app_id: await make('apps') },
      data: { ...whole('apps'), client_id: 'acme-app' },
    }),
    wrong: async ({ make }) => ({
      path: { app_id: await make('apps') },
      ...badField('secret', { ...least.apps, secret: 1 }),
    }),
  },
  'apps.delete': ofOne('apps', 'app_id'),
  'providers.list': listOf(),
  'providers.get': {
    minimal: () => ({ path: { provider_id: 'google' } }),
    wrong: () => ({ path: { provider_id: nobody }, status: 404 }),
  },
  'providers.update': {
    as: 'super',
    minimal: () => ({ path: { provider_id: 'google' }, data: { id: 'google' } }),
    full: () => ({ path: { provider_id: 'google' }, data: { ...whole('providers'), id: 'google' } }),
    wrong: () => ({
      path: { provider_id: 'google' },
      ...badField('provider_type', { id: 'google', provider_type: 'x' }),
    }),
  },
  'providers.delete': {
    as: 'super',
    minimal: () => ({ path: { provider_id: 'duo' } }),
    wrong: () => ({ path: { provider_id: nobody }, status: 404 }),
  },
  'links.list': listOf(),
  'links.link': {
    minimal: identified,
    full: async (place) => ({ ...(await identified(place)), data: {} }),
    wrong: () => ({ path: { link_id: nobody }, status: 404 }),
  },
  'links.get': { minimal: linked, wrong: () => ({ path: { link_id: nobody }, status: 404 }) },
  'links.delete': { minimal: linked, wrong: () => ({ path: { link_id: nobody }, status: 404 }) },
  'keys.list': { minimal: nothing, wrong: stranger },
  'keys.get': {
    minimal: async (place) => ({ path: { key_id: await keyId(place) } }),
    full: async (place) => ({ path: { key_id: await keyId(place) }, accept: 'application/x-pem-file' }),
    wrong: () => ({ path: { key_id: nobody }, status: 404 }),
  },
  'keys.reset': {
    as: 'super',
    minimal: async (place) => ({ path: { key_id: await keyId(place) } }),
    wrong: () => ({ path: { key_id: nobody }, status: 404 }),
  },
};

export const number = '+14155550123';
const one = { path: { phone_number: number } };

/** A number of the account, in the state that it was made in. */
export const numberIn =
  (state: 'in_service' | 'reserved' | 'port_in', more: Input = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const path = `/v2/accounts/${sandbox.seed.accountId}/phone_numbers/${encodeURIComponent(number)}`;
    const token = await sandbox.superToken();
    const reply = await past(sandbox)('PUT', path, { token, data: { create_with_state: state } });
    if (reply.status !== 201) throw new Error(reply.text);
    return { ...one, ...more };
  };

const noNumber = () => ({ path: { phone_number: '+14155559999' }, status: 404 });
export const wholeNumber = () => {
  const { create_with_state: _, carrier_name: __, ...body } = whole('numbers');
  return body;
};
const badNumber = { cnam: { display_name: '' } };
const movedNumber = (from: 'in_service' | 'reserved'): Row => ({
  minimal: numberIn(from),
  full: numberIn(from, { data: { cnam: { display_name: 'Acme' } } }),
  wrong: noNumber,
});

const numberRows: Readonly<Record<string, Row>> = {
  'numbers.list': {
    minimal: nothing,
    full: () => ({ query: { page_size: '1', filter_state: 'reserved' } }),
    wrong: () => ({ query: { page_size: '0' }, status: 404 }),
  },
  'numbers.get': { minimal: numberIn('reserved'), wrong: noNumber },
  'numbers.create': {
    as: 'super',
    minimal: () => one,
    full: () => ({ ...one, data: { ...wholeNumber(), create_with_state: 'in_service' } }),
    wrong: () => ({ ...one, ...badField('cnam.display_name', badNumber) }),
  },
  'numbers.update': {
    minimal: numberIn('reserved', { data: {} }),
    full: (place) => numberIn('reserved', { data: wholeNumber() })(place),
    wrong: async (place) => ({
      ...(await numberIn('reserved')(place)),
      ...badField('cnam.display_name', badNumber),
    }),
  },
  'numbers.patch': {
    minimal: numberIn('reserved', { data: {} }),
    full: (place) => numberIn('reserved', { data: wholeNumber() })(place),
    wrong: async (place) => ({
      ...(await numberIn('reserved')(place)),
      ...badField('cnam.display_name', badNumber),
    }),
  },
  'numbers.delete': { minimal: numberIn('reserved'), wrong: noNumber },
  'numbers.activate': movedNumber('reserved'),
  'numbers.reserve': movedNumber('in_service'),
  'numbers.port-in': {
    as: 'super',
    minimal: () => one,
    full: () => ({ ...one, data: { porting: { service_provider: 'Old' } } }),
    wrong: () => ({ path: { phone_number: 'no number' }, status: 404 }),
  },
  'numbers.locality': {
    minimal: () => ({ data: { numbers: [] } }),
    full: () => ({ data: { numbers: [number, '+442079460000', 'no number'] } }),
    wrong: () => badField('numbers', { numbers: 7 }),
  },
  'numbers.classify': {
    minimal: () => one,
    wrong: () => ({ ...one, path: { ...one.path, account_id: nobody }, status: 404 }),
  },
};

/** A port request in a state, moved there by the authority. */
export const portIn =
  (state: 'unconfirmed' | 'submitted' | 'pending', more: Input = {}) =>
  async ({ sandbox, make }: Place): Promise<Input> => {
    const id = await make('ports');
    const token = await sandbox.superToken();
    const moves = { unconfirmed: [], submitted: ['submitted'], pending: ['submitted', 'pending'] };
    for (const move of moves[state]) {
      const path = `/v2/accounts/${sandbox.seed.accountId}/port_requests/${id}/${move}`;
      await past(sandbox)('PATCH', path, { token, data: {} });
    }
    return { ...more, path: { port_request_id: id } };
  };

const movedPort = (from: 'unconfirmed' | 'submitted' | 'pending', by?: 'super'): Row => ({
  ...(by ? { as: by } : {}),
  minimal: portIn(from),
  full: portIn(from, { data: { reason: 'asked for' } }),
  wrong: () => ({ path: { port_request_id: nobody }, status: 404 }),
});

const portRows: Readonly<Record<string, Row>> = {
  ...collection('ports'),
  'ports.list': {
    minimal: nothing,
    full: () => ({ query: { by_types: 'all', by_number: '+14155550102', page_size: '1' } }),
    wrong: () => ({ query: { page_size: '0' }, status: 404 }),
  },
  'ports.submit': movedPort('unconfirmed'),
  'ports.pend': movedPort('submitted', 'super'),
  'ports.schedule': {
    as: 'super',
    minimal: portIn('pending', { data: {} }),
    full: portIn('pending', {
      data: {
        reason: 'as agreed',
        schedule_on: { timezone: 'America/New_York', date_time: '2030-01-31 09:00' },
      },
    }),
    wrong: async (place) => ({
      ...(await portIn('pending')(place)),
      ...badField('schedule_on', {
        schedule_on: { timezone: 'Nowhere/At_All', date_time: '2030-01-31 09:00' },
      }),
    }),
  },
  'ports.complete': movedPort('pending', 'super'),
  'ports.reject': movedPort('submitted', 'super'),
  'ports.cancel': movedPort('unconfirmed'),
  'ports.timeline': ofOne('ports', 'port_request_id'),
  'ports.comment': {
    minimal: async (place) => ({
      ...(await portIn('unconfirmed')(place)),
      data: { comments: [{ content: 'Hello' }] },
    }),
    full: async (place) => ({
      ...(await portIn('unconfirmed')(place)),
      data: {
        comments: [{ content: 'Hello', is_private: false, action_required: false }, { content: 'Again' }],
      },
    }),
    wrong: async (place) => ({
      ...(await portIn('unconfirmed')(place)),
      ...badField('comments.0.content', { comments: [{}] }),
    }),
  },
};

/** A fax that is done with, in the account's outbox. */
const sentFax = async ({ sandbox, make }: Place): Promise<Input> => {
  const id = await make('faxes');
  sandbox.clock.turn(10 * minuteMs);
  return { path: { fax_id: id } };
};

/** A fax that came to the account: one sent to its own number. */
const receivedFax = async (place: Place): Promise<Input> => {
  const { sandbox, make } = place;
  await numberIn('in_service')(place);
  await make('faxes', { ...least.faxes, to_number: number });
  sandbox.clock.turn(10 * minuteMs);
  const path = `/v2/accounts/${sandbox.seed.accountId}/faxes/inbox`;
  const { data } = await past(sandbox)('GET', path, { token: await sandbox.adminToken() });
  const [fax] = Array.isArray(data) ? data.filter(isObject) : [];
  return { path: { fax_id: String(fax?.id) } };
};

const unknownFax = () => ({ path: { fax_id: nobody }, status: 404 });
const box = (): Row => ({
  ...listOf(),
  full: () => ({ query: { page_size: '1', created_from: '63900000000', created_to: '63900086400' } }),
});
const {
  'faxes.list': faxList,
  'faxes.get': faxGet,
  'faxes.create': faxCreate,
} = collection('faxes', 'retries');

/** A mail to a fax box that became no fax. */
const aFaxMail = async ({ sandbox }: Place): Promise<Input> => {
  const now = gregorianSeconds(sandbox.clock);
  const name = { kind: 'fax_mails', scope: sandbox.seed.accountId, id: 'f'.repeat(32) };
  const errors = ['no number in the address', 'no document'];
  const body = { from: 'ann@acme.example', to: 'x@fax.acme.example', errors, created: now };
  const times = { createdAt: now, modifiedAt: now, revision: 0 };
  await sandbox.store.commit([buildPut({ ...name, ...times, body, hidden: {} }, 'fax_mails')]);
  return { path: { fax_mail_id: name.id } };
};

const faxRows: Readonly<Record<string, Row | undefined>> = {
  'faxes.list': faxList,
  'faxes.get': faxGet,
  'faxes.create': faxCreate,
  'faxes.inbox': box(),
  'faxes.outbox': box(),
  'faxes.received': { minimal: receivedFax, wrong: unknownFax },
  'faxes.sent': { minimal: sentFax, wrong: unknownFax },
  'faxes.delete-received': { minimal: receivedFax, wrong: unknownFax },
  'faxes.delete-sent': { minimal: sentFax, wrong: unknownFax },
  'faxes.resubmit': { minimal: sentFax, wrong: unknownFax },
  'fax_mails.list': { ...box(), minimal: async (place) => ({ ...(await aFaxMail(place)), path: {} }) },
  'fax_mails.get': { minimal: aFaxMail, wrong: () => ({ path: { fax_mail_id: nobody }, status: 404 }) },
};

const boxWith =
  (more: Input = {}) =>
  async ({ make }: Place): Promise<Input> => ({ ...more, path: { vm_box_id: await make('vmboxes') } });

/** A message in a voicemail box. */
export const message =
  (more: Input = {}) =>
  async ({ sandbox, make }: Place): Promise<Input> => {
    const vm_box_id = await make('vmboxes');
    const path = `/v2/accounts/${sandbox.seed.accountId}/vmboxes/${vm_box_id}/messages`;
    const reply = await past(sandbox)('PUT', path, { token: await sandbox.adminToken(), data: {} });
    return { ...more, path: { vm_box_id, message_id: reply.at('data.id') } };
  };

const noBox = () => ({ path: { vm_box_id: nobody }, status: 404 });
const noMessage = async (place: Place) => {
  const { path } = await boxWith()(place);
  return { path: { ...path, message_id: nobody }, status: 404 };
};
const badFolder = badField('folder', { folder: 'attic' });

const messageRows: Readonly<Record<string, Row>> = {
  'messages.list': {
    minimal: boxWith(),
    full: boxWith({ query: { page_size: '1', filter_folder: 'new' } }),
    wrong: noBox,
  },
  'messages.get': { minimal: message(), wrong: noMessage },
  'messages.create': {
    minimal: boxWith({ data: {} }),
    full: boxWith({
      data: { caller_id_name: 'Ann', caller_id_number: '+14155550100', length: 4000, folder: 'new' },
    }),
    wrong: async (place) => ({ ...(await boxWith()(place)), ...badFolder }),
  },
  'messages.update': {
    minimal: message({ data: {} }),
    full: message({ data: { folder: 'saved' } }),
    wrong: async (place) => ({ ...(await message()(place)), ...badFolder }),
  },
  'messages.delete': { minimal: message(), wrong: noMessage },
  'messages.move-all': {
    minimal: boxWith({ data: { folder: 'saved' } }),
    full: async (place) => {
      const { path = {} } = await message()(place);
      return { path, data: { folder: 'saved', messages: [path.message_id ?? '', nobody] } };
    },
    wrong: async (place) => ({ ...(await boxWith()(place)), ...badFolder }),
  },
  'messages.delete-all': { minimal: boxWith(), full: boxWith({ query: { folder: 'new' } }), wrong: noBox },
};

/** A list, with an entry. */
const listEntry =
  (more: Input = {}) =>
  async ({ sandbox, make }: Place): Promise<Input> => {
    const list_id = await make('lists');
    const path = `/v2/accounts/${sandbox.seed.accountId}/lists/${list_id}/entries`;
    const token = await sandbox.adminToken();
    const reply = await past(sandbox)('PUT', path, { token, data: { number: '1415' } });
    return { ...more, path: { list_id, entry_id: reply.at('data.id') } };
  };
const noEntry = async (place: Place) => {
  const { path } = await listEntry()(place);
  return { path: { ...path, entry_id: nobody }, status: 404 };
};
const entryData = { list_id: nobody, number: '1415', name: 'Carla' };
const badEntry = async (place: Place) => ({
  ...(await listEntry()(place)),
  ...badField('displayname', { ...entryData, displayname: '' }),
});
const entryRows: Readonly<Record<string, Row>> = {
  'list_entries.list': {
    minimal: listEntry(),
    wrong: () => ({ path: { list_id: nobody }, status: 404 }),
  },
  'list_entries.get': { minimal: listEntry(), wrong: noEntry },
  'list_entries.create': {
    minimal: listEntry({ data: {} }),
    full: listEntry({ data: entryData }),
    wrong: badEntry,
  },
  'list_entries.update': {
    minimal: listEntry({ data: { list_id: nobody } }),
    full: listEntry({ data: entryData }),
    wrong: badEntry,
  },
  'list_entries.patch': {
    minimal: listEntry({ data: {} }),
    full: listEntry({ data: entryData }),
    wrong: badEntry,
  },
  'list_entries.delete': { minimal: listEntry(), wrong: noEntry },
  'list_entries.clear': {
    minimal: listEntry(),
    wrong: () => ({ path: { list_id: nobody }, status: 404 }),
  },
};

/** The first bytes of a file of sound. */
export const sound = { type: 'audio/mpeg', bytes: Buffer.from('ID3 sound') } as const;

/** A medium with its file. */
const mediumWith =
  (more: Input = {}) =>
  async ({ sandbox, make }: Place): Promise<Input> => {
    const media_id = await make('media', { name: 'Hello', prompt_id: 'vm-enter_pass' });
    const path = `/v2/accounts/${sandbox.seed.accountId}/media/${encodeURIComponent(media_id)}/raw`;
    const token = await sandbox.adminToken();
    const headers = { 'content-type': sound.type };
    await past(sandbox)('POST', path, { token, headers, body: sound.bytes.toString() });
    return { path: { media_id }, ...more };
  };
const ofMedia = (path: Input['path'] = {}): Row => ({
  minimal: async (place) => {
    await mediumWith()(place);
    return { path };
  },
  wrong: () => ({ path: { ...path, account_id: nobody }, status: 404 }),
});

const mediaRows: Readonly<Record<string, Row>> = {
  ...withoutPatch(collection('media')),
  'media.update': {
    ...collection('media')['media.update'],
    full: async ({ make }) => {
      const { prompt_id: _, ...data } = whole('media');
      return { path: { media_id: await make('media') }, data };
    },
    wrong: async ({ make }) => ({
      path: { media_id: await make('media') },
      ...badField('name', { name: [1] }),
    }),
  },
  'media.upload': {
    minimal: mediumWith({ file: sound }),
    full: mediumWith({ file: sound }),
    wrong: async (place) => ({
      ...(await mediumWith()(place)),
      ...{ file: { ...sound, type: 'audio/unheard-of' }, status: 400, field: 'content_type' },
    }),
  },
  'media.download': { minimal: mediumWith(), wrong: () => ({ path: { media_id: nobody }, status: 404 }) },
  'media.languages': ofMedia(),
  'media.language': ofMedia({ language: 'en-us' }),
  'media.prompts': ofMedia(),
  'media.prompt': ofMedia({ prompt_id: 'vm-enter_pass' }),
};

const conference =
  (more: Input = {}) =>
  async ({ make }: Place): Promise<Input> => ({
    ...more,
    path: { conference_id: await make('conferences'), participant_id: '1' },
  });
const noConference = () => ({ path: { conference_id: nobody, participant_id: '1' }, status: 404 });
/** A selector of the account; they come into being past the API. */
const selector =
  (more: Input = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const name = { kind: 'selectors', scope: sandbox.seed.accountId, id: 'a'.repeat(32) };
    const times = { createdAt: 63_900_000_000, modifiedAt: 63_900_000_000, revision: 0 };
    await sandbox.store.commit([buildPut({ ...name, ...times, body: aSelector, hidden: {} }, 'selectors')]);
    return { ...more, path: { selector_id: name.id } };
  };
const aSelector = { name: 'Local', resource: 'carrier_one', selector: 'prefix' };
const noSelector = () => ({ path: { selector_id: nobody }, status: 404 });

/** A call of two legs that began ten seconds ago and lasts so long, with a recording; calls come past the API. */
const leg =
  (name: string, { seconds = 5, ...more }: Input & { readonly seconds?: number } = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const { store, clock, seed } = sandbox;
    const started = gregorianSeconds(clock) - 10;
    const interaction = `${started}-0123abcd`;
    const idOf = (call: string) => `${monthOf(started)}-${call}`;
    const kept = {
      ...{ scope: seed.accountId, createdAt: started + seconds, modifiedAt: started, revision: 0 },
      hidden: { started, answered: started + 1, bridged: started + 1, interaction, call: 'c1' },
    };
    const sides = { call_direction: 'inbound', request: '2001@acme', interaction_id: interaction };
    const sound = { content_type: 'audio/mpeg', name: 'c1.mp3', duration: 1, start: started };
    const sideOf = (call: string, other: string) => ({
      ...{ ...kept, kind: 'cdrs', id: idOf(call), hidden: { ...kept.hidden, call, first: call === 'c1' } },
      body: { ...sides, call_id: call, other_leg_call_id: other },
    });
    await store.commit([
      buildPut(sideOf('c1', 'c2'), 'cdrs'),
      buildPut(sideOf('c2', 'c1'), 'cdrs'),
      buildPut({ ...kept, kind: 'recordings', id: idOf('c1'), body: sound }, 'recordings'),
    ]);
    const ids: Readonly<Record<string, string>> = { channel_id: 'c1', interaction_id: interaction };
    return { ...more, path: { [name]: ids[name] ?? idOf('c1') } };
  };
const live = (more: Input = {}) => leg('channel_id', { ...more, seconds: 60 });
const unknownOf = (name: string) => () => ({ path: { [name]: '202501-nobody' }, status: 404 });
const ofLegs = ofOne('users', 'user_id');
const range = { query: { created_from: '63900000000', created_to: '63900000009', page_size: '1' } };
const wrongRange = () => ({ query: { created_from: '9', created_to: '8' }, status: 400 });
const ranged = { minimal: nothing, full: () => range, wrong: wrongRange };
const rangedOfUser: Row = {
  ...ofLegs,
  full: async (place) => ({ ...(await ofLegs.minimal?.(place)), ...range }),
};

/** A registered phone; phones register past the API. */
async function phone({ sandbox, make }: Place, owner: JsonObject = {}): Promise<string> {
  const { store, clock, seed } = sandbox;
  const now = gregorianSeconds(clock);
  const id = await make('devices', {
    name: 'Desk',
    ...owner,
    sip: { username: 'desk', password: 'a-password' },
  });
  const contact = { username: 'desk', realm: 'acme.example', ip: '192.0.2.1', user_agent: 'x', call_id: 'c' };
  const body = { ...contact, expires: 300, ends_at: now + 300 };
  const times = { createdAt: now, modifiedAt: now, revision: 0 };
  const record = { kind: 'registrations', scope: seed.accountId, id, body, hidden: {}, ...times };
  await store.commit([{ change: 'put', record, order: String(now + 300), keys: [], claims: [] }]);
  return id;
}
const registered = async (place: Place): Promise<Input> => {
  await phone(place);
  return {};
};
const called = { number: '+14155550100' };
const calling = {
  query: { number_filter: 'false', auto_answer: 'false', timeout: '10', 'cid-name': 'A', 'cid-number': '1' },
};
const quickcallOf = (name: 'devices' | 'users'): Row => {
  const ready = async (place: Place): Promise<Input> => {
    const owner_id = await place.make('users');
    const device_id = await phone(place, { owner_id });
    return { path: { ...(name === 'users' ? { user_id: owner_id } : { device_id }), ...called } };
  };
  return {
    minimal: ready,
    full: async (place) => ({ ...(await ready(place)), ...calling }),
    wrong: () => ({ path: { user_id: nobody, device_id: nobody, ...called }, status: 404 }),
  };
};
const deviceRows: Readonly<Record<string, Row>> = {
  'devices.status': ofAccount({ minimal: registered }),
  'devices.sync': ofOne('devices', 'device_id', { data: {} }),
  'devices.notify': {
    minimal: async ({ make }) => ({
      path: { device_id: await make('devices') },
      data: { data: { event: 'check-sync' } },
    }),
    full: async ({ make }) => ({
      path: { device_id: await make('devices') },
      data: { data: { event: 'check-sync', body: { content_type: 'text/plain', data: 'x' } } },
    }),
    wrong: async ({ make }) => ({ path: { device_id: await make('devices') }, ...badField('data', {}) }),
  },
  'devices.quickcall': quickcallOf('devices'),
  'devices.start-quickcall': quickcallOf('devices'),
  'devices.quickcall-of-user': quickcallOf('users'),
  'devices.start-quickcall-of-user': quickcallOf('users'),
  'devices.list-of-user': ofOne('users', 'user_id', { query: { page_size: '1' } }),
  'devices.create-below-user': {
    minimal: async ({ make }) => ({ path: { user_id: await make('users') }, data: least.devices }),
    full: async ({ make }) => ({ path: { user_id: await make('users') }, data: whole('devices') }),
    wrong: async ({ make }) => ({
      path: { user_id: await make('users') },
      ...badField('name', { name: [1] }),
    }),
  },
  'registrations.list': ofAccount({ minimal: registered }),
  'registrations.count': ofAccount({ minimal: registered }),
  'registrations.end': {
    minimal: async (place) => ({ ...(await registered(place)), path: { username: 'desk' } }),
    wrong: () => ({ path: { username: 'nobody' }, status: 404 }),
  },
  'registrations.end-all': ofAccount({ minimal: registered }),
  'registrations.list-everywhere': { as: 'super', minimal: registered, wrong: stranger },
  'registrations.count-everywhere': { as: 'super', minimal: registered, wrong: stranger },
};

const callRows: Readonly<Record<string, Row>> = {
  'cdrs.list': ranged,
  'cdrs.of-user': rangedOfUser,
  'cdrs.interactions': ranged,
  'cdrs.interactions-of-user': rangedOfUser,
  'cdrs.get': { minimal: leg('cdr_id'), wrong: unknownOf('cdr_id') },
  'cdrs.legs': { minimal: leg('interaction_id'), wrong: unknownOf('interaction_id') },
  'cdrs.summary': {
    ...ranged,
    full: () => ({ query: { created_from: '63900000000', created_to: '63900000009' } }),
  },
  'channels.list': ofAccount(),
  'channels.get': { minimal: live(), wrong: unknownOf('channel_id') },
  'channels.of-user': ofLegs,
  'channels.of-device': ofOne('devices', 'device_id'),
  'channels.of-group': ofOne('groups', 'group_id'),
  'channels.act': {
    minimal: live({ data: { action: 'hangup' } }),
    full: live({ data: { action: 'intercept', target_type: 'number', target_id: '2001' } }),
    wrong: async (place) => ({
      ...(await live()(place)),
      ...badField('target_type', { action: 'intercept' }),
    }),
  },
  'channels.metaflow': {
    minimal: live({ data: { module: 'hold' } }),
    full: live({ data: { module: 'play', data: { id: 'm1' }, children: {} } }),
    wrong: unknownOf('channel_id'),
  },
  'recordings.list': ranged,
  'recordings.of-user': rangedOfUser,
  'recordings.get': {
    minimal: leg('recording_id'),
    full: leg('recording_id', { accept: 'audio/mpeg' }),
    wrong: unknownOf('recording_id'),
  },
  'recordings.delete': { minimal: leg('recording_id'), wrong: unknownOf('recording_id') },
};

const listing = { category: 'number_management', action: 'list' };
const finding = { category: 'number_management', action: 'find' };
const csv = { type: 'text/csv', bytes: Buffer.from('e164\n+14155550123\n') };

/** A task of one row, or one without rows that was started so many seconds ago. */
const task =
  ({ started = false, seconds = 0 } = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const path = `/v2/accounts/${sandbox.seed.accountId}/tasks`;
    const token = await sandbox.adminToken();
    const query = new URLSearchParams(started ? listing : finding).toString();
    const data = started ? {} : { records: [{ e164: '+14155550123' }] };
    const reply = await past(sandbox)('PUT', `${path}?${query}`, { token, data });
    const task_id = reply.at('data._read_only.id');
    if (started) await past(sandbox)('PATCH', `${path}/${task_id}`, { token, data: {} });
    sandbox.clock.turn(seconds * 1000);
    return { path: { task_id } };
  };
const noTask = () => ({ path: { task_id: nobody }, status: 404 });

const taskRows: Readonly<Record<string, Row>> = {
  'tasks.list': listOf(),
  'tasks.get': { minimal: task(), wrong: noTask },
  'tasks.submit': {
    minimal: () => ({ query: listing, data: {} }),
    full: () => ({
      query: { ...finding, file_name: 'n.csv' },
      data: { records: [{ e164: '+14155550123' }], file_name: 'n.csv' },
    }),
    wrong: () => ({ query: { ...listing, action: 'fly' }, data: {}, status: 404 }),
  },
  'tasks.submit-file': {
    minimal: () => ({ query: finding, file: csv }),
    full: () => ({ query: { ...finding, file_name: 'n.csv' }, file: csv }),
    wrong: () => ({ query: finding, file: { ...csv, bytes: Buffer.from('number\n1\n') }, status: 400 }),
  },
  'tasks.start': { minimal: task(), wrong: noTask },
  'tasks.stop': { minimal: task({ started: true }), wrong: noTask },
  'tasks.delete': { minimal: task(), wrong: noTask },
  'tasks.input': { minimal: task(), wrong: noTask },
  'tasks.output': { minimal: task({ started: true, seconds: 3 }), wrong: noTask },
  'tasks.actions': { minimal: nothing, wrong: stranger },
};

/** Sets what an account has once. */
const set =
  (name: ResourceName) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const path = `/v2/accounts/${sandbox.seed.accountId}/${name}`;
    const token = await sandbox.adminToken();
    await past(sandbox)('POST', path, { token, data: samples[name]?.record ?? {} });
    return {};
  };

/** Rows of settings that an account has once, and that were set; `field` takes no number. */
const settings = (name: ResourceName, field: string): Readonly<Record<string, Row>> => ({
  [`${name}.get`]: ofAccount({ minimal: set(name) }),
  [`${name}.update`]: ofAccount({
    minimal: () => ({ data: samples[name]?.record ?? {} }),
    full: () => ({ data: samples[name]?.record ?? {} }),
    wrong: () => badField(field, { ...samples[name]?.record, [field]: 7 }),
  }),
  [`${name}.delete`]: ofAccount({ minimal: set(name) }),
});

const securityRows: Readonly<Record<string, Row>> = {
  ...settings('token_restrictions', 'restrictions'),
  ...settings('access_lists', 'cidrs'),
  ...settings('rate_limits', 'account'),
  ...settings('security', 'auth_modules'),
  'security.patch': ofAccount({
    minimal: () => ({ data: {} }),
    full: () => ({ data: samples.security?.change ?? {} }),
    wrong: () => badField('auth_modules', { auth_modules: 7 }),
  }),
  'security.attempts': ofAccount(),
  'security.modules': { minimal: nothing, wrong: stranger },
  ...collection('multi_factor'),
};

const month = { created_from: '1', created_to: '2' };

/** A setting of one device, which it has once. */
const deviceSettings = (
  name: 'device_access_lists' | 'device_rate_limits',
  field: string,
): Readonly<Record<string, Row>> => {
  const data = samples[name]?.record ?? {};
  const ofDevice = async ({ make }: Place) => ({ path: { device_id: await make('devices') } });
  const update = async (place: Place) => ({ ...(await ofDevice(place)), data });
  return {
    [`${name}.get`]: ofOne('devices', 'device_id'),
    [`${name}.update`]: {
      ...{ minimal: update, full: update },
      wrong: async (place) => ({ ...(await ofDevice(place)), ...badField(field, { ...data, [field]: 7 }) }),
    },
    [`${name}.delete`]: ofOne('devices', 'device_id'),
  };
};

const lampOf = (name: 'users' | 'devices', id: string): Row => {
  const one = async ({ make }: Place) => ({ path: { [id]: await make(name) } });
  return {
    minimal: async (place) => ({ ...(await one(place)), data: { action: 'reset' } }),
    full: async (place) => ({ ...(await one(place)), data: { action: 'set', state: 'early' } }),
    wrong: async (place) => ({ ...(await one(place)), ...badField('action', { action: 'fly' }) }),
  };
};

const lamp: Row = {
  minimal: () => ({ path: { extension: '1001' } }),
  wrong: () => ({ path: { extension: '1001', account_id: nobody }, status: 404 }),
};
const alert = collection('alerts', 'title');
const aRate: Input = { path: { phone_number: '+447911123456' } };
/** A rate for the numbers that begin with 44. */
const rated =
  (more: Input = {}) =>
  async ({ make }: Place): Promise<Input> => {
    await make('rates', { prefix: 44, rate_cost: 0.02 });
    return { ...aRate, ...more };
  };
const rateRow: Row = {
  minimal: rated(),
  full: rated({ query: { ratedeck_id: 'ratedeck' } }),
  wrong: () => ({ path: { phone_number: 'nobody' }, status: 400, field: 'number format' }),
};
const aJob = { resource_id: nobody, numbers: ['+14155550188'] };
const job = async ({ sandbox }: Place): Promise<Input> => {
  const path = `/v2/accounts/${sandbox.seed.accountId}/resources/jobs`;
  const reply = await past(sandbox)('PUT', path, { token: await sandbox.adminToken(), data: aJob });
  return { path: { job_id: reply.at('data.id') } };
};
/** A change of what an account is served, which is noted. */
const audited = async ({ sandbox }: Place): Promise<Input> => {
  const services = `/v2/accounts/${sandbox.seed.accountId}/services`;
  const token = await sandbox.superToken();
  await past(sandbox)('POST', `${services}/basic_plan`, { token, data: {} });
  const { data } = await past(sandbox)('GET', `${services}/audit`, { token });
  const [first] = Array.isArray(data) ? data.filter(isObject) : [];
  return { path: { audit_id: String(first?.id) } };
};

const aComment = { author: 'a', content: 'hi', timestamp: 63_900_000_000 };
/** Comments on a user or a device that has one. */
function commentsOn(of: 'user' | 'device'): Readonly<Record<string, Row>> {
  const owner = async ({ make }: Place) => ({ [`${of}_id`]: await make(`${of}s`) });
  const commented =
    (more: Input = {}) =>
    async (place: Place): Promise<Input> => {
      const path = await owner(place);
      const { sandbox } = place;
      const there = `/v2/accounts/${sandbox.seed.accountId}/${of}s/${path[`${of}_id`]}/comments`;
      const data = { comments: [aComment] };
      await past(sandbox)('PUT', there, { token: await sandbox.adminToken(), data });
      return { ...more, path: { ...path, comment_id: '0' } };
    };
  const noOwner = () => ({ path: { [`${of}_id`]: nobody }, status: 404 });
  const noPlace = async (place: Place) => ({
    path: { ...(await owner(place)), comment_id: '9' },
    status: 404,
  });
  const adding = async (place: Place) => ({ path: await owner(place), data: { comments: [aComment] } });
  const whole = { ...aComment, is_private: true, action_required: true };
  const one = async (place: Place) => ({ path: await owner(place) });
  return {
    [`comments.list-of-${of}`]: { minimal: one, wrong: noOwner },
    [`comments.add-to-${of}`]: {
      ...{ minimal: adding, full: adding },
      wrong: async (place) => ({ ...(await one(place)), ...badField('comments', { comments: 7 }) }),
    },
    [`comments.clear-of-${of}`]: { minimal: one, wrong: noOwner },
    [`comments.get-of-${of}`]: { minimal: commented(), wrong: noPlace },
    [`comments.update-of-${of}`]: {
      minimal: commented({ data: aComment }),
      full: commented({ data: whole }),
      wrong: async (place) => ({ ...(await commented()(place)), ...badField('content', { content: 7 }) }),
    },
    [`comments.delete-of-${of}`]: { minimal: commented(), wrong: noPlace },
  };
}

const pictures = { type: 'image/png', bytes: Buffer.from('PNG') };
const greetingPage = { type: 'text/html', bytes: Buffer.from('<p>Welcome</p>') };
const domain = 'portal.brand.example';
const brand = { company_name: 'Acme', domain };
/** The account has a brand with all its files. */
const branded =
  (more: Input = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const path = `/v2/accounts/${sandbox.seed.accountId}/whitelabel`;
    const token = await sandbox.adminToken();
    const made = await past(sandbox)('PUT', path, { token, data: brand });
    if (made.status !== 201) throw new Error(made.text);
    for (const [part, { type, bytes }] of Object.entries({
      logo: pictures,
      icon: pictures,
      welcome: greetingPage,
    })) {
      const headers = { 'content-type': type };
      await past(sandbox)('POST', `${path}/${part}`, { token, body: bytes.toString(), headers });
    }
    return more;
  };
const noBrand = () => ({ status: 404 });
const noDomain = () => ({ path: { domain: 'nobody.example' }, status: 404 });
const brandRows: Readonly<Record<string, Row>> = {
  'whitelabel.get': { minimal: branded(), wrong: noBrand },
  'whitelabel.create': {
    minimal: () => ({ data: { company_name: 'Acme' } }),
    full: () => ({ data: whole('whitelabel') }),
    wrong: () => badField('company_name', { company_name: 7 }),
  },
  'whitelabel.update': {
    minimal: branded({ data: { company_name: 'Acme' } }),
    full: (place) => branded({ data: whole('whitelabel') })(place),
    wrong: async (place) => ({
      ...(await branded()(place)),
      ...badField('company_name', { company_name: 7 }),
    }),
  },
  'whitelabel.delete': { minimal: branded(), wrong: noBrand },
  'whitelabel.of-domain': { minimal: branded({ path: { domain } }), wrong: noDomain },
  ...Object.fromEntries(
    (['logo', 'icon', 'welcome'] as const).flatMap((part): readonly (readonly [string, Row])[] => [
      [`whitelabel.${part}`, { minimal: branded(), wrong: noBrand }],
      [`whitelabel.${part}-of-domain`, { minimal: branded({ path: { domain } }), wrong: noDomain }],
      [
        `whitelabel.upload-${part}`,
        {
          minimal: branded({ file: part === 'welcome' ? greetingPage : pictures }),
          full: branded({ file: part === 'welcome' ? greetingPage : pictures }),
          wrong: () => ({ file: part === 'welcome' ? greetingPage : pictures, status: 404 }),
        },
      ],
    ]),
  ),
  'whitelabel.domains': {
    minimal: () => ({ query: { domain } }),
    full: () => ({ query: { domain } }),
    wrong: () => ({ status: 400, field: 'domain' }),
  },
  'whitelabel.check-domains': {
    minimal: () => ({ query: { domain } }),
    full: () => ({ query: { domain } }),
    wrong: () => ({ status: 400, field: 'domain' }),
  },
};

const searching = { t: 'account', q: 'name', v: 'acme' };
const searchRow: Row = {
  minimal: () => ({ query: searching }),
  full: () => ({ query: searching }),
  wrong: () => ({ query: { ...searching, q: 'fly' }, status: 400, field: 'q' }),
};
const dayRows: Readonly<Record<string, Row>> = {
  ...commentsOn('user'),
  ...commentsOn('device'),
  ...brandRows,
  'search.of-account': searchRow,
  'search.everywhere': searchRow,
  'search.multi': {
    minimal: () => ({ query: { t: 'user', by_name: 'a' } }),
    full: () => ({
      query: {
        t: 'account',
        by_name: 'a',
        by_realm: 'a',
        by_id: 'a',
        by_number: '1',
        by_name_and_number: '1',
      },
    }),
    wrong: () => ({ query: { t: 'user' }, status: 400, field: 'multi' }),
  },
  'parked_calls.list': ofAccount(),
  'hotdesks.list': ofAccount(),
  'hotdesks.of-user': ofOne('users', 'user_id'),
  'hotdesks.of-device': ofOne('devices', 'device_id'),
  'presence.summary': ofAccount({ full: () => ({ query: { event: 'dialog' } }) }),
  'presence.get': lamp,
  'presence.reset': lamp,
  'presence.set-of-user': lampOf('users', 'user_id'),
  'presence.set-of-device': lampOf('devices', 'device_id'),
  'alerts.list': ofAccount(),
  'alerts.get': {
    minimal: alert['alerts.get']?.minimal ?? nothing,
    wrong: () => ({ path: { alert_id: nobody }, status: 404 }),
  },
  'alerts.create': {
    as: 'super',
    minimal: () => ({ data: leastOf('alerts') }),
    full: () => ({ data: { ...whole('alerts'), to: [{ type: 'all' }] } }),
    wrong: () => badField('title', { ...leastOf('alerts'), title: 7 }),
  },
  'alerts.delete': ofOne('alerts', 'alert_id'),
  'acls.of-account': ofAccount({ as: 'super' }),
  'acls.everywhere': { as: 'super', minimal: nothing, wrong: stranger },
  'allotments.get': ofAccount({ minimal: set('allotments') }),
  'allotments.update': ofAccount({
    as: 'super',
    minimal: () => ({ data: samples.allotments?.record ?? {} }),
    full: () => ({ data: samples.allotments?.record ?? {} }),
    wrong: () => badField('outbound_did_us', { outbound_did_us: 7 }),
  }),
  'allotments.consumed': ofAccount({
    full: () => ({ query: { created_from: '1', created_to: '2' } }),
    wrong: wrongRange,
  }),
  'rates.ratedecks': { as: 'super', minimal: nothing, wrong: stranger },
  'rates.of-number': rateRow,
  'rates.of-number-everywhere': rateRow,
  'carrier_jobs.list': ranged,
  'carrier_jobs.get': { minimal: job, wrong: () => ({ path: { job_id: '202501-nobody' }, status: 404 }) },
  'carrier_jobs.create': {
    minimal: () => ({ data: aJob }),
    full: () => ({ data: { ...aJob, name: 'New block' } }),
    wrong: () => badField('numbers', { ...aJob, numbers: 7 }),
  },
  'services.summary': { minimal: nothing, wrong: stranger },
  'services.audit': ranged,
  'services.audit-entry': {
    minimal: audited,
    wrong: () => ({ path: { audit_id: '202501-nobody' }, status: 404 }),
  },
  'services.audit-summary': { ...ranged, full: () => ({ query: month }) },
  'services.audit-category': {
    minimal: () => ({ path: { category: 'users' } }),
    full: () => ({ path: { category: 'users' }, query: month }),
    wrong: () => ({
      path: { category: 'users' },
      query: { created_from: '9', created_to: '8' },
      status: 400,
    }),
  },
  ...deviceSettings('device_access_lists', 'cidrs'),
  ...deviceSettings('device_rate_limits', 'per_minute'),
};

const reEnabling = { data: { 're-enable': true } };

const plan = { plan_id: 'basic_plan' };
const someFlow = { module: 'hangup', data: {}, children: {} };

const otherRows: Readonly<Record<string, Row>> = {
  'users.vcard': ofOne('users', 'user_id', { accept: 'text/x-vcard' }),
  'metaflows.get': ofAccount(),
  'metaflows.update': ofAccount({
    minimal: () => ({ data: {} }),
    full: () => ({
      data: {
        binding_digit: '#',
        digit_timeout: 200,
        listen_on: 'both',
        numbers: { 2: someFlow },
        patterns: { '^3': someFlow },
      },
    }),
    wrong: () => badField('listen_on', { listen_on: 'nobody' }),
  }),
  'metaflows.delete': ofAccount(),
  'limits.get': ofAccount(),
  'limits.set': {
    minimal: () => ({ data: {} }),
    full: () => ({ data: { ...noTrunks, ...trunks } }),
    wrong: () => ({ data: trunks, status: 402 }),
  },
  'webhooks.samples': { minimal: nothing, wrong: stranger },
  'webhooks.sample': {
    minimal: () => ({ path: { sample_name: 'webhooks_object' } }),
    full: () => ({
      path: { sample_name: 'webhooks_notifications' },
      query: { filter_event_name: 'voicemail_full' },
    }),
    wrong: () => ({ path: { sample_name: 'webhooks_earthquake' }, status: 404 }),
  },
  'webhooks.hooks': { minimal: nothing, wrong: stranger },
  'webhooks.attempts': ofOne('webhooks', 'webhook_id', { query: { page_size: '1' } }),
  'webhooks.attempts-all': ofAccount({ full: () => ({ query: { page_size: '1' } }) }),
  'webhooks.re-enable': ofAccount({
    minimal: () => reEnabling,
    full: () => reEnabling,
    wrong: () => badField('re-enable', { 're-enable': 'yes' }),
  }),
  'webhooks.re-enable-descendants': ofAccount({
    minimal: () => reEnabling,
    full: () => reEnabling,
    wrong: () => badField('re-enable', {}),
  }),
  'participants.list': { minimal: conference(), wrong: noConference },
  // The sandbox has no calls, so nobody is in a conference.
  'participants.get': { wrong: noConference },
  'participants.update': {
    minimal: conference({ data: {} }),
    full: conference({ data: { action: 'mute', data: {} } }),
    wrong: async (place) => ({ ...(await conference()(place)), ...badField('action', { action: 7 }) }),
  },
  'contacts.get': ofAccount(),
  'selectors.rules': ofAccount(),
  'selectors.update-rules': ofAccount({
    minimal: () => ({ data: { rules: [] } }),
    full: () => ({ data: { rules: [{ get_resources: {} }] } }),
    wrong: () => badField('rules', { rules: 7 }),
  }),
  'selectors.list': listOf(),
  'selectors.get': { minimal: selector(), wrong: noSelector },
  'selectors.update': {
    minimal: selector({ data: aSelector }),
    full: selector({
      data: { ...aSelector, value: '+1415', start_time: 63_900_000_000, stop_time: 63_990_000_000 },
    }),
    wrong: async (place) => ({
      ...(await selector()(place)),
      ...badField('selector', { name: 'x', resource: 'y' }),
    }),
  },
  'selectors.delete': { minimal: selector(), wrong: noSelector },
  'services.get': ofAccount(),
  'services.update': ofAccount({
    as: 'super',
    minimal: () => ({ data: {} }),
    full: () => ({ data: { overrides: { phone_numbers: { did_us: { rate: 1 } } } } }),
    wrong: () => badField('plans', { plans: 7 }),
  }),
  'services.overrides': ofAccount(),
  'services.override': ofAccount({
    as: 'super',
    minimal: () => ({ data: {} }),
    full: () => ({ data: { phone_numbers: { did_us: { rate: 1 } } } }),
  }),
  'services.assign': {
    as: 'super',
    minimal: () => ({ path: plan }),
    full: () => ({ path: plan, data: { overrides: { phone_numbers: { did_us: { rate: 1 } } } } }),
    wrong: () => ({ path: plan, ...badField('vendor_id', { vendor_id: 7 }) }),
  },
  'services.unassign': {
    as: 'super',
    minimal: async ({ sandbox }) => {
      const path = `/v2/accounts/${sandbox.seed.accountId}/services/${plan.plan_id}`;
      await past(sandbox)('POST', path, { token: await sandbox.superToken(), data: {} });
      return { path: plan };
    },
    wrong: () => ({ path: { ...plan, account_id: nobody }, status: 404 }),
  },
};

const withQueue =
  (more: Input | ((place: Place) => Promise<Input>) = {}) =>
  async (place: Place): Promise<Input> => ({
    ...(typeof more === 'function' ? await more(place) : more),
    path: { queue_id: await place.make('queues') },
  });
const noQueue = () => ({ path: { queue_id: nobody }, status: 404 });
const agent =
  (more: Input = {}) =>
  async ({ make }: Place): Promise<Input> => ({ ...more, path: { user_id: await make('users') } });
const noAgent = () => ({ path: { user_id: nobody }, status: 404 });
const listener = async ({ make }: Place): Promise<Input> => ({ data: { id: await make('devices') } });
const shownTo = { caller_id_name: 'Support', caller_id_number: '200' };
const statsRange = { start_range: '0', end_range: '1' };

const source = { service: 'adjustments', id: 'one' };
const entry = { amount: 5, source, usage: { quantity: 1, type: 'call', unit: 'piece' } };
/** An entry of a ledger, booked by the super administrator. */
const booked = async ({ sandbox }: Place): Promise<Input> => {
  const path = `/v2/accounts/${sandbox.seed.accountId}/ledgers/credit`;
  const reply = await past(sandbox)('PUT', path, { token: await sandbox.superToken(), data: entry });
  return { path: { source_service: source.service, entry_id: reply.at('data.id') } };
};
const paid = async ({ sandbox }: Place): Promise<Input> => {
  const path = `/v2/accounts/${sandbox.seed.accountId}/transactions/sale`;
  const reply = await past(sandbox)('PUT', path, { token: await sandbox.superToken(), data: { amount: 5 } });
  return { path: { transaction_id: reply.at('data.id') } };
};
const toBook: Row = {
  as: 'super',
  minimal: () => ({ data: entry }),
  full: () => ({ data: { ...entry, description: 'A call', period: { start: 1, end: 2 }, metadata: {} } }),
  wrong: () => badField('source', { ...entry, source: 7 }),
};
const toPay: Row = {
  as: 'super',
  minimal: () => ({ data: { amount: 5 } }),
  full: () => ({ data: { amount: 5, description: 'Top-up', order_id: 'x', metadata: {} } }),
  wrong: () => badField('amount', { amount: 0 }),
};
const bookRows: Readonly<Record<string, Row>> = {
  'ledgers.sums': ofAccount({ full: () => ({ query: month }), wrong: wrongRange }),
  'ledgers.available': ofAccount(),
  'ledgers.summary': {
    minimal: () => ({ path: { month: '202611' } }),
    wrong: () => ({ path: { month: 'may' }, status: 404 }),
  },
  'ledgers.total': ofAccount(),
  'ledgers.list': {
    minimal: () => ({ path: { source_service: 'payments' } }),
    full: () => ({ path: { source_service: 'payments' }, query: month }),
    wrong: () => ({ path: { source_service: 'gifts' }, status: 404 }),
  },
  'ledgers.get': {
    minimal: booked,
    wrong: () => ({ path: { source_service: 'payments', entry_id: nobody }, status: 404 }),
  },
  'ledgers.credit': toBook,
  'ledgers.debit': toBook,
  'transactions.list': ofAccount({ full: () => ({ query: month }), wrong: wrongRange }),
  'transactions.get': { minimal: paid, wrong: () => ({ path: { transaction_id: nobody }, status: 404 }) },
  'transactions.sale': toPay,
  'transactions.refund': toPay,
};

const welcome = samples.notifications?.record ?? {};
/** An account's own template. */
const ownTemplate =
  (more: Input = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const path = `/v2/accounts/${sandbox.seed.accountId}/notifications`;
    await past(sandbox)('PUT', path, { token: await sandbox.adminToken(), data: welcome });
    return { path: { notification_id: 'new_user' }, ...more };
  };
/** A template that the service had no own one of, which all accounts inherit then. */
const systemTemplate =
  (more: Input = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const data = { ...welcome, id: 'customer_update_x' };
    await past(sandbox)('PUT', '/v2/notifications', { token: await sandbox.superToken(), data });
    return { path: { system_notification_id: 'customer_update_x' }, ...more };
  };
const noSystemTemplate = { path: { system_notification_id: 'nobody' }, status: 404 };
const noTemplate = (status = 404) => ({ path: { notification_id: 'nobody' }, status });
/** Services in the field fail over a template that there is not. */
const faultOver = mode === 'kazoo' ? 500 : 404;
const page = { type: 'text/html', bytes: Buffer.from('<p>Welcome</p>') };
/** Services in the field have no mailer. */
const withMailer = (inputs: Pick<Row, 'minimal' | 'full'>): Partial<Row> => (mode === 'kazoo' ? {} : inputs);
const ann = { type: 'specified', email_addresses: ['ann@acme.example'] };
const wholeMail = {
  ...{
    from: 'acme@acme.example',
    reply_to: 'ann@acme.example',
    subject: 'Works',
    to: ann,
    cc: ann,
    bcc: ann,
  },
  ...{ html: Buffer.from('<p>On Sunday</p>').toString('base64'), plain: 'On Sunday' },
};
/** A mail to the people of an account below. */
const toCustomers =
  (more: (accountId: string) => JsonObject) =>
  async ({ make, sandbox }: Place): Promise<Input> => {
    const id = await make('accounts');
    const data = { ...least.users, email: 'ann@below.example', priv_level: 'admin' };
    await past(sandbox)('PUT', `/v2/accounts/${id}/users`, { token: await sandbox.superToken(), data });
    return { data: { subject: 'Works', plain: 'On Sunday', ...more(id) } };
  };
const aMail = async ({ sandbox }: Place): Promise<Input> => {
  const now = gregorianSeconds(sandbox.clock);
  const name = { kind: 'mails', scope: sandbox.seed.accountId, id: `${monthOf(now)}-${'a'.repeat(32)}` };
  const body = { template_id: 'new_user', to: 'ann@acme.example', subject: 'Welcome', created: now };
  const times = { createdAt: now, modifiedAt: now, revision: 0 };
  await sandbox.store.commit([buildPut({ ...name, ...times, body, hidden: {} }, 'mails')]);
  return { path: { mail_id: name.id } };
};
const mailRows: Readonly<Record<string, Row>> = {
  'notifications.list': { minimal: ownTemplate({ path: {} }), wrong: stranger },
  'notifications.get': {
    minimal: ownTemplate(),
    wrong: () => noTemplate(faultOver),
  },
  'notifications.customise': {
    minimal: () => ({ data: welcome }),
    full: () => ({ data: { ...whole('notifications'), id: 'new_user' } }),
    wrong: () => badField('subject', { ...welcome, subject: [1] }),
  },
  'notifications.change': {
    minimal: ownTemplate({ data: welcome }),
    full: (place) => ownTemplate({ data: whole('notifications') })(place),
    wrong: async (place) => ({
      ...(await ownTemplate()(place)),
      ...badField('from', { ...welcome, from: [1] }),
    }),
  },
  'notifications.upload': {
    minimal: ownTemplate({ file: page }),
    full: ownTemplate({ file: page }),
    wrong: () => ({ ...noTemplate(faultOver), file: page }),
  },
  'notifications.restore': { minimal: ownTemplate(), wrong: () => noTemplate() },
  'notifications.restore-all': { minimal: ownTemplate({ path: {} }), wrong: stranger },
  'notifications.use-system': { minimal: ownTemplate({ path: {} }), wrong: stranger },
  'notifications.preview': {
    ...withMailer({ minimal: ownTemplate({ data: { to: ann } }), full: ownTemplate({ data: wholeMail }) }),
    wrong: async (place) => ({ ...(await ownTemplate()(place)), ...badField('subject', { subject: 7 }) }),
  },
  'notifications.tell-customers': {
    ...withMailer({
      minimal: toCustomers(() => ({})),
      full: toCustomers((recipient_id) => ({ ...wholeMail, recipient_id, user_type: 'all_users' })),
    }),
    wrong: () => badField('subject', { subject: 7 }),
  },
  'system_notifications.list': { minimal: systemTemplate({ path: {} }), wrong: stranger },
  'system_notifications.get': { minimal: systemTemplate(), wrong: () => noSystemTemplate },
  'system_notifications.customise': {
    as: 'super',
    minimal: () => ({ data: { ...welcome, id: 'customer_update_x' } }),
    full: () => ({ data: { ...whole('system_notifications'), id: 'customer_update_x' } }),
    wrong: () => badField('subject', { ...welcome, subject: [1] }),
  },
  'system_notifications.change': {
    as: 'super',
    minimal: systemTemplate({ data: welcome }),
    full: (place) => systemTemplate({ data: whole('system_notifications') })(place),
    wrong: () => ({ ...noSystemTemplate, data: welcome }),
  },
  'system_notifications.upload': {
    as: 'super',
    minimal: systemTemplate({ file: page }),
    full: systemTemplate({ file: page }),
    wrong: () => ({ ...noSystemTemplate, file: page }),
  },
  'mails.list': { ...ranged, minimal: async (place) => ({ ...(await aMail(place)), path: {} }) },
  'mails.get': { minimal: aMail, wrong: unknownOf('mail_id') },
};

const queueRows: Readonly<Record<string, Row>> = {
  'queues.roster': { minimal: withQueue(), wrong: noQueue },
  'queues.set-roster': {
    minimal: withQueue({ data: [] }),
    full: withQueue(async ({ make }) => ({ data: [await make('users')] })),
    wrong: () => ({ ...noQueue(), data: [] }),
  },
  'queues.clear-roster': { minimal: withQueue(), wrong: noQueue },
  'queues.stats': ofAccount({
    full: () => ({ query: { ...statsRange, status: 'waiting', agent_id: nobody } }),
    wrong: () => ({ query: { start_range: '2', end_range: '1' }, status: 400, field: 'end_range' }),
  }),
  'queues.calls': ofAccount(),
  'queues.eavesdrop': {
    minimal: withQueue(listener),
    full: withQueue(async (place) => ({
      data: { id: await place.make('devices'), mode: 'whisper', timeout: 10, ...shownTo },
    })),
    wrong: async (place) => ({ ...(await withQueue()(place)), ...badField('id', { id: nobody }) }),
  },
  // Nobody stays in a queue of the sandbox.
  'queues.eavesdrop-call': { wrong: () => badField('id', { id: nobody, call_id: 'x' }) },
  'agents.list': listOf(),
  'agents.get': { minimal: agent(), wrong: noAgent },
  'agents.states': ofAccount({ full: () => ({ query: { status: 'ready' } }) }),
  'agents.state': { minimal: agent(), wrong: noAgent },
  'agents.set-state': {
    minimal: agent({ data: { status: 'login' } }),
    full: agent({ data: { status: 'pause', timeout: 60, presence_id: '100', presence_state: 'busy' } }),
    wrong: async (place) => ({ ...(await agent()(place)), ...badField('status', { status: 'sleep' }) }),
  },
  'agents.queues': { minimal: agent(), wrong: noAgent },
  'agents.set-queue': {
    minimal: agent({ data: { action: 'login', queue_id: nobody } }),
    full: async (place) => ({
      ...(await agent()(place)),
      data: { action: 'login', queue_id: await place.make('queues') },
    }),
    wrong: async (place) => ({
      ...(await agent()(place)),
      ...badField('action', { action: 'enter', queue_id: nobody }),
    }),
  },
  'agents.stats': ofAccount({ full: () => ({ query: { ...statsRange, agent_id: nobody } }) }),
};

/** The trial of each operation, by its id. */
export const operationRows: ReadonlyMap<string, Row> = new Map(
  Object.entries({
    ...Object.fromEntries(genericCollections.flatMap((name) => Object.entries(collection(name)))),
    ...collection('callflows', 'name'),
    ...collection('carriers'),
    ...collection('carrier_templates'),
    ...collection('system_carriers'),
    ...collection('rates'),
    ...accountRows,
    ...authRows,
    ...numberRows,
    ...portRows,
    ...faxRows,
    ...entryRows,
    ...mediaRows,
    ...messageRows,
    ...bookRows,
    ...queueRows,
    ...mailRows,
    ...callRows,
    ...dayRows,
    ...taskRows,
    ...securityRows,
    ...deviceRows,
    ...otherRows,
    ...fieldRows(),
  }).flatMap(([id, row]) => (row ? [[id, row] as const] : [])),
);
