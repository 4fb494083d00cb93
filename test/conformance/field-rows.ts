import type { JsonObject } from '../../src/base/json.ts';
import type { CalledSandbox } from '../support/called-sandbox.ts';
import {
  callForSetup,
  createNumber,
  createPort,
  type Input,
  invalidToken,
  number,
  type Place,
  type Row,
  unknownId,
} from './operation-rows.ts';

const noInput = () => ({});
const several = { data: { numbers: ['+14155550123', '+14155550124'] } };
const invalidNumbers = () => ({ data: { numbers: 7 }, status: 400, field: 'numbers' });

/** An input with several records, one of which exists. */
const bulkNumbersRow = (more: JsonObject = {}): Row => ({
  as: 'super',
  minimal: createNumber('in_service', several),
  full: createNumber('in_service', { data: { ...several.data, ...more } }),
  wrong: invalidNumbers,
});
const accountRow = (): Row => ({
  minimal: noInput,
  wrong: () => ({ path: { account_id: unknownId }, status: 404 }),
});
const numbersRow = (): Row => ({ minimal: () => several, full: () => several, wrong: invalidNumbers });

const recoveryRequest = ({ seed }: CalledSandbox): JsonObject => ({
  ...{ username: seed.adminUsername, account_name: 'acme', ui_url: 'https://ui.example/' },
});

/** Creates the input of a recovery link. */
async function recoveryInput({ sandbox }: Place): Promise<Input> {
  await callForSetup(sandbox)('PUT', '/v2/user_auth/recovery', { data: recoveryRequest(sandbox) });
  const [record] = await sandbox.store.allOfKind('recoveries');
  return { data: { reset_id: record?.id ?? '' } };
}

const app = { path: { store_app_id: '63616c6c666c6f777300000000000000' } } as const;
const unknownApp = () => ({ path: { store_app_id: unknownId }, status: 404 });

const bill = { type: 'application/pdf', bytes: Buffer.from('%PDF-1.4 bill') } as const;
const unknownPort = () => ({ path: { port_request_id: unknownId, attachment_id: 'bill.pdf' }, status: 404 });

const portWithBill =
  (more: Input = {}) =>
  async (place: Place): Promise<Input> => {
    const { sandbox } = place;
    const { path = {} } = await createPort('unconfirmed')(place);
    const url = `/v2/accounts/${sandbox.seed.accountId}/port_requests/${path.port_request_id}/attachments`;
    await callForSetup(sandbox)('PUT', `${url}?filename=bill.pdf`, {
      token: await sandbox.adminToken(),
      headers: { 'content-type': bill.type },
      body: bill.bytes.toString(),
    });
    return { ...more, path: { ...path, attachment_id: 'bill.pdf' } };
  };
const listRow = (path: Input['path'] = {}): Row => ({
  minimal: noInput,
  full: () => ({ query: { by_types: 'all' } }),
  wrong: () => ({ path: { ...path, account_id: unknownId }, status: 404 }),
});

