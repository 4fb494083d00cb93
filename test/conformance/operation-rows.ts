import fc from 'fast-check';
import { isObject, type JsonObject, valueAt } from '../../src/base/json.ts';
import type { ApiRequest } from '../../src/client/api/api.ts';
import { resourceByName } from '../../src/contract/catalogue.ts';
import { samples } from '../../src/contract/samples.ts';
import { requiredFields } from '../../src/contract/schema.ts';
import type { ResourceName } from '../../src/contract/types.ts';
import { sourcesByRules } from '../../src/contract/validate.ts';
import { monthOf } from '../../src/extensions/sandbox/calls/made-call.ts';
import { credentialDigests, gregorianSeconds } from '../../src/extensions/sandbox/ids-and-secrets.ts';
import { buildPut } from '../../src/extensions/sandbox/placement.ts';
import type { CalledSandbox } from '../support/called-sandbox.ts';
import { minuteMs } from '../support/clock.ts';
import { forgingProvider } from '../support/forging-provider.ts';
import { genericCollections } from '../support/generic-collections.ts';
import { mode } from '../support/mode.ts';
import { recordBodies } from '../support/record-bodies.ts';
import { fieldRows } from './field-rows.ts';

export type Input = Omit<ApiRequest, 'operation'>;

/** An input that is refused, with the expected status and field. */
export interface Wrong extends Input {
  readonly status: number;
  readonly field?: string;
  /** Call with an invalid token, for operations without invalid inputs. */
  readonly invalidToken?: true;
}

/** A sandbox in which operations are tried. */
export interface Place {
  readonly sandbox: CalledSandbox;
  /** Creates a record in the account without the client, and returns its id. */
  make(name: ResourceName, data?: JsonObject): Promise<string>;
}

/** Inputs of one operation. Each function creates what its call needs. */
export interface Row {
  /** The caller (default: the administrator of the account). */
  readonly as?: 'super';
  /** The smallest valid input. Missing if the operation cannot succeed in the sandbox. */
  readonly minimal?: (place: Place) => Input | Promise<Input>;
  /** An input with all parameters. Missing if there are none beyond `minimal`. */
  readonly full?: (place: Place) => Input | Promise<Input>;
  readonly wrong: (place: Place) => Wrong | Promise<Wrong>;
}

const digests = ({ seed }: CalledSandbox) => credentialDigests(seed.adminUsername, seed.adminPassword);

export const unknownId = 'f'.repeat(32);
const noInput = () => ({});
export const invalidToken = (): Wrong => ({ status: 401, invalidToken: true });

/** Minimal records of resources whose sample does not contain a minimal record. */
export const minimalRecords = {
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

/** Returns a minimal new record of a resource. */
export function minimalRecord(name: ResourceName): JsonObject {
  const known: Partial<Record<ResourceName, JsonObject>> = minimalRecords;
  const required = requiredFields(resourceByName(name), 'create', sourcesByRules.conventions);
  const sample = Object.entries(samples[name]?.record ?? {});
  return known[name] ?? Object.fromEntries(sample.filter(([field]) => required.includes(field)));
}

/** Returns the function that calls a sandbox to prepare records. The specification lists few of these operations. */
export const callForSetup = ({ call, callUsually }: CalledSandbox): CalledSandbox['call'] =>
  mode === 'specification' ? callUsually : call;

/** Returns a place to try operations in the account of a sandbox. */
export function createPlace(sandbox: CalledSandbox): Place {
  return {
    sandbox,
    async make(name, data) {
      const create = resourceByName(name).operations.find(({ verb }) => verb === 'create');
      if (!create) throw new Error(`${name} has no create operation.`);
      const path = `/v2${create.path.replace('{account_id}', sandbox.seed.accountId)}`;
      const body = data ?? minimalRecord(name);
      const token = await (create.role === 'super' ? sandbox.superToken() : sandbox.adminToken());
      // KAZOO creates no SSO applications.
      const call = name === 'apps' ? sandbox.callUsually : callForSetup(sandbox);
      const reply = await call('PUT', path, { token, data: body });
      // KAZOO returns a new fax as a document of its store, which has no `id`.
      return valueAt(reply.data, '_id') === undefined ? reply.at('data.id') : reply.at('data._id');
    },
  };
}

/** Returns a body with every field of the resource. */
function completeBody(name: ResourceName): JsonObject {
  const [body] = fc.sample(recordBodies(resourceByName(name), { all: true }), { numRuns: 1, seed: 7 });
  if (!body) throw new Error(`${name} has no bodies.`);
  return body;
}

/** Returns an invalid input for a field, and its expected refusal. */
export const invalidField = (field: string, data: JsonObject): Wrong => ({ data, status: 400, field });

/** Returns rows for the six verbs of a collection. `field` does not accept an array. */
function collectionRows(
  name: ResourceName,
  field = Object.keys(minimalRecord(name))[0] ?? 'name',
): Readonly<Record<string, Row>> {
  const { idParameter: id = '', operations } = resourceByName(name);
  const isForSuper = operations.find(({ verb }) => verb === 'create')?.role === 'super';
  const data = minimalRecord(name);
  const bad = invalidField(field, { ...data, [field]: [1] });
  const one = async ({ make }: Place) => ({ path: { [id]: await make(name) } });
  const unknown = () => ({ path: { [id]: unknownId }, status: 404 });
  const rows: Readonly<Record<string, Row>> = {
    [`${name}.list`]: {
      minimal: noInput,
      full: () => ({
        query: { page_size: '1', ascending: 'true', created_from: '0', filter_enabled: ['true', 'x'] },
      }),
      wrong: () => ({ query: { page_size: '0' }, status: 404 }),
    },
    [`${name}.get`]: { minimal: one, wrong: unknown },
    [`${name}.create`]: {
      minimal: () => ({ data }),
      full: () => ({ data: completeBody(name) }),
      wrong: () => bad,
    },
    [`${name}.update`]: {
      minimal: async (place) => ({ ...(await one(place)), data }),
      full: async (place) => ({ ...(await one(place)), data: completeBody(name) }),
      wrong: async (place) => ({ ...(await one(place)), ...bad }),
    },
    [`${name}.patch`]: {
      minimal: async (place) => ({ ...(await one(place)), data: {} }),
      full: async (place) => ({ ...(await one(place)), data: completeBody(name) }),
      wrong: async (place) => ({ ...(await one(place)), ...invalidField(field, { [field]: [1] }) }),
    },
    [`${name}.delete`]: { minimal: one, wrong: unknown },
  };
  if (!isForSuper) return rows;
  return Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, { as: 'super', ...row }]));
}

function withoutPatch(rows: Readonly<Record<string, Row>>): Readonly<Record<string, Row>> {
  return Object.fromEntries(Object.entries(rows).filter(([id]) => !id.endsWith('.patch')));
}

/** Returns the row of an operation on one record without a body. */
const recordRow = (name: ResourceName, id: string, full?: Input): Row => ({
  minimal: async ({ make }) => ({ path: { [id]: await make(name) } }),
  ...(full ? { full: async ({ make }) => ({ path: { [id]: await make(name) }, ...full }) } : {}),
  wrong: () => ({ path: { [id]: unknownId }, status: 404 }),
});

/** Returns the row of an operation on the account. */
const accountRow = (row: Partial<Row> = {}): Row => ({
  minimal: noInput,
  wrong: () => ({ path: { account_id: unknownId }, status: 404 }),
  ...row,
});

const listRow = (wrong: Partial<Wrong> = {}): Row => ({
  minimal: noInput,
  full: () => ({ query: { page_size: '1', ascending: 'true' } }),
  wrong: () => ({ query: { page_size: 'many' }, status: 404, ...wrong }),
});

/** Creates an account below the caller's. */
const createSubaccount = async ({ make }: Place) => ({ account_id: await make('accounts') });
const readKeyId = async ({ sandbox }: Place): Promise<string> => {
  const { data } = await callForSetup(sandbox)('GET', '/v2/auth/keys', { token: await sandbox.superToken() });
  return String(Array.isArray(data) ? data[0] : '');
};

/** Creates an SSO application, and returns the link of a user whose code its provider issues. */
async function createApplication({ sandbox, make }: Place) {
  const client_id = await make('apps');
  const provider = await forgingProvider(client_id);
  const known = { id: 'google', discovery: provider.discovery, issuer_domains: [provider.issuer] };
  const token = await sandbox.superToken();
  await callForSetup(sandbox)('POST', '/v2/auth/providers/google', { token, data: known });
  return {
    provider,
    callback: { client_id, provider: 'google', redirect_uri: 'http://127.0.0.1:4000/callback' },
  };
}

