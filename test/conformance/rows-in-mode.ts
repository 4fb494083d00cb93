import type { JsonObject } from '../../src/base/json.ts';
import { mode } from '../support/mode.ts';
import {
  callForSetup,
  completeNumber,
  createMessage,
  createNumber,
  createPort,
  type Input,
  invalidField,
  invalidToken,
  number,
  operationRows,
  type Place,
  type Row,
  unknownId,
} from './operation-rows.ts';

const invalidTokenAt = (path: Input['path'] = {}) => ({ ...invalidToken(), path });
const numberError = { path: { phone_number: '+14155559999' }, status: 500 };

/** The fields that KAZOO accepts for a number. */
const kazooNumber = (): JsonObject => {
  const { cnam: _, e911: __, ...rest } = completeNumber();
  return { ...rest, prepend: { enabled: true, name: 'Acme' } };
};
const date = { schedule_on: { timezone: 'America/New_York', date_time: '2030-01-31 09:00' } };
const comment = { content: 'Hello', author: 'Ann Archer', timestamp: 63_900_000_000 };
const moveMessage = async (place: Place) => {
  const { path = {} } = await createMessage()(place);
  return { path, data: { folder: 'saved', messages: [path.message_id ?? ''] } };
};

/** Inputs for KAZOO, which accepts or refuses other inputs (recorded). */
const kazoo: Readonly<Record<string, Partial<Row>>> = {
  'accounts.create': { wrong: () => invalidField('enabled', { name: 'B', enabled: 'perhaps' }) },
  'apps.delete': { wrong: () => ({ path: { app_id: unknownId }, status: 403 }) },
  // Deleting a missing record succeeds.
  'lists.delete': { wrong: () => invalidTokenAt({ list_id: unknownId }) },
  'messages.move-all': { minimal: moveMessage },
  'messages.update': {
    wrong: async (place) => ({ ...(await createMessage({ data: {} })(place)), ...invalidToken() }),
  },
  'numbers.create': {
    full: () => ({
      path: { phone_number: number },
      data: { ...kazooNumber(), create_with_state: 'in_service' },
    }),
  },
  'numbers.update': { full: createNumber('reserved', { data: kazooNumber() }) },
  'numbers.patch': { full: createNumber('reserved', { data: kazooNumber() }) },
  'numbers.delete': { wrong: () => numberError },
  'numbers.activate': { full: createNumber('reserved', { data: kazooNumber() }), wrong: () => numberError },
  'numbers.reserve': { full: createNumber('in_service', { data: kazooNumber() }), wrong: () => numberError },
  'numbers.port-in': { wrong: () => ({ path: { phone_number: 'no number' }, status: 500 }) },
  'numbers.locality': { minimal: () => ({ data: { numbers: [number] } }) },
  // Any conference id exists, if only as an empty conference.
  'participants.list': { wrong: () => invalidTokenAt({ conference_id: unknownId }) },
  'participants.get': { wrong: () => invalidTokenAt({ conference_id: unknownId, participant_id: '1' }) },
  'ports.schedule': { minimal: createPort('pending', { data: date }) },
  'ports.comment': {
    minimal: createPort('unconfirmed', { data: { comments: [comment] } }),
    full: createPort('unconfirmed', {
      data: { comments: [{ ...comment, is_private: false, action_required: false }, comment] },
    }),
  },
  'selectors.rules': {
    async minimal({ sandbox }) {
      const path = `/v2/accounts/${sandbox.seed.accountId}/resource_selectors/rules`;
      await callForSetup(sandbox)('POST', path, { token: await sandbox.adminToken(), data: { rules: [] } });
      return {};
    },
  },
  'users.vcard': {
    minimal: async ({ make }) => ({ path: { user_id: await make('users') }, accept: 'text/x-vcard' }),
  },
  'webhooks.attempts': { wrong: () => invalidTokenAt({ webhook_id: unknownId }) },
};

/** Inputs for a service that validates only the rules of the specification. */
const specification: Readonly<Record<string, Partial<Row>>> = {
  'numbers.locality': { wrong: () => invalidToken() },
  'participants.update': { wrong: () => invalidTokenAt({ conference_id: unknownId, participant_id: '1' }) },
  'services.assign': { wrong: () => invalidTokenAt({ plan_id: 'gold' }) },
};

const otherRows = { kazoo, specification };

/** Returns the row of an operation in the mode of this run. */
export function operationRow(id: string): Row | undefined {
  const row = operationRows.get(id);
  return row && mode ? { ...row, ...otherRows[mode][id] } : row;
}
