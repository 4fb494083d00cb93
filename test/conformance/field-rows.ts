import type { JsonObject } from '../../src/base/json.ts';
import type { CalledSandbox } from '../support/called-sandbox.ts';
import {
  type Input,
  nobody,
  number,
  numberIn,
  type Place,
  past,
  portIn,
  type Row,
  stranger,
} from './operation-rows.ts';

const nothing = () => ({});
const several = { data: { numbers: ['+14155550123', '+14155550124'] } };
const noNumbers = () => ({ data: { numbers: 7 }, status: 400, field: 'numbers' });

/** Several at once, one of which is there. */
const ofSeveral = (more: JsonObject = {}): Row => ({
  as: 'super',
  minimal: numberIn('in_service', several),
  full: numberIn('in_service', { data: { ...several.data, ...more } }),
  wrong: noNumbers,
});
const ofAccount = (): Row => ({
  minimal: nothing,
  wrong: () => ({ path: { account_id: nobody }, status: 404 }),
});
const free = (): Row => ({ minimal: () => several, full: () => several, wrong: noNumbers });

const forgotten = ({ seed }: CalledSandbox): JsonObject => ({
  ...{ username: seed.adminUsername, account_name: 'acme', ui_url: 'https://ui.example/' },
});

/** What a link ends in that was asked for. */
async function recovering({ sandbox }: Place): Promise<Input> {
  await past(sandbox)('PUT', '/v2/user_auth/recovery', { data: forgotten(sandbox) });
  const [record] = await sandbox.store.allOfKind('recoveries');
  return { data: { reset_id: record?.id ?? '' } };
}

/** The app for callflows. */
const app = { path: { store_app_id: '63616c6c666c6f777300000000000000' } } as const;
const noApp = () => ({ path: { store_app_id: nobody }, status: 404 });

const bill = { type: 'application/pdf', bytes: Buffer.from('%PDF-1.4 bill') } as const;
const noPort = () => ({ path: { port_request_id: nobody, attachment_id: 'bill.pdf' }, status: 404 });

/** A port request with a document. */
const withBill =
  (more: Input = {}) =>
  async (place: Place): Promise<Input> => {
    const { sandbox } = place;
    const { path = {} } = await portIn('unconfirmed')(place);
    const url = `/v2/accounts/${sandbox.seed.accountId}/port_requests/${path.port_request_id}/attachments`;
    await past(sandbox)('PUT', `${url}?filename=bill.pdf`, {
      token: await sandbox.adminToken(),
      headers: { 'content-type': bill.type },
      body: bill.bytes.toString(),
    });
    return { ...more, path: { ...path, attachment_id: 'bill.pdf' } };
  };
const listed = (path: Input['path'] = {}): Row => ({
  minimal: nothing,
  full: () => ({ query: { by_types: 'all' } }),
  wrong: () => ({ path: { ...path, account_id: nobody }, status: 404 }),
});

/** What compatible services have for numbers and the specification has not. */
export function fieldRows(): Readonly<Record<string, Row>> {
  return {
    'numbers.classifiers': ofAccount(),
    'numbers.carriers': ofAccount(),
    'numbers.check': free(),
    'numbers.identify': {
      minimal: numberIn('in_service'),
      wrong: () => ({ path: { phone_number: '+14155559999' }, status: 404 }),
    },
    'numbers.create-many': {
      as: 'super',
      minimal: () => several,
      full: () => ({ data: { ...several.data, create_with_state: 'reserved' } }),
      wrong: noNumbers,
    },
    'numbers.update-many': ofSeveral({ force_outbound: true }),
    'numbers.patch-many': ofSeveral({ force_outbound: true }),
    'numbers.delete-many': ofSeveral(),
    'numbers.buy': free(),
    'numbers.fix': ofAccount(),
    'numbers.fix-one': {
      minimal: () => ({ path: { phone_number: number } }),
      wrong: () => ({ path: { account_id: nobody, phone_number: number }, status: 404 }),
    },
    'ports.comments': { minimal: portIn('unconfirmed'), wrong: noPort },
    'ports.documents': { minimal: withBill(), wrong: noPort },
    'ports.add-document': {
      minimal: portIn('unconfirmed', { file: bill }),
      full: portIn('unconfirmed', { file: bill, query: { filename: 'bill.pdf' } }),
      wrong: async (place) => ({
        ...(await portIn('unconfirmed')(place)),
        ...{ file: { ...bill, type: 'text/x-unheard-of' }, status: 400, field: 'content_type' },
      }),
    },
    'ports.document': { minimal: withBill(), wrong: noPort },
    'ports.replace-document': {
      minimal: withBill({ file: bill }),
      full: withBill({ file: bill }),
      wrong: () => ({ ...noPort(), file: bill }),
    },
    'ports.delete-document': { minimal: withBill(), wrong: noPort },
    'about.get': ofAccount(),
    'about.schemas': { minimal: nothing, wrong: stranger },
    'about.schema': {
      minimal: () => ({ path: { schema_name: 'users' } }),
      wrong: () => ({ path: { schema_name: 'nobody' }, status: 404 }),
    },
    'about.config': {
      minimal: () => ({ path: { config_name: 'kazoo_endpoint' } }),
      wrong: () => ({ path: { account_id: nobody, config_name: 'x' }, status: 404 }),
    },
    'tokens.recover': {
      minimal: ({ sandbox }) => ({ data: forgotten(sandbox) }),
      full: ({ sandbox }) => ({ data: { ...forgotten(sandbox), account_realm: sandbox.seed.accountRealm } }),
      wrong: ({ sandbox }) => ({
        data: { ...forgotten(sandbox), username: 'zz' },
        status: 400,
        field: 'username',
      }),
    },
    'tokens.recovered': {
      minimal: recovering,
      full: recovering,
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
        path: { account_id: nobody, conference_id: await make('conferences') },
        ...{ data: { action: 'mute' }, status: 404 },
      }),
    },
    'services.available': ofAccount(),
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
    'accounts.tree': ofAccount(),
    'accounts.parents': ofAccount(),
    'accounts.promote': { ...ofAccount(), as: 'super' },
    'accounts.demote': { ...ofAccount(), as: 'super' },
    'store_apps.list': ofAccount(),
    'store_apps.get': { minimal: () => app, wrong: noApp },
    'store_apps.install': {
      minimal: () => ({ ...app, data: {} }),
      full: () => ({ ...app, data: { allowed_users: 'specific', users: [{ id: nobody }] } }),
      wrong: () => ({ ...app, data: { allowed_users: 'some' }, status: 400, field: 'allowed_users' }),
    },
    'store_apps.allow': {
      minimal: () => ({ ...app, data: {} }),
      full: () => ({ ...app, data: { allowed_users: 'admins', users: [] } }),
      wrong: () => ({ ...app, data: { allowed_users: 'some' }, status: 400, field: 'allowed_users' }),
    },
    'store_apps.uninstall': { minimal: () => app, wrong: noApp },
    'store_apps.blacklist': { ...ofAccount(), as: 'super' },
    'store_apps.set-blacklist': {
      as: 'super',
      minimal: () => ({ data: {} }),
      full: () => ({ data: { blacklist: [app.path.store_app_id] } }),
      wrong: () => ({ data: { blacklist: ['x'] }, status: 400, field: 'blacklist.0' }),
    },
    'ports.last-submitted': ofAccount(),
    'ports.below': listed(),
  };
}