const link = { path: { link_id: 'google-ann' } };

/** Creates a person who is signed in at the provider but not linked to a user. */
async function signInAtProvider(place: Place): Promise<Input> {
  const { provider, callback } = await createApplication(place);
  const data = { ...callback, code: provider.code({ sub: 'ann' }) };
  const reply = await callForSetup(place.sandbox)('PUT', '/v2/auth/callback', { data });
  if (reply.status !== 201) throw new Error(reply.text);
  return link;
}

async function linkUser(place: Place): Promise<Input> {
  await signInAtProvider(place);
  const token = await place.sandbox.adminToken();
  await callForSetup(place.sandbox)('PUT', '/v2/auth/links/google-ann', { token, data: {} });
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
  'accounts.list': accountRow({ full: () => ({ query: { page_size: '1', filter_name: 'Below' } }) }),
  'accounts.descendants': accountRow({ full: () => ({ query: { page_size: '1', ascending: 'true' } }) }),
  'accounts.get': accountRow(),
  'accounts.create': {
    minimal: () => ({ data: minimalRecords.accounts }),
    full: () => ({ data: completeBody('accounts') }),
    wrong: () => invalidField('realm', { name: 'B', realm: 'no realm' }),
  },
  'accounts.update': {
    minimal: async (place) => ({ path: await createSubaccount(place), data: { name: 'Other' } }),
    full: async (place) => ({ path: await createSubaccount(place), data: completeBody('accounts') }),
    wrong: async (place) => ({ path: await createSubaccount(place), ...invalidField('name', {}) }),
  },
  'accounts.patch': {
    minimal: async (place) => ({ path: await createSubaccount(place), data: {} }),
    full: async (place) => ({ path: await createSubaccount(place), data: completeBody('accounts') }),
    wrong: async (place) => ({
      path: await createSubaccount(place),
      ...invalidField('enabled', { enabled: 'perhaps' }),
    }),
  },
  'accounts.delete': accountRow({ minimal: async (place) => ({ path: await createSubaccount(place) }) }),
  'accounts.api-key': accountRow(),
  'accounts.rotate-api-key': accountRow({ full: () => ({ data: {} }) }),
  'accounts.put-api-key': accountRow({ full: () => ({ data: {} }) }),
};

const authRows: Readonly<Record<string, Row>> = {
  'tokens.user-auth': {
    minimal: ({ sandbox }) => ({
      data: { credentials: digests(sandbox).md5, account_name: 'acme' },
    }),
    full: ({ sandbox }) => ({
      data: { credentials: digests(sandbox).sha, method: 'sha', account_realm: sandbox.seed.accountRealm },
    }),
    wrong: () => invalidField('method', { credentials: 'x', method: 'crc', account_name: 'acme' }),
  },
  'tokens.api-auth': {
    minimal: ({ sandbox }) => ({ data: { api_key: sandbox.seed.apiKey } }),
    full: ({ sandbox }) => ({ data: { api_key: sandbox.seed.apiKey } }),
    wrong: () => ({ data: { api_key: '0'.repeat(64) }, status: 404 }),
  },
  'tokens.reset-system-secret': {
    as: 'super',
    minimal: noInput,
    wrong: invalidToken,
  },
  'tokens.reset-account-secret': accountRow(),
  'tokens.reset-user-secret': recordRow('users', 'user_id'),
  'tokens.refresh': { minimal: noInput, wrong: invalidToken },
  'tokens.callback': {
    minimal: async (place) => {
      const { provider, callback } = await createApplication(place);
      return { data: { ...callback, code: provider.code({ sub: 'ann' }) } };
    },
    full: async (place) => {
      const { provider, callback } = await createApplication(place);
      return {
        data: { ...callback, code: provider.code({ sub: 'ann', nonce: 'n' }), nonce: 'n', state: 'xyz' },
      };
    },
    wrong: () => invalidField('code', { client_id: 'x', provider: 'google', redirect_uri: 'https://x' }),
  },
  'tokens.info-by-query': {
    minimal: async ({ sandbox }) => ({ query: { token: await sandbox.keyToken() } }),
    wrong: () => ({ query: { token: 'x.y.z' }, status: 401 }),
  },
  'tokens.info': {
    minimal: async ({ sandbox }) => ({ data: { token: await sandbox.keyToken() } }),
    full: async ({ sandbox }) => ({ data: { token: await sandbox.adminToken() } }),
    wrong: () => invalidField('token', { token: 7 }),
  },
  'tokens.authorize': {
    minimal: async (place) => {
      const { provider } = await createApplication(place);
      return { data: { token: await provider.token({ sub: 'ann' }) } };
    },
    full: async (place) => {
      const { provider, callback } = await createApplication(place);
      const token = await provider.token({ sub: 'ann' });
      return { data: { token, provider: 'google', app: callback.client_id } };
    },
    wrong: () => invalidField('token', { token: 7 }),
  },
  'apps.list': listRow(),
  'apps.list-of-account': listRow(),
  'apps.get': recordRow('apps', 'app_id'),
  'apps.create': {
    minimal: () => ({ data: minimalRecords.apps }),
    full: () => ({ data: completeBody('apps') }),
    wrong: () => invalidField('provider', { ...minimalRecords.apps, provider: 'unheard-of' }),
  },
  'apps.update': {
    minimal: async ({ make }) => ({ path: { app_id: await make('apps') }, data: minimalRecords.apps }),
    full: async ({ make }) => ({
      path: { app_id: await make('apps') },
      data: { ...completeBody('apps'), client_id: 'acme-app' },
    }),
    wrong: async ({ make }) => ({
      path: { app_id: await make('apps') },
      ...invalidField('secret', { ...minimalRecords.apps, secret: 1 }),
    }),
  },
  'apps.delete': recordRow('apps', 'app_id'),
  'providers.list': listRow(),
  'providers.get': {
    minimal: () => ({ path: { provider_id: 'google' } }),
    wrong: () => ({ path: { provider_id: unknownId }, status: 404 }),
  },
  'providers.update': {
    as: 'super',
    minimal: () => ({ path: { provider_id: 'google' }, data: { id: 'google' } }),
    full: () => ({ path: { provider_id: 'google' }, data: { ...completeBody('providers'), id: 'google' } }),
    wrong: () => ({
      path: { provider_id: 'google' },
      ...invalidField('provider_type', { id: 'google', provider_type: 'x' }),
    }),
  },
  'providers.delete': {
    as: 'super',
    minimal: () => ({ path: { provider_id: 'duo' } }),
    wrong: () => ({ path: { provider_id: unknownId }, status: 404 }),
  },
  'links.list': listRow(),
  'links.link': {
    minimal: signInAtProvider,
    full: async (place) => ({ ...(await signInAtProvider(place)), data: {} }),
    wrong: () => ({ path: { link_id: unknownId }, status: 404 }),
  },
  'links.get': { minimal: linkUser, wrong: () => ({ path: { link_id: unknownId }, status: 404 }) },
  'links.delete': { minimal: linkUser, wrong: () => ({ path: { link_id: unknownId }, status: 404 }) },
  'keys.list': { minimal: noInput, wrong: invalidToken },
  'keys.get': {
    minimal: async (place) => ({ path: { key_id: await readKeyId(place) } }),
    full: async (place) => ({ path: { key_id: await readKeyId(place) }, accept: 'application/x-pem-file' }),
    wrong: () => ({ path: { key_id: unknownId }, status: 404 }),
  },
  'keys.reset': {
    as: 'super',
    minimal: async (place) => ({ path: { key_id: await readKeyId(place) } }),
    wrong: () => ({ path: { key_id: unknownId }, status: 404 }),
  },
};

export const number = '+14155550123';
const one = { path: { phone_number: number } };

/** Creates a number in a state. */
export const createNumber =
  (state: 'in_service' | 'reserved' | 'port_in', more: Input = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const path = `/v2/accounts/${sandbox.seed.accountId}/phone_numbers/${encodeURIComponent(number)}`;
    const token = await sandbox.superToken();
    const reply = await callForSetup(sandbox)('PUT', path, { token, data: { create_with_state: state } });
    if (reply.status !== 201) throw new Error(reply.text);
    return { ...one, ...more };
  };

