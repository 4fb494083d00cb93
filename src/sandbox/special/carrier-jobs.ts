import type { Json } from '../../base/json.ts';
import { namedRecord } from '../collections/collection.ts';
import { answerList, timeRange } from '../collections/lists.ts';
import { acceptable, shownRecord, write } from '../collections/records.ts';
import { textsAt } from '../fields.ts';
import { gregorianSeconds, monthId } from '../made-values.ts';
import { Refusal } from '../refusal.ts';
import { accountOf, type Call, type Handler, type Handlers } from '../requests/call.ts';
import { numberHandlers } from './numbers.ts';

/** Makes a number in the account; gives why it cannot. */
async function made(
  call: Call,
  phone_number: string,
): Promise<{ readonly done?: Json; readonly error?: Json }> {
  const create = numberHandlers['numbers.create'];
  if (!create) throw new Error('Numbers cannot be made.');
  try {
    const data = { create_with_state: 'in_service' };
    return { done: (await create({ ...call, params: { ...call.params, phone_number }, data })).data ?? {} };
  } catch (error) {
    if (error instanceof Refusal) return { error: { code: error.status, error: error.code } };
    throw error;
  }
}

/** Does the job at once, whose outcome is read later: numbers that cannot be made are told, the others are there. */
const create: Handler = async (call) => {
  const { clock, random } = call.services;
  const sent = acceptable(call, 'carrier_jobs');
  const success: Record<string, Json> = {};
  const errors: Record<string, Json> = {};
  const timestamp = gregorianSeconds(clock);
  const name = { kind: 'carrier_jobs', scope: accountOf(call).id, id: monthId(clock, random, 16) };
  for (const number of new Set(textsAt(sent, 'numbers'))) {
    const { done, error } = await made(call, number);
    if (done !== undefined) success[number] = done;
    if (error !== undefined) errors[number] = error;
  }
  const body = { ...sent, success, errors, status: 'complete', timestamp };
  const record = await write(call, { name, resource: 'carrier_jobs', body });
  const { success: _, errors: __, ...asked } = await shownRecord(call, 'carrier_jobs', record);
  return { data: { ...asked, status: 'pending' }, created: name.id };
};

const list: Handler = async (call) => {
  const isIn = timeRange(call);
  const scope = accountOf(call).id;
  return answerList(call, {
    resource: 'carrier_jobs',
    scope,
    has: ({ createdAt }) => isIn(createdAt),
    item: (record) => shownRecord(call, 'carrier_jobs', record),
  });
};

/** Jobs that bring numbers of a carrier into an account (Conventions, Carriers). */
export const carrierJobHandlers: Handlers = {
  'carrier_jobs.list': list,
  'carrier_jobs.create': create,
  'carrier_jobs.get': async (call) => {
    const record = await namedRecord(call, 'carrier_jobs');
    return { data: await shownRecord(call, 'carrier_jobs', record), record };
  },
};
