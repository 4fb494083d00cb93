import { isObject, type JsonObject } from '../../base/json.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import { createNormaliser } from '../../contract/validate.ts';
import { acceptable, write } from '../collections/records.ts';
import { without } from '../fields.ts';
import { accountOf, type Call, type Handler } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { refuseUnlessReseller } from '../telephony/prices.ts';

const nameOf = (account: StoredRecord) => ({ kind: 'limits', scope: account.id, id: 'limits' });
const defaults = createNormaliser(resourceByName('limits').schema, 'conventions');

/** An account that never set limits has the defaults. */
function unset(): JsonObject {
  const { value } = defaults({});
  return isObject(value) ? value : {};
}

const read = (call: Call): Promise<StoredRecord | undefined> =>
  call.services.store.get(nameOf(accountOf(call)));

/** Fields that only those above an account set; told when the limits are read. */
const postpay = { allow_postpay: false, max_postpay_amount: 0 };

const isDocument = ({ services }: Call): boolean => services.behaviour.limits.shape === 'document';

const get: Handler = async (call) => {
  const record = await read(call);
  const body = record?.body ?? unset();
  if (!isDocument(call)) return { data: body };
  return record
    ? { data: { id: 'limits', ...postpay, ...body }, record }
    : { data: { id: 'limits', ...body } };
};

const set: Handler = async (call) => {
  await refuseUnlessReseller(call, 'limits');
  const before = await read(call);
  const sent = acceptable(call, 'limits');
  const body = isDocument(call) ? without(sent, (key) => Object.hasOwn(postpay, key)) : sent;
  const record = await write(call, { name: nameOf(accountOf(call)), resource: 'limits', body, before });
  return { data: isDocument(call) ? { id: 'limits', ...record.body } : record.body, record };
};

/** Limits of an account, and the charges that a change must accept (Limits; Errors, rule 1). */
export const limitsHandlers = new Map<string, Handler>([
  ['limits.get', get],
  ['limits.set', set],
]);