const unknownNumber = () => ({ path: { phone_number: '+14155559999' }, status: 404 });
export const completeNumber = () => {
  const { create_with_state: _, carrier_name: __, ...body } = completeBody('numbers');
  return body;
};
const badNumber = { cnam: { display_name: '' } };
const numberStateRow = (from: 'in_service' | 'reserved'): Row => ({
  minimal: createNumber(from),
  full: createNumber(from, { data: { cnam: { display_name: 'Acme' } } }),
  wrong: unknownNumber,
});

const numberRows: Readonly<Record<string, Row>> = {
  'numbers.list': {
    minimal: noInput,
    full: () => ({ query: { page_size: '1', filter_state: 'reserved' } }),
    wrong: () => ({ query: { page_size: '0' }, status: 404 }),
  },
  'numbers.get': { minimal: createNumber('reserved'), wrong: unknownNumber },
  'numbers.create': {
    as: 'super',
    minimal: () => one,
    full: () => ({ ...one, data: { ...completeNumber(), create_with_state: 'in_service' } }),
    wrong: () => ({ ...one, ...invalidField('cnam.display_name', badNumber) }),
  },
  'numbers.update': {
    minimal: createNumber('reserved', { data: {} }),
    full: (place) => createNumber('reserved', { data: completeNumber() })(place),
    wrong: async (place) => ({
      ...(await createNumber('reserved')(place)),
      ...invalidField('cnam.display_name', badNumber),
    }),
  },
  'numbers.patch': {
    minimal: createNumber('reserved', { data: {} }),
    full: (place) => createNumber('reserved', { data: completeNumber() })(place),
    wrong: async (place) => ({
      ...(await createNumber('reserved')(place)),
      ...invalidField('cnam.display_name', badNumber),
    }),
  },
  'numbers.delete': { minimal: createNumber('reserved'), wrong: unknownNumber },
  'numbers.activate': numberStateRow('reserved'),
  'numbers.reserve': numberStateRow('in_service'),
  'numbers.port-in': {
    as: 'super',
    minimal: () => one,
    full: () => ({ ...one, data: { porting: { service_provider: 'Old' } } }),
    wrong: () => ({ path: { phone_number: 'no number' }, status: 404 }),
  },
  'numbers.locality': {
    minimal: () => ({ data: { numbers: [] } }),
    full: () => ({ data: { numbers: [number, '+442079460000', 'no number'] } }),
    wrong: () => invalidField('numbers', { numbers: 7 }),
  },
  'numbers.classify': {
    minimal: () => one,
    wrong: () => ({ ...one, path: { ...one.path, account_id: unknownId }, status: 404 }),
  },
};

/** Creates a port request and moves it to a state as the authority. */
export const createPort =
  (state: 'unconfirmed' | 'submitted' | 'pending', more: Input = {}) =>
  async ({ sandbox, make }: Place): Promise<Input> => {
    const id = await make('ports');
    const token = await sandbox.superToken();
    const moves = { unconfirmed: [], submitted: ['submitted'], pending: ['submitted', 'pending'] };
    for (const move of moves[state]) {
      const path = `/v2/accounts/${sandbox.seed.accountId}/port_requests/${id}/${move}`;
      await callForSetup(sandbox)('PATCH', path, { token, data: {} });
    }
    return { ...more, path: { port_request_id: id } };
  };

const portStateRow = (from: 'unconfirmed' | 'submitted' | 'pending', by?: 'super'): Row => ({
  ...(by ? { as: by } : {}),
  minimal: createPort(from),
  full: createPort(from, { data: { reason: 'asked for' } }),
  wrong: () => ({ path: { port_request_id: unknownId }, status: 404 }),
});

const portRows: Readonly<Record<string, Row>> = {
  ...collectionRows('ports'),
  'ports.list': {
    minimal: noInput,
    full: () => ({ query: { by_types: 'all', by_number: '+14155550102', page_size: '1' } }),
    wrong: () => ({ query: { page_size: '0' }, status: 404 }),
  },
  'ports.submit': portStateRow('unconfirmed'),
  'ports.pend': portStateRow('submitted', 'super'),
  'ports.schedule': {
    as: 'super',
    minimal: createPort('pending', { data: {} }),
    full: createPort('pending', {
      data: {
        reason: 'as agreed',
        schedule_on: { timezone: 'America/New_York', date_time: '2030-01-31 09:00' },
      },
    }),
    wrong: async (place) => ({
      ...(await createPort('pending')(place)),
      ...invalidField('schedule_on', {
        schedule_on: { timezone: 'Nowhere/At_All', date_time: '2030-01-31 09:00' },
      }),
    }),
  },
  'ports.complete': portStateRow('pending', 'super'),
  'ports.reject': portStateRow('submitted', 'super'),
  'ports.cancel': portStateRow('unconfirmed'),
  'ports.timeline': recordRow('ports', 'port_request_id'),
  'ports.comment': {
    minimal: async (place) => ({
      ...(await createPort('unconfirmed')(place)),
      data: { comments: [{ content: 'Hello' }] },
    }),
    full: async (place) => ({
      ...(await createPort('unconfirmed')(place)),
      data: {
        comments: [{ content: 'Hello', is_private: false, action_required: false }, { content: 'Again' }],
      },
    }),
    wrong: async (place) => ({
      ...(await createPort('unconfirmed')(place)),
      ...invalidField('comments.0.content', { comments: [{}] }),
    }),
  },
};

/** Creates a completed fax in the outbox. */
const sendFax = async ({ sandbox, make }: Place): Promise<Input> => {
  const id = await make('faxes');
  sandbox.clock.turn(10 * minuteMs);
  return { path: { fax_id: id } };
};

/** Creates a received fax by sending one to the account's own number. */
const receiveFax = async (place: Place): Promise<Input> => {
  const { sandbox, make } = place;
  await createNumber('in_service')(place);
  await make('faxes', { ...minimalRecords.faxes, to_number: number });
  sandbox.clock.turn(10 * minuteMs);
  const path = `/v2/accounts/${sandbox.seed.accountId}/faxes/inbox`;
  const { data } = await callForSetup(sandbox)('GET', path, { token: await sandbox.adminToken() });
  const [fax] = Array.isArray(data) ? data.filter(isObject) : [];
  return { path: { fax_id: String(fax?.id) } };
};

const unknownFax = () => ({ path: { fax_id: unknownId }, status: 404 });
const faxListRow = (): Row => ({
  ...listRow(),
  full: () => ({ query: { page_size: '1', created_from: '63900000000', created_to: '63900086400' } }),
});
const {
  'faxes.list': faxList,
  'faxes.get': faxGet,
  'faxes.create': faxCreate,
} = collectionRows('faxes', 'retries');

/** Creates an email to a fax box that was not converted to a fax. */
const createFaxMail = async ({ sandbox }: Place): Promise<Input> => {
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
  'faxes.inbox': faxListRow(),
  'faxes.outbox': faxListRow(),
  'faxes.received': { minimal: receiveFax, wrong: unknownFax },
  'faxes.sent': { minimal: sendFax, wrong: unknownFax },
  'faxes.delete-received': { minimal: receiveFax, wrong: unknownFax },
  'faxes.delete-sent': { minimal: sendFax, wrong: unknownFax },
  'faxes.resubmit': { minimal: sendFax, wrong: unknownFax },
  'fax_mails.list': {
    ...faxListRow(),
    minimal: async (place) => ({ ...(await createFaxMail(place)), path: {} }),
  },
  'fax_mails.get': {
    minimal: createFaxMail,
    wrong: () => ({ path: { fax_mail_id: unknownId }, status: 404 }),
  },
};

const createBox =
  (more: Input = {}) =>
  async ({ make }: Place): Promise<Input> => ({ ...more, path: { vm_box_id: await make('vmboxes') } });

/** Creates a message in a voicemail box. */
export const createMessage =
  (more: Input = {}) =>
  async ({ sandbox, make }: Place): Promise<Input> => {
    const vm_box_id = await make('vmboxes');
    const path = `/v2/accounts/${sandbox.seed.accountId}/vmboxes/${vm_box_id}/messages`;
    const reply = await callForSetup(sandbox)('PUT', path, { token: await sandbox.adminToken(), data: {} });
    return { ...more, path: { vm_box_id, message_id: reply.at('data.id') } };
  };

const unknownBox = () => ({ path: { vm_box_id: unknownId }, status: 404 });
const unknownMessage = async (place: Place) => {
  const { path } = await createBox()(place);
  return { path: { ...path, message_id: unknownId }, status: 404 };
};
const badFolder = invalidField('folder', { folder: 'attic' });