/** Returns the rows of the conventional number operations, which the specification does not list. */
export function fieldRows(): Readonly<Record<string, Row>> {
  return {
    'numbers.classifiers': accountRow(),
    'numbers.carriers': accountRow(),
    'numbers.check': numbersRow(),
    'numbers.identify': {
      minimal: createNumber('in_service'),
      wrong: () => ({ path: { phone_number: '+14155559999' }, status: 404 }),
    },
    'numbers.create-many': {
      as: 'super',
      minimal: () => several,
      full: () => ({ data: { ...several.data, create_with_state: 'reserved' } }),
      wrong: invalidNumbers,
    },
    'numbers.update-many': bulkNumbersRow({ force_outbound: true }),
    'numbers.patch-many': bulkNumbersRow({ force_outbound: true }),
    'numbers.delete-many': bulkNumbersRow(),
    'numbers.buy': numbersRow(),
    'numbers.fix': accountRow(),
    'numbers.fix-one': {
      minimal: () => ({ path: { phone_number: number } }),
      wrong: () => ({ path: { account_id: unknownId, phone_number: number }, status: 404 }),
    },
    'ports.comments': { minimal: createPort('unconfirmed'), wrong: unknownPort },
    'ports.documents': { minimal: portWithBill(), wrong: unknownPort },
    'ports.add-document': {
      minimal: createPort('unconfirmed', { file: bill }),
      full: createPort('unconfirmed', { file: bill, query: { filename: 'bill.pdf' } }),
      wrong: async (place) => ({
        ...(await createPort('unconfirmed')(place)),
        ...{ file: { ...bill, type: 'text/x-unheard-of' }, status: 400, field: 'content_type' },
      }),
    },
    'ports.document': { minimal: portWithBill(), wrong: unknownPort },
    'ports.replace-document': {
      minimal: portWithBill({ file: bill }),
      full: portWithBill({ file: bill }),
      wrong: () => ({ ...unknownPort(), file: bill }),
    },
    'ports.delete-document': { minimal: portWithBill(), wrong: unknownPort },
    'about.get': accountRow(),
    'about.schemas': { minimal: noInput, wrong: invalidToken },
    'about.schema': {
      minimal: () => ({ path: { schema_name: 'users' } }),
      wrong: () => ({ path: { schema_name: 'nobody' }, status: 404 }),
    },
    'about.config': {
      minimal: () => ({ path: { config_name: 'kazoo_endpoint' } }),
      wrong: () => ({ path: { account_id: unknownId, config_name: 'x' }, status: 404 }),
    },
    'tokens.recover': {
      minimal: ({ sandbox }) => ({ data: recoveryRequest(sandbox) }),
      full: ({ sandbox }) => ({
        data: { ...recoveryRequest(sandbox), account_realm: sandbox.seed.accountRealm },
      }),
      wrong: ({ sandbox }) => ({
        data: { ...recoveryRequest(sandbox), username: 'zz' },
        status: 400,
        field: 'username',
      }),
    },
    'tokens.recovered': {
      minimal: recoveryInput,
      full: recoveryInput,
      wrong: () => ({ data: { reset_id: 'ab' }, status: 400, field: 'reset_id' }),
    },
    'search.multi-everywhere': {
      minimal: () => ({ query: { t: 'account', by_name: 'a' } }),
      full: () => ({ query: { t: 'account', by_name: 'a', by_realm: 'a', by_id: 'a' } }),
      wrong: () => ({ query: { t: 'account' }, status: 400, field: 'multi' }),
    },
    'conferences.act': {
      minimal: async ({ make }) => ({
        path: { conference_id: await make('conferences') },
        data: { action: 'lock' },
      }),
      full: async ({ make }) => ({
        path: { conference_id: await make('conferences') },
        data: { action: 'play', data: { media_id: 'm1' } },
      }),
      wrong: async ({ make }) => ({
        ...{ path: { conference_id: await make('conferences') }, data: { action: 'play' } },
        ...{ status: 400, field: 'data.media_id' },
      }),
    },
    'participants.update-all': {
      minimal: async ({ make }) => ({
        path: { conference_id: await make('conferences') },
        data: { action: 'mute' },
      }),
      full: async ({ make }) => ({
        path: { conference_id: await make('conferences') },
        data: { action: 'play', data: { media_id: 'm1' } },
      }),
      wrong: async ({ make }) => ({
        path: { account_id: unknownId, conference_id: await make('conferences') },
        ...{ data: { action: 'mute' }, status: 404 },
      }),
    },
    'services.available': accountRow(),
    'services.quote': {
      minimal: () => ({ data: {} }),
      full: () => ({ data: { plans: ['basic'], add: ['more'], overrides: {} } }),
      wrong: () => ({ data: { add: 7 }, status: 400, field: 'add' }),
    },
    'services.topup': {
      minimal: () => ({ data: { amount: 5 } }),
      full: () => ({ data: { amount: 5.5 } }),
      wrong: () => ({ data: {}, status: 400, field: 'amount' }),
    },
    'accounts.tree': accountRow(),
    'accounts.parents': accountRow(),
    'accounts.promote': { ...accountRow(), as: 'super' },
    'accounts.demote': { ...accountRow(), as: 'super' },
    'store_apps.list': accountRow(),
    'store_apps.get': { minimal: () => app, wrong: unknownApp },
    'store_apps.install': {
      minimal: () => ({ ...app, data: {} }),
      full: () => ({ ...app, data: { allowed_users: 'specific', users: [{ id: unknownId }] } }),
      wrong: () => ({ ...app, data: { allowed_users: 'some' }, status: 400, field: 'allowed_users' }),
    },
    'store_apps.allow': {
      minimal: () => ({ ...app, data: {} }),
      full: () => ({ ...app, data: { allowed_users: 'admins', users: [] } }),
      wrong: () => ({ ...app, data: { allowed_users: 'some' }, status: 400, field: 'allowed_users' }),
    },
    'store_apps.uninstall': { minimal: () => app, wrong: unknownApp },
    'store_apps.blacklist': { ...accountRow(), as: 'super' },
    'store_apps.set-blacklist': {
      as: 'super',
      minimal: () => ({ data: {} }),
      full: () => ({ data: { blacklist: [app.path.store_app_id] } }),
      wrong: () => ({ data: { blacklist: ['x'] }, status: 400, field: 'blacklist.0' }),
    },
    'ports.last-submitted': accountRow(),
    'ports.below': listRow(),
  };
}
