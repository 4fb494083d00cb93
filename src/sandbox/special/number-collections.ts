import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { askCharges } from '../collections/ask-charges.ts';
import { textsAt, without } from '../fields.ts';
import { isSuper } from '../identity/principal.ts';
import { Refusal } from '../refusal.ts';
import { type Call, type Handler, type Handlers, principalOf } from '../requests/call.ts';
import { single } from './numbers.ts';

/** The reason why a number was left alone. `word`: services in the field say it in a word. */
function reasonOf({ status, code, message, data }: Refusal, word: boolean): Json {
  const reason: JsonObject =
    isObject(data) && Object.keys(data).length > 0 ? data : { code: status, error: code, message };
  return word && typeof reason.error === 'string' ? reason.error : reason;
}

/** Does the same to several numbers as to one; what cannot be done is told of each. Charges are asked for together. */
const each =
  (verb: string): Handler =>
  async (call) => {
    const { services, changes } = call;
    const handler = single[`numbers.${verb}`];
    if (handler === undefined) throw new Error(`Nothing does ${verb} to a number.`);
    const numbers = textsAt(call.data, 'numbers');
    const isField = services.behaviour.phoneNumbers.refusals === 'faults';
    const isAllowed = verb !== 'delete' || call.data.hard !== true || isSuper(principalOf(call));
    const data = without(call.data, (key) => key === 'numbers' || (!isAllowed && key === 'hard'));
    const success: Record<string, Json> = {};
    const error: Record<string, Json> = {};
    const refusals: Refusal[] = [];
    for (const typed of numbers) {
      const one: Call = { ...call, data, params: { ...call.params, phone_number: typed }, asksAtLast: true };
      const before = changes.length;
      try {
        const { data: record } = await handler(one);
        success[isObject(record) ? String(record.id) : typed] = record ?? {};
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        changes.length = before;
        refusals.push(refusal);
        error[typed] = reasonOf(refusal, isField && verb === 'activate');
      }
    }
    const [only, ...others] = refusals;
    if (only && others.length === 0 && numbers.length === 1) {
      if (isField) throw new Refusal(500, 'unspecified_fault', only.message, { message: only.message });
      throw only;
    }
    const last = changes.findLast((change) => change.change === 'put' && change.record.kind === 'numbers');
    if (last?.change === 'put') await askCharges(call, 'numbers', last.record, undefined);
    return { data: { success, ...(refusals.length > 0 ? { error } : {}) } };
  };

/** The same for several numbers at once (Conventions, phone numbers, several at once). */
export const numberCollectionHandlers: Handlers = {
  'numbers.create-many': each('create'),
  'numbers.update-many': each('update'),
  'numbers.patch-many': each('patch'),
  'numbers.delete-many': each('delete'),
  'numbers.buy': each('activate'),
};