const messageRows: Readonly<Record<string, Row>> = {
  'messages.list': {
    minimal: createBox(),
    full: createBox({ query: { page_size: '1', filter_folder: 'new' } }),
    wrong: unknownBox,
  },
  'messages.get': { minimal: createMessage(), wrong: unknownMessage },
  'messages.create': {
    minimal: createBox({ data: {} }),
    full: createBox({
      data: { caller_id_name: 'Ann', caller_id_number: '+14155550100', length: 4000, folder: 'new' },
    }),
    wrong: async (place) => ({ ...(await createBox()(place)), ...badFolder }),
  },
  'messages.update': {
    minimal: createMessage({ data: {} }),
    full: createMessage({ data: { folder: 'saved' } }),
    wrong: async (place) => ({ ...(await createMessage()(place)), ...badFolder }),
  },
  'messages.delete': { minimal: createMessage(), wrong: unknownMessage },
  'messages.move-all': {
    minimal: createBox({ data: { folder: 'saved' } }),
    full: async (place) => {
      const { path = {} } = await createMessage()(place);
      return { path, data: { folder: 'saved', messages: [path.message_id ?? '', unknownId] } };
    },
    wrong: async (place) => ({ ...(await createBox()(place)), ...badFolder }),
  },
  'messages.delete-all': {
    minimal: createBox(),
    full: createBox({ query: { folder: 'new' } }),
    wrong: unknownBox,
  },
};

/** Creates a list with an entry. */
const createEntry =
  (more: Input = {}) =>
  async ({ sandbox, make }: Place): Promise<Input> => {
    const list_id = await make('lists');
    const path = `/v2/accounts/${sandbox.seed.accountId}/lists/${list_id}/entries`;
    const token = await sandbox.adminToken();
    const reply = await callForSetup(sandbox)('PUT', path, { token, data: { number: '1415' } });
    return { ...more, path: { list_id, entry_id: reply.at('data.id') } };
  };
const unknownEntry = async (place: Place) => {
  const { path } = await createEntry()(place);
  return { path: { ...path, entry_id: unknownId }, status: 404 };
};
const entryData = { list_id: unknownId, number: '1415', name: 'Carla' };
const invalidEntry = async (place: Place) => ({
  ...(await createEntry()(place)),
  ...invalidField('displayname', { ...entryData, displayname: '' }),
});
const entryRows: Readonly<Record<string, Row>> = {
  'list_entries.list': {
    minimal: createEntry(),
    wrong: () => ({ path: { list_id: unknownId }, status: 404 }),
  },
  'list_entries.get': { minimal: createEntry(), wrong: unknownEntry },
  'list_entries.create': {
    minimal: createEntry({ data: {} }),
    full: createEntry({ data: entryData }),
    wrong: invalidEntry,
  },
  'list_entries.update': {
    minimal: createEntry({ data: { list_id: unknownId } }),
    full: createEntry({ data: entryData }),
    wrong: invalidEntry,
  },
  'list_entries.patch': {
    minimal: createEntry({ data: {} }),
    full: createEntry({ data: entryData }),
    wrong: invalidEntry,
  },
  'list_entries.delete': { minimal: createEntry(), wrong: unknownEntry },
  'list_entries.clear': {
    minimal: createEntry(),
    wrong: () => ({ path: { list_id: unknownId }, status: 404 }),
  },
};

/** The first bytes of an audio file. */
export const sound = { type: 'audio/mpeg', bytes: Buffer.from('ID3 sound') } as const;

/** Creates a media record with its file. */
const createMedia =
  (more: Input = {}) =>
  async ({ sandbox, make }: Place): Promise<Input> => {
    const media_id = await make('media', { name: 'Hello', prompt_id: 'vm-enter_pass' });
    const path = `/v2/accounts/${sandbox.seed.accountId}/media/${encodeURIComponent(media_id)}/raw`;
    const token = await sandbox.adminToken();
    const headers = { 'content-type': sound.type };
    await callForSetup(sandbox)('POST', path, { token, headers, body: sound.bytes.toString() });
    return { path: { media_id }, ...more };
  };
const mediaRow = (path: Input['path'] = {}): Row => ({
  minimal: async (place) => {
    await createMedia()(place);
    return { path };
  },
  wrong: () => ({ path: { ...path, account_id: unknownId }, status: 404 }),
});

const mediaRows: Readonly<Record<string, Row>> = {
  ...withoutPatch(collectionRows('media')),
  'media.update': {
    ...collectionRows('media')['media.update'],
    full: async ({ make }) => {
      const { prompt_id: _, ...data } = completeBody('media');
      return { path: { media_id: await make('media') }, data };
    },
    wrong: async ({ make }) => ({
      path: { media_id: await make('media') },
      ...invalidField('name', { name: [1] }),
    }),
  },
  'media.upload': {
    minimal: createMedia({ file: sound }),
    full: createMedia({ file: sound }),
    wrong: async (place) => ({
      ...(await createMedia()(place)),
      ...{ file: { ...sound, type: 'audio/unheard-of' }, status: 400, field: 'content_type' },
    }),
  },
  'media.download': { minimal: createMedia(), wrong: () => ({ path: { media_id: unknownId }, status: 404 }) },
  'media.languages': mediaRow(),
  'media.language': mediaRow({ language: 'en-us' }),
  'media.prompts': mediaRow(),
  'media.prompt': mediaRow({ prompt_id: 'vm-enter_pass' }),
};

const createConference =
  (more: Input = {}) =>
  async ({ make }: Place): Promise<Input> => ({
    ...more,
    path: { conference_id: await make('conferences'), participant_id: '1' },
  });
const unknownConference = () => ({ path: { conference_id: unknownId, participant_id: '1' }, status: 404 });
/** Creates a selector. The API cannot create selectors. */
const createSelector =
  (more: Input = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const name = { kind: 'selectors', scope: sandbox.seed.accountId, id: 'a'.repeat(32) };
    const times = { createdAt: 63_900_000_000, modifiedAt: 63_900_000_000, revision: 0 };
    await sandbox.store.commit([buildPut({ ...name, ...times, body: aSelector, hidden: {} }, 'selectors')]);
    return { ...more, path: { selector_id: name.id } };
  };
const aSelector = { name: 'Local', resource: 'carrier_one', selector: 'prefix' };
const unknownSelector = () => ({ path: { selector_id: unknownId }, status: 404 });

/** Creates a leg of a call with a recording, which began ten seconds ago. The API cannot create calls. */
const createLeg =
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
const createLiveCall = (more: Input = {}) => createLeg('channel_id', { ...more, seconds: 60 });
const unknownCall = (name: string) => () => ({ path: { [name]: '202501-nobody' }, status: 404 });
const ofLegs = recordRow('users', 'user_id');
const range = { query: { created_from: '63900000000', created_to: '63900000009', page_size: '1' } };
const wrongRange = () => ({ query: { created_from: '9', created_to: '8' }, status: 400 });
const ranged = { minimal: noInput, full: () => range, wrong: wrongRange };
const rangedOfUser: Row = {
  ...ofLegs,
  full: async (place) => ({ ...(await ofLegs.minimal?.(place)), ...range }),
};

