import type { JsonObject } from '../../src/base/json.ts';
import {
  type Input,
  nobody,
  number,
  numberIn,
  type Place,
  past,
  portIn,
  type Row,
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
    'ports.last-submitted': ofAccount(),
    'ports.below': listed(),
  };
}
