import type { JsonObject } from '../../src/base/json.ts';
import { mode } from '../support/mode.ts';
import {
  badField,
  type Input,
  message,
  nobody,
  number,
  numberIn,
  operationRows,
  type Place,
  past,
  portIn,
  type Row,
  stranger,
  wholeNumber,
} from './operation-rows.ts';

const strangerAt = (path: Input['path'] = {}) => ({ ...stranger(), path });
const faulty = { path: { phone_number: '+14155559999' }, status: 500 };

/** All that such services let a number have. */
const carried = (): JsonObject => {
  const { cnam: _, e911: __, ...rest } = wholeNumber();
  return { ...rest, prepend: { enabled: true, name: 'Acme' } };
};
const date = { schedule_on: { timezone: 'America/New_York', date_time: '2030-01-31 09:00' } };
const comment = { content: 'Hello', author: 'Ann Archer', timestamp: 63_900_000_000 };
const moved = async (place: Place) => {
  const { path = {} } = await message()(place);
  return { path, data: { folder: 'saved', messages: [path.message_id ?? ''] } };
};

/** Inputs for services in the field, where what is sent elsewhere is not refused there, or not taken (as recorded). */
const kazoo: Readonly<Record<string, Partial<Row>>> = {
  'accounts.create': { wrong: () => badField('enabled', { name: 'B', enabled: 'perhaps' }) },
  'apps.delete': { wrong: () => ({ path: { app_id: nobody }, status: 403 }) },
  // What is not there is deleted all the same.
  'lists.delete': { wrong: () => strangerAt({ list_id: nobody }) },
  'messages.move-all': { minimal: moved },
  'messages.update': {
    wrong: async (place) => ({ ...(await message({ data: {} })(place)), ...stranger() }),
  },
  'numbers.create': {
    full: () => ({ path: { phone_number: number }, data: { ...carried(), create_with_state: 'in_service' } }),
  },
  'numbers.update': { full: numberIn('reserved', { data: carried() }) },
  'numbers.patch': { full: numberIn('reserved', { data: carried() }) },
  'numbers.delete': { wrong: () => faulty },
  'numbers.activate': { full: numberIn('reserved', { data: carried() }), wrong: () => faulty },
  'numbers.reserve': { full: numberIn('in_service', { data: carried() }), wrong: () => faulty },
  'numbers.port-in': { wrong: () => ({ path: { phone_number: 'no number' }, status: 500 }) },
  'numbers.locality': { minimal: () => ({ data: { numbers: [number] } }) },
  // Whatever id is asked for, there is a conference, if an empty one.
  'participants.list': { wrong: () => strangerAt({ conference_id: nobody }) },
  'participants.get': { wrong: () => strangerAt({ conference_id: nobody, participant_id: '1' }) },
  'ports.schedule': { minimal: portIn('pending', { data: date }) },
  'ports.comment': {
    minimal: portIn('unconfirmed', { data: { comments: [comment] } }),
    full: portIn('unconfirmed', {
      data: { comments: [{ ...comment, is_private: false, action_required: false }, comment] },
    }),
  },
  'selectors.rules': {
    async minimal({ sandbox }) {
      const path = `/v2/accounts/${sandbox.seed.accountId}/resource_selectors/rules`;
      await past(sandbox)('POST', path, { token: await sandbox.adminToken(), data: { rules: [] } });
      return {};
    },
  },
  'users.vcard': {
    minimal: async ({ make }) => ({ path: { user_id: await make('users') }, accept: 'text/x-vcard' }),
  },
  'webhooks.attempts': { wrong: () => strangerAt({ webhook_id: nobody }) },
};

/** Inputs for a service that refuses only what the specification says is wrong. */
const specification: Readonly<Record<string, Partial<Row>>> = {
  'numbers.locality': { wrong: () => stranger() },
  'participants.update': { wrong: () => strangerAt({ conference_id: nobody, participant_id: '1' }) },
  'services.assign': { wrong: () => strangerAt({ plan_id: 'gold' }) },
};

const otherRows = { kazoo, specification };

/** The trial of an operation in this run's mode. */
export function rowInMode(id: string): Row | undefined {
  const row = operationRows.get(id);
  return row && mode ? { ...row, ...otherRows[mode][id] } : row;
}