/** Registers a phone. The API cannot register phones. */
async function registerPhone({ sandbox, make }: Place, owner: JsonObject = {}): Promise<string> {
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
const withRegisteredPhone = async (place: Place): Promise<Input> => {
  await registerPhone(place);
  return {};
};
const called = { number: '+14155550100' };
const calling = {
  query: { number_filter: 'false', auto_answer: 'false', timeout: '10', 'cid-name': 'A', 'cid-number': '1' },
};
const quickcallRow = (name: 'devices' | 'users'): Row => {
  const ready = async (place: Place): Promise<Input> => {
    const owner_id = await place.make('users');
    const device_id = await registerPhone(place, { owner_id });
    return { path: { ...(name === 'users' ? { user_id: owner_id } : { device_id }), ...called } };
  };
  return {
    minimal: ready,
    full: async (place) => ({ ...(await ready(place)), ...calling }),
    wrong: () => ({ path: { user_id: unknownId, device_id: unknownId, ...called }, status: 404 }),
  };
};
const deviceRows: Readonly<Record<string, Row>> = {
  'devices.status': accountRow({ minimal: withRegisteredPhone }),
  'devices.sync': recordRow('devices', 'device_id', { data: {} }),
  'devices.notify': {
    minimal: async ({ make }) => ({
      path: { device_id: await make('devices') },
      data: { data: { event: 'check-sync' } },
    }),
    full: async ({ make }) => ({
      path: { device_id: await make('devices') },
      data: { data: { event: 'check-sync', body: { content_type: 'text/plain', data: 'x' } } },
    }),
    wrong: async ({ make }) => ({ path: { device_id: await make('devices') }, ...invalidField('data', {}) }),
  },
  'devices.quickcall': quickcallRow('devices'),
  'devices.start-quickcall': quickcallRow('devices'),
  'devices.quickcall-of-user': quickcallRow('users'),
  'devices.start-quickcall-of-user': quickcallRow('users'),
  'devices.list-of-user': recordRow('users', 'user_id', { query: { page_size: '1' } }),
  'devices.create-below-user': {
    minimal: async ({ make }) => ({ path: { user_id: await make('users') }, data: minimalRecords.devices }),
    full: async ({ make }) => ({ path: { user_id: await make('users') }, data: completeBody('devices') }),
    wrong: async ({ make }) => ({
      path: { user_id: await make('users') },
      ...invalidField('name', { name: [1] }),
    }),
  },
  'registrations.list': accountRow({ minimal: withRegisteredPhone }),
  'registrations.count': accountRow({ minimal: withRegisteredPhone }),
  'registrations.end': {
    minimal: async (place) => ({ ...(await withRegisteredPhone(place)), path: { username: 'desk' } }),
    wrong: () => ({ path: { username: 'nobody' }, status: 404 }),
  },
  'registrations.end-all': accountRow({ minimal: withRegisteredPhone }),
  'registrations.list-everywhere': { as: 'super', minimal: withRegisteredPhone, wrong: invalidToken },
  'registrations.count-everywhere': { as: 'super', minimal: withRegisteredPhone, wrong: invalidToken },
};

const callRows: Readonly<Record<string, Row>> = {
  'cdrs.list': ranged,
  'cdrs.of-user': rangedOfUser,
  'cdrs.interactions': ranged,
  'cdrs.interactions-of-user': rangedOfUser,
  'cdrs.get': { minimal: createLeg('cdr_id'), wrong: unknownCall('cdr_id') },
  'cdrs.legs': { minimal: createLeg('interaction_id'), wrong: unknownCall('interaction_id') },
  'cdrs.summary': {
    ...ranged,
    full: () => ({ query: { created_from: '63900000000', created_to: '63900000009' } }),
  },
  'channels.list': accountRow(),
  'channels.get': { minimal: createLiveCall(), wrong: unknownCall('channel_id') },
  'channels.of-user': ofLegs,
  'channels.of-device': recordRow('devices', 'device_id'),
  'channels.of-group': recordRow('groups', 'group_id'),
  'channels.act': {
    minimal: createLiveCall({ data: { action: 'hangup' } }),
    full: createLiveCall({ data: { action: 'intercept', target_type: 'number', target_id: '2001' } }),
    wrong: async (place) => ({
      ...(await createLiveCall()(place)),
      ...invalidField('target_type', { action: 'intercept' }),
    }),
  },
  'channels.metaflow': {
    minimal: createLiveCall({ data: { module: 'hold' } }),
    full: createLiveCall({ data: { module: 'play', data: { id: 'm1' }, children: {} } }),
    wrong: unknownCall('channel_id'),
  },
  'recordings.list': ranged,
  'recordings.of-user': rangedOfUser,
  'recordings.get': {
    minimal: createLeg('recording_id'),
    full: createLeg('recording_id', { accept: 'audio/mpeg' }),
    wrong: unknownCall('recording_id'),
  },
  'recordings.delete': { minimal: createLeg('recording_id'), wrong: unknownCall('recording_id') },
};

const listing = { category: 'number_management', action: 'list' };
const finding = { category: 'number_management', action: 'find' };
const csv = { type: 'text/csv', bytes: Buffer.from('e164\n+14155550123\n') };

/** Creates a task with one row, or a task without rows that was started `seconds` ago. */
const createTask =
  ({ started = false, seconds = 0 } = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const path = `/v2/accounts/${sandbox.seed.accountId}/tasks`;
    const token = await sandbox.adminToken();
    const query = new URLSearchParams(started ? listing : finding).toString();
    const data = started ? {} : { records: [{ e164: '+14155550123' }] };
    const reply = await callForSetup(sandbox)('PUT', `${path}?${query}`, { token, data });
    const task_id = reply.at('data._read_only.id');
    if (started) await callForSetup(sandbox)('PATCH', `${path}/${task_id}`, { token, data: {} });
    sandbox.clock.turn(seconds * 1000);
    return { path: { task_id } };
  };
const unknownTask = () => ({ path: { task_id: unknownId }, status: 404 });

const taskRows: Readonly<Record<string, Row>> = {
  'tasks.list': listRow(),
  'tasks.get': { minimal: createTask(), wrong: unknownTask },
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
  'tasks.start': { minimal: createTask(), wrong: unknownTask },
  'tasks.stop': { minimal: createTask({ started: true }), wrong: unknownTask },
  'tasks.delete': { minimal: createTask(), wrong: unknownTask },
  'tasks.input': { minimal: createTask(), wrong: unknownTask },
  'tasks.output': { minimal: createTask({ started: true, seconds: 3 }), wrong: unknownTask },
  'tasks.actions': { minimal: noInput, wrong: invalidToken },
};

/** Sets a singleton of the account. */
const setSingleton =
  (name: ResourceName) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const path = `/v2/accounts/${sandbox.seed.accountId}/${name}`;
    const token = await sandbox.adminToken();
    await callForSetup(sandbox)('POST', path, { token, data: samples[name]?.record ?? {} });
    return {};
  };

/** Returns the rows of a singleton that has been set. `field` does not accept a number. */
const singletonRows = (name: ResourceName, field: string): Readonly<Record<string, Row>> => ({
  [`${name}.get`]: accountRow({ minimal: setSingleton(name) }),
  [`${name}.update`]: accountRow({
    minimal: () => ({ data: samples[name]?.record ?? {} }),
    full: () => ({ data: samples[name]?.record ?? {} }),
    wrong: () => invalidField(field, { ...samples[name]?.record, [field]: 7 }),
  }),
  [`${name}.delete`]: accountRow({ minimal: setSingleton(name) }),
});

const securityRows: Readonly<Record<string, Row>> = {
  ...singletonRows('token_restrictions', 'restrictions'),
  ...singletonRows('access_lists', 'cidrs'),
  ...singletonRows('rate_limits', 'account'),
  ...singletonRows('security', 'auth_modules'),
  'security.patch': accountRow({
    minimal: () => ({ data: {} }),
    full: () => ({ data: samples.security?.change ?? {} }),
    wrong: () => invalidField('auth_modules', { auth_modules: 7 }),
  }),
  'security.attempts': accountRow(),
  'security.modules': { minimal: noInput, wrong: invalidToken },
  ...collectionRows('multi_factor'),
};

const month = { created_from: '1', created_to: '2' };

/** Returns the rows of a singleton of a device. */
const deviceSingletonRows = (
  name: 'device_access_lists' | 'device_rate_limits',
  field: string,
): Readonly<Record<string, Row>> => {
  const data = samples[name]?.record ?? {};
  const ofDevice = async ({ make }: Place) => ({ path: { device_id: await make('devices') } });
  const update = async (place: Place) => ({ ...(await ofDevice(place)), data });
  return {
    [`${name}.get`]: recordRow('devices', 'device_id'),
    [`${name}.update`]: {
      ...{ minimal: update, full: update },
      wrong: async (place) => ({
        ...(await ofDevice(place)),
        ...invalidField(field, { ...data, [field]: 7 }),
      }),
    },
    [`${name}.delete`]: recordRow('devices', 'device_id'),
  };
};

const lampRow = (name: 'users' | 'devices', id: string): Row => {
  const one = async ({ make }: Place) => ({ path: { [id]: await make(name) } });
  return {
    minimal: async (place) => ({ ...(await one(place)), data: { action: 'reset' } }),
    full: async (place) => ({ ...(await one(place)), data: { action: 'set', state: 'early' } }),
    wrong: async (place) => ({ ...(await one(place)), ...invalidField('action', { action: 'fly' }) }),
  };
};

