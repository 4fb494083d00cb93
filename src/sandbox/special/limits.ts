import { resourceByName } from '../../contract/catalogue.ts';
import { isObject, type JsonObject } from '../../contract/json.ts';
import { createNormaliser } from '../../contract/validate.ts';
import { acceptable, write } from '../collections/records.ts';
import { accountOf, type Call, type Handler } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { refuseUnlessReseller } from '../telephony/resellers.ts';

const nameOf = (account: StoredRecord) => ({ kind: 'limits', scope: account.id, id: 'limits' });
const defaults = createNormaliser(resourceByName('limits').schema, 'conventions');

/** An account that never set limits has the defaults. */
function unset(): JsonObject {
  const { value } = defaults({});
  return isObject(value) ? value : {};
}

const read = (call: Call): Promise<StoredRecord | undefined> =>
  call.services.store.get(nameOf(accountOf(call)));

const set: Handler = async (call) => {
  await refuseUnlessReseller(call, 'limits');
  const before = await read(call);
  const body = acceptable('limits', call.data);
  const record = await write(call, { name: nameOf(accountOf(call)), resource: 'limits', body, before });
  return { data: record.body };
};

/** Limits of an account, and the charges that a change must accept (Limits; Errors, rule 1). */
export const limitsHandlers = new Map<string, Handler>([
  ['limits.get', async (call) => ({ data: (await read(call))?.body ?? unset() })],
  ['limits.set', set],
]);