const lamp: Row = {
  minimal: () => ({ path: { extension: '1001' } }),
  wrong: () => ({ path: { extension: '1001', account_id: unknownId }, status: 404 }),
};
const alert = collectionRows('alerts', 'title');
const aRate: Input = { path: { phone_number: '+447911123456' } };
/** Creates a rate for numbers that begin with 44. */
const createRate =
  (more: Input = {}) =>
  async ({ make }: Place): Promise<Input> => {
    await make('rates', { prefix: 44, rate_cost: 0.02 });
    return { ...aRate, ...more };
  };
const rateRow: Row = {
  minimal: createRate(),
  full: createRate({ query: { ratedeck_id: 'ratedeck' } }),
  wrong: () => ({ path: { phone_number: 'nobody' }, status: 400, field: 'number format' }),
};
const aJob = { resource_id: unknownId, numbers: ['+14155550188'] };
const createJob = async ({ sandbox }: Place): Promise<Input> => {
  const path = `/v2/accounts/${sandbox.seed.accountId}/resources/jobs`;
  const reply = await callForSetup(sandbox)('PUT', path, { token: await sandbox.adminToken(), data: aJob });
  return { path: { job_id: reply.at('data.id') } };
};
/** Changes the services of an account, which is written to the audit log. */
const changeServices = async ({ sandbox }: Place): Promise<Input> => {
  const services = `/v2/accounts/${sandbox.seed.accountId}/services`;
  const token = await sandbox.superToken();
  await callForSetup(sandbox)('POST', `${services}/basic_plan`, { token, data: {} });
  const { data } = await callForSetup(sandbox)('GET', `${services}/audit`, { token });
  const [first] = Array.isArray(data) ? data.filter(isObject) : [];
  return { path: { audit_id: String(first?.id) } };
};

const aComment = { author: 'a', content: 'hi', timestamp: 63_900_000_000 };
/** Returns the rows of comments on a user or a device with one comment. */
function commentRows(of: 'user' | 'device'): Readonly<Record<string, Row>> {
  const owner = async ({ make }: Place) => ({ [`${of}_id`]: await make(`${of}s`) });
  const createComment =
    (more: Input = {}) =>
    async (place: Place): Promise<Input> => {
      const path = await owner(place);
      const { sandbox } = place;
      const there = `/v2/accounts/${sandbox.seed.accountId}/${of}s/${path[`${of}_id`]}/comments`;
      const data = { comments: [aComment] };
      await callForSetup(sandbox)('PUT', there, { token: await sandbox.adminToken(), data });
      return { ...more, path: { ...path, comment_id: '0' } };
    };
  const unknownOwner = () => ({ path: { [`${of}_id`]: unknownId }, status: 404 });
  const unknownComment = async (place: Place) => ({
    path: { ...(await owner(place)), comment_id: '9' },
    status: 404,
  });
  const commentToAdd = async (place: Place) => ({ path: await owner(place), data: { comments: [aComment] } });
  const whole = { ...aComment, is_private: true, action_required: true };
  const one = async (place: Place) => ({ path: await owner(place) });
  return {
    [`comments.list-of-${of}`]: { minimal: one, wrong: unknownOwner },
    [`comments.add-to-${of}`]: {
      ...{ minimal: commentToAdd, full: commentToAdd },
      wrong: async (place) => ({ ...(await one(place)), ...invalidField('comments', { comments: 7 }) }),
    },
    [`comments.clear-of-${of}`]: { minimal: one, wrong: unknownOwner },
    [`comments.get-of-${of}`]: { minimal: createComment(), wrong: unknownComment },
    [`comments.update-of-${of}`]: {
      minimal: createComment({ data: aComment }),
      full: createComment({ data: whole }),
      wrong: async (place) => ({
        ...(await createComment()(place)),
        ...invalidField('content', { content: 7 }),
      }),
    },
    [`comments.delete-of-${of}`]: { minimal: createComment(), wrong: unknownComment },
  };
}

const pictures = { type: 'image/png', bytes: Buffer.from('PNG') };
const greetingPage = { type: 'text/html', bytes: Buffer.from('<p>Welcome</p>') };
const domain = 'portal.brand.example';
const brand = { company_name: 'Acme', domain };
/** Creates a brand with all its files. */
const createBrand =
  (more: Input = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const path = `/v2/accounts/${sandbox.seed.accountId}/whitelabel`;
    const token = await sandbox.adminToken();
    const made = await callForSetup(sandbox)('PUT', path, { token, data: brand });
    if (made.status !== 201) throw new Error(made.text);
    for (const [part, { type, bytes }] of Object.entries({
      logo: pictures,
      icon: pictures,
      welcome: greetingPage,
    })) {
      const headers = { 'content-type': type };
      await callForSetup(sandbox)('POST', `${path}/${part}`, { token, body: bytes.toString(), headers });
    }
    return more;
  };
const unknownBrand = () => ({ status: 404 });
const unknownDomain = () => ({ path: { domain: 'nobody.example' }, status: 404 });
const brandRows: Readonly<Record<string, Row>> = {
  'whitelabel.get': { minimal: createBrand(), wrong: unknownBrand },
  'whitelabel.create': {
    minimal: () => ({ data: { company_name: 'Acme' } }),
    full: () => ({ data: completeBody('whitelabel') }),
    wrong: () => invalidField('company_name', { company_name: 7 }),
  },
  'whitelabel.update': {
    minimal: createBrand({ data: { company_name: 'Acme' } }),
    full: (place) => createBrand({ data: completeBody('whitelabel') })(place),
    wrong: async (place) => ({
      ...(await createBrand()(place)),
      ...invalidField('company_name', { company_name: 7 }),
    }),
  },
  'whitelabel.delete': { minimal: createBrand(), wrong: unknownBrand },
  'whitelabel.of-domain': { minimal: createBrand({ path: { domain } }), wrong: unknownDomain },
  ...Object.fromEntries(
    (['logo', 'icon', 'welcome'] as const).flatMap((part): readonly (readonly [string, Row])[] => [
      [`whitelabel.${part}`, { minimal: createBrand(), wrong: unknownBrand }],
      [`whitelabel.${part}-of-domain`, { minimal: createBrand({ path: { domain } }), wrong: unknownDomain }],
      [
        `whitelabel.upload-${part}`,
        {
          minimal: createBrand({ file: part === 'welcome' ? greetingPage : pictures }),
          full: createBrand({ file: part === 'welcome' ? greetingPage : pictures }),
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
  ...commentRows('user'),
  ...commentRows('device'),
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
  'parked_calls.list': accountRow(),
  'hotdesks.list': accountRow(),
  'hotdesks.of-user': recordRow('users', 'user_id'),
  'hotdesks.of-device': recordRow('devices', 'device_id'),
  'presence.summary': accountRow({ full: () => ({ query: { event: 'dialog' } }) }),
  'presence.get': lamp,
  'presence.reset': lamp,
  'presence.set-of-user': lampRow('users', 'user_id'),
  'presence.set-of-device': lampRow('devices', 'device_id'),
  'alerts.list': accountRow(),
  'alerts.get': {
    minimal: alert['alerts.get']?.minimal ?? noInput,
    wrong: () => ({ path: { alert_id: unknownId }, status: 404 }),
  },
  'alerts.create': {
    as: 'super',
    minimal: () => ({ data: minimalRecord('alerts') }),
    full: () => ({ data: { ...completeBody('alerts'), to: [{ type: 'all' }] } }),
    wrong: () => invalidField('title', { ...minimalRecord('alerts'), title: 7 }),
  },
  'alerts.delete': recordRow('alerts', 'alert_id'),
  'acls.of-account': accountRow({ as: 'super' }),
  'acls.everywhere': { as: 'super', minimal: noInput, wrong: invalidToken },
  'allotments.get': accountRow({ minimal: setSingleton('allotments') }),
  'allotments.update': accountRow({
    as: 'super',
    minimal: () => ({ data: samples.allotments?.record ?? {} }),
    full: () => ({ data: samples.allotments?.record ?? {} }),
    wrong: () => invalidField('outbound_did_us', { outbound_did_us: 7 }),
  }),
  'allotments.consumed': accountRow({
    full: () => ({ query: { created_from: '1', created_to: '2' } }),
    wrong: wrongRange,
  }),
  'rates.ratedecks': { as: 'super', minimal: noInput, wrong: invalidToken },
  'rates.of-number': rateRow,
  'rates.of-number-everywhere': rateRow,
  'carrier_jobs.list': ranged,
  'carrier_jobs.get': {
    minimal: createJob,
    wrong: () => ({ path: { job_id: '202501-nobody' }, status: 404 }),
  },
  'carrier_jobs.create': {
    minimal: () => ({ data: aJob }),
    full: () => ({ data: { ...aJob, name: 'New block' } }),
    wrong: () => invalidField('numbers', { ...aJob, numbers: 7 }),
  },
  'services.summary': { minimal: noInput, wrong: invalidToken },
  'services.audit': ranged,
  'services.audit-entry': {
    minimal: changeServices,
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
  ...deviceSingletonRows('device_access_lists', 'cidrs'),
  ...deviceSingletonRows('device_rate_limits', 'per_minute'),
};

const reEnabling = { data: { 're-enable': true } };

const plan = { plan_id: 'basic_plan' };
const someFlow = { module: 'hangup', data: {}, children: {} };

const otherRows: Readonly<Record<string, Row>> = {
  'users.vcard': recordRow('users', 'user_id', { accept: 'text/x-vcard' }),
  'metaflows.get': accountRow(),
  'metaflows.update': accountRow({
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
    wrong: () => invalidField('listen_on', { listen_on: 'nobody' }),
  }),
  'metaflows.delete': accountRow(),
  'limits.get': accountRow(),
  'limits.set': {
    minimal: () => ({ data: {} }),
    full: () => ({ data: { ...noTrunks, ...trunks } }),
    wrong: () => ({ data: trunks, status: 402 }),
  },
  'webhooks.samples': { minimal: noInput, wrong: invalidToken },
  'webhooks.sample': {
    minimal: () => ({ path: { sample_name: 'webhooks_object' } }),
    full: () => ({
      path: { sample_name: 'webhooks_notifications' },
      query: { filter_event_name: 'voicemail_full' },
    }),
    wrong: () => ({ path: { sample_name: 'webhooks_earthquake' }, status: 404 }),
  },
  'webhooks.hooks': { minimal: noInput, wrong: invalidToken },
  'webhooks.attempts': recordRow('webhooks', 'webhook_id', { query: { page_size: '1' } }),
  'webhooks.attempts-all': accountRow({ full: () => ({ query: { page_size: '1' } }) }),
  'webhooks.re-enable': accountRow({
    minimal: () => reEnabling,
    full: () => reEnabling,
    wrong: () => invalidField('re-enable', { 're-enable': 'yes' }),
  }),
  'webhooks.re-enable-descendants': accountRow({
    minimal: () => reEnabling,
    full: () => reEnabling,
    wrong: () => invalidField('re-enable', {}),
  }),
  'participants.list': { minimal: createConference(), wrong: unknownConference },
  // The sandbox has no calls, so conferences are empty.
  'participants.get': { wrong: unknownConference },
  'participants.update': {
    minimal: createConference({ data: {} }),
    full: createConference({ data: { action: 'mute', data: {} } }),
    wrong: async (place) => ({
      ...(await createConference()(place)),
      ...invalidField('action', { action: 7 }),
    }),
  },
  'contacts.get': accountRow(),
  'selectors.rules': accountRow(),
  'selectors.update-rules': accountRow({
    minimal: () => ({ data: { rules: [] } }),
    full: () => ({ data: { rules: [{ get_resources: {} }] } }),
    wrong: () => invalidField('rules', { rules: 7 }),
  }),
  'selectors.list': listRow(),
  'selectors.get': { minimal: createSelector(), wrong: unknownSelector },
  'selectors.update': {
    minimal: createSelector({ data: aSelector }),
    full: createSelector({
      data: { ...aSelector, value: '+1415', start_time: 63_900_000_000, stop_time: 63_990_000_000 },
    }),
    wrong: async (place) => ({
      ...(await createSelector()(place)),
      ...invalidField('selector', { name: 'x', resource: 'y' }),
    }),
  },
  'selectors.delete': { minimal: createSelector(), wrong: unknownSelector },
  'services.get': accountRow(),
  'services.update': accountRow({
    as: 'super',
    minimal: () => ({ data: {} }),
    full: () => ({ data: { overrides: { phone_numbers: { did_us: { rate: 1 } } } } }),
    wrong: () => invalidField('plans', { plans: 7 }),
  }),
  'services.overrides': accountRow(),
  'services.override': accountRow({
    as: 'super',
    minimal: () => ({ data: {} }),
    full: () => ({ data: { phone_numbers: { did_us: { rate: 1 } } } }),
  }),
  'services.assign': {
    as: 'super',
    minimal: () => ({ path: plan }),
    full: () => ({ path: plan, data: { overrides: { phone_numbers: { did_us: { rate: 1 } } } } }),
    wrong: () => ({ path: plan, ...invalidField('vendor_id', { vendor_id: 7 }) }),
  },
  'services.unassign': {
    as: 'super',
    minimal: async ({ sandbox }) => {
      const path = `/v2/accounts/${sandbox.seed.accountId}/services/${plan.plan_id}`;
      await callForSetup(sandbox)('POST', path, { token: await sandbox.superToken(), data: {} });
      return { path: plan };
    },
    wrong: () => ({ path: { ...plan, account_id: unknownId }, status: 404 }),
  },
};

const createQueue =
  (more: Input | ((place: Place) => Promise<Input>) = {}) =>
  async (place: Place): Promise<Input> => ({
    ...(typeof more === 'function' ? await more(place) : more),
    path: { queue_id: await place.make('queues') },
  });
const unknownQueue = () => ({ path: { queue_id: unknownId }, status: 404 });
const createAgent =
  (more: Input = {}) =>
  async ({ make }: Place): Promise<Input> => ({ ...more, path: { user_id: await make('users') } });
const unknownAgent = () => ({ path: { user_id: unknownId }, status: 404 });
const createListener = async ({ make }: Place): Promise<Input> => ({ data: { id: await make('devices') } });
const shownTo = { caller_id_name: 'Support', caller_id_number: '200' };
const statsRange = { start_range: '0', end_range: '1' };

const source = { service: 'adjustments', id: 'one' };
const entry = { amount: 5, source, usage: { quantity: 1, type: 'call', unit: 'piece' } };
/** Books a ledger entry as the super administrator. */
const bookCredit = async ({ sandbox }: Place): Promise<Input> => {
  const path = `/v2/accounts/${sandbox.seed.accountId}/ledgers/credit`;
  const reply = await callForSetup(sandbox)('PUT', path, { token: await sandbox.superToken(), data: entry });
  return { path: { source_service: source.service, entry_id: reply.at('data.id') } };
};
const createSale = async ({ sandbox }: Place): Promise<Input> => {
  const path = `/v2/accounts/${sandbox.seed.accountId}/transactions/sale`;
  const reply = await callForSetup(sandbox)('PUT', path, {
    token: await sandbox.superToken(),
    data: { amount: 5 },
  });
  return { path: { transaction_id: reply.at('data.id') } };
};
const toBook: Row = {
  as: 'super',
  minimal: () => ({ data: entry }),
  full: () => ({ data: { ...entry, description: 'A call', period: { start: 1, end: 2 }, metadata: {} } }),
  wrong: () => invalidField('source', { ...entry, source: 7 }),
};
const toPay: Row = {
  as: 'super',
  minimal: () => ({ data: { amount: 5 } }),
  full: () => ({ data: { amount: 5, description: 'Top-up', order_id: 'x', metadata: {} } }),
  wrong: () => invalidField('amount', { amount: 0 }),
};
const bookRows: Readonly<Record<string, Row>> = {
  'ledgers.sums': accountRow({ full: () => ({ query: month }), wrong: wrongRange }),
  'ledgers.available': accountRow(),
  'ledgers.summary': {
    minimal: () => ({ path: { month: '202611' } }),
    wrong: () => ({ path: { month: 'may' }, status: 404 }),
  },
  'ledgers.total': accountRow(),
  'ledgers.list': {
    minimal: () => ({ path: { source_service: 'payments' } }),
    full: () => ({ path: { source_service: 'payments' }, query: month }),
    wrong: () => ({ path: { source_service: 'gifts' }, status: 404 }),
  },
  'ledgers.get': {
    minimal: bookCredit,
    wrong: () => ({ path: { source_service: 'payments', entry_id: unknownId }, status: 404 }),
  },
  'ledgers.credit': toBook,
  'ledgers.debit': toBook,
  'transactions.list': accountRow({ full: () => ({ query: month }), wrong: wrongRange }),
  'transactions.get': {
    minimal: createSale,
    wrong: () => ({ path: { transaction_id: unknownId }, status: 404 }),
  },
  'transactions.sale': toPay,
  'transactions.refund': toPay,
};

const welcome = samples.notifications?.record ?? {};
/** Creates a template of the account. */
const createTemplate =
  (more: Input = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const path = `/v2/accounts/${sandbox.seed.accountId}/notifications`;
    await callForSetup(sandbox)('PUT', path, { token: await sandbox.adminToken(), data: welcome });
    return { path: { notification_id: 'new_user' }, ...more };
  };
/** Creates a system template, which all accounts inherit. */
const createSystemTemplate =
  (more: Input = {}) =>
  async ({ sandbox }: Place): Promise<Input> => {
    const data = { ...welcome, id: 'customer_update_x' };
    await callForSetup(sandbox)('PUT', '/v2/notifications', { token: await sandbox.superToken(), data });
    return { path: { system_notification_id: 'customer_update_x' }, ...more };
  };
const noSystemTemplate = { path: { system_notification_id: 'nobody' }, status: 404 };
const unknownTemplate = (status = 404) => ({ path: { notification_id: 'nobody' }, status });
/** KAZOO fails for a missing template. */
const faultOver = mode === 'kazoo' ? 500 : 404;
const page = { type: 'text/html', bytes: Buffer.from('<p>Welcome</p>') };
/** The recorded KAZOO had no mailer. */
const ifMailer = (inputs: Pick<Row, 'minimal' | 'full'>): Partial<Row> => (mode === 'kazoo' ? {} : inputs);
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
/** Sends a message to the users of an account below. */
const messageToCustomers =
  (more: (accountId: string) => JsonObject) =>
  async ({ make, sandbox }: Place): Promise<Input> => {
    const id = await make('accounts');
    const data = { ...minimalRecords.users, email: 'ann@below.example', priv_level: 'admin' };
    await callForSetup(sandbox)('PUT', `/v2/accounts/${id}/users`, {
      token: await sandbox.superToken(),
      data,
    });
    return { data: { subject: 'Works', plain: 'On Sunday', ...more(id) } };
  };
const createMail = async ({ sandbox }: Place): Promise<Input> => {
  const now = gregorianSeconds(sandbox.clock);
  const name = { kind: 'mails', scope: sandbox.seed.accountId, id: `${monthOf(now)}-${'a'.repeat(32)}` };
  const body = { template_id: 'new_user', to: 'ann@acme.example', subject: 'Welcome', created: now };
  const times = { createdAt: now, modifiedAt: now, revision: 0 };
  await sandbox.store.commit([buildPut({ ...name, ...times, body, hidden: {} }, 'mails')]);
  return { path: { mail_id: name.id } };
};
const mailRows: Readonly<Record<string, Row>> = {
  'notifications.list': { minimal: createTemplate({ path: {} }), wrong: invalidToken },
  'notifications.get': {
    minimal: createTemplate(),
    wrong: () => unknownTemplate(faultOver),
  },
  'notifications.customise': {
    minimal: () => ({ data: welcome }),
    full: () => ({ data: { ...completeBody('notifications'), id: 'new_user' } }),
    wrong: () => invalidField('subject', { ...welcome, subject: [1] }),
  },
  'notifications.change': {
    minimal: createTemplate({ data: welcome }),
    full: (place) => createTemplate({ data: completeBody('notifications') })(place),
    wrong: async (place) => ({
      ...(await createTemplate()(place)),
      ...invalidField('from', { ...welcome, from: [1] }),
    }),
  },
  'notifications.upload': {
    minimal: createTemplate({ file: page }),
    full: createTemplate({ file: page }),
    wrong: () => ({ ...unknownTemplate(faultOver), file: page }),
  },
  'notifications.restore': { minimal: createTemplate(), wrong: () => unknownTemplate() },
  'notifications.restore-all': { minimal: createTemplate({ path: {} }), wrong: invalidToken },
  'notifications.use-system': { minimal: createTemplate({ path: {} }), wrong: invalidToken },
  'notifications.preview': {
    ...ifMailer({
      minimal: createTemplate({ data: { to: ann } }),
      full: createTemplate({ data: wholeMail }),
    }),
    wrong: async (place) => ({
      ...(await createTemplate()(place)),
      ...invalidField('subject', { subject: 7 }),
    }),
  },
  'notifications.tell-customers': {
    ...ifMailer({
      minimal: messageToCustomers(() => ({})),
      full: messageToCustomers((recipient_id) => ({ ...wholeMail, recipient_id, user_type: 'all_users' })),
    }),
    wrong: () => invalidField('subject', { subject: 7 }),
  },
  'system_notifications.list': { minimal: createSystemTemplate({ path: {} }), wrong: invalidToken },
  'system_notifications.get': { minimal: createSystemTemplate(), wrong: () => noSystemTemplate },
  'system_notifications.customise': {
    as: 'super',
    minimal: () => ({ data: { ...welcome, id: 'customer_update_x' } }),
    full: () => ({ data: { ...completeBody('system_notifications'), id: 'customer_update_x' } }),
    wrong: () => invalidField('subject', { ...welcome, subject: [1] }),
  },
  'system_notifications.change': {
    as: 'super',
    minimal: createSystemTemplate({ data: welcome }),
    full: (place) => createSystemTemplate({ data: completeBody('system_notifications') })(place),
    wrong: () => ({ ...noSystemTemplate, data: welcome }),
  },
  'system_notifications.upload': {
    as: 'super',
    minimal: createSystemTemplate({ file: page }),
    full: createSystemTemplate({ file: page }),
    wrong: () => ({ ...noSystemTemplate, file: page }),
  },
  'mails.list': { ...ranged, minimal: async (place) => ({ ...(await createMail(place)), path: {} }) },
  'mails.get': { minimal: createMail, wrong: unknownCall('mail_id') },
};

const queueRows: Readonly<Record<string, Row>> = {
  'queues.roster': { minimal: createQueue(), wrong: unknownQueue },
  'queues.set-roster': {
    minimal: createQueue({ data: [] }),
    full: createQueue(async ({ make }) => ({ data: [await make('users')] })),
    wrong: () => ({ ...unknownQueue(), data: [] }),
  },
  'queues.clear-roster': { minimal: createQueue(), wrong: unknownQueue },
  'queues.stats': accountRow({
    full: () => ({ query: { ...statsRange, status: 'waiting', agent_id: unknownId } }),
    wrong: () => ({ query: { start_range: '2', end_range: '1' }, status: 400, field: 'end_range' }),
  }),
  'queues.calls': accountRow(),
  'queues.eavesdrop': {
    minimal: createQueue(createListener),
    full: createQueue(async (place) => ({
      data: { id: await place.make('devices'), mode: 'whisper', timeout: 10, ...shownTo },
    })),
    wrong: async (place) => ({ ...(await createQueue()(place)), ...invalidField('id', { id: unknownId }) }),
  },
  // Queues of the sandbox are always empty.
  'queues.eavesdrop-call': { wrong: () => invalidField('id', { id: unknownId, call_id: 'x' }) },
  'agents.list': listRow(),
  'agents.get': { minimal: createAgent(), wrong: unknownAgent },
  'agents.states': accountRow({ full: () => ({ query: { status: 'ready' } }) }),
  'agents.state': { minimal: createAgent(), wrong: unknownAgent },
  'agents.set-state': {
    minimal: createAgent({ data: { status: 'login' } }),
    full: createAgent({ data: { status: 'pause', timeout: 60, presence_id: '100', presence_state: 'busy' } }),
    wrong: async (place) => ({
      ...(await createAgent()(place)),
      ...invalidField('status', { status: 'sleep' }),
    }),
  },
  'agents.queues': { minimal: createAgent(), wrong: unknownAgent },
  'agents.set-queue': {
    minimal: createAgent({ data: { action: 'login', queue_id: unknownId } }),
    full: async (place) => ({
      ...(await createAgent()(place)),
      data: { action: 'login', queue_id: await place.make('queues') },
    }),
    wrong: async (place) => ({
      ...(await createAgent()(place)),
      ...invalidField('action', { action: 'enter', queue_id: unknownId }),
    }),
  },
  'agents.stats': accountRow({ full: () => ({ query: { ...statsRange, agent_id: unknownId } }) }),
};

/** The rows of all operations, by id. */
export const operationRows: ReadonlyMap<string, Row> = new Map(
  Object.entries({
    ...Object.fromEntries(genericCollections.flatMap((name) => Object.entries(collectionRows(name)))),
    ...collectionRows('callflows', 'name'),
    ...collectionRows('carriers'),
    ...collectionRows('carrier_templates'),
    ...collectionRows('system_carriers'),
    ...collectionRows('rates'),
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
