import { isObject, type Json, type JsonObject, objectsIn, textAt } from '../../../base/json.ts';
import { isRoutable, normalisedNumber, toStoredNumber } from '../../../contract/phone-number.ts';
import { numberStates } from '../../../contract/resources/numbers.ts';
import { traitsOf } from '../behaviour.ts';
import { askCharges } from '../collections/accept-charges.ts';
import { answerList } from '../collections/collection.ts';
import { shownRecord, writableFields, write } from '../collections/records.ts';
import { mergeRecords, pick, textsAt, withoutKeys } from '../fields.ts';
import { accountRecordName, isSuper } from '../identity/principal.ts';
import { Refusal } from '../refusal.ts';
import { listRevision } from '../requests/envelope.ts';
import {
  type Answer,
  accountOf,
  pathParameter,
  principalOf,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
} from '../requests/service-request.ts';
import { rulesOf } from '../rules/rules-by-resource.ts';
import type { StoredRecord } from '../store/store.ts';
import {
  belongsTo,
  invalidMove,
  notReconcilable,
  numberRefusal,
  ownerFields,
  stockNumber,
  stockNumbers,
  unknownNumber,
  withServiceFaults,
} from '../telephony/numbers.ts';
import { assignNumber, moveNumber, numberState, releaseNumber, type TargetState } from './number-moves.ts';

const numberInPath = (call: ServiceRequest): string => {
  const form = call.services.behaviour.callflows.numbers === 'as-typed' ? toStoredNumber : normalisedNumber;
  return form(pathParameter(call, 'phone_number'));
};
const recordName = (id: string) => ({ kind: 'numbers', scope: '', id });
const findNumber = (call: ServiceRequest) => call.services.store.get(recordName(numberInPath(call)));

/** Returns the number in the path. Refuses (404) numbers of other accounts. */
async function ownNumber(call: ServiceRequest): Promise<StoredRecord> {
  const number = await findNumber(call);
  if (!number || !belongsTo(number, accountOf(call))) throw unknownNumber(numberInPath(call));
  return number;
}

const answer = async (call: ServiceRequest, number: StoredRecord) => ({
  data: await shownRecord(call, 'numbers', number),
});

const listedFields = [
  'state',
  'features',
  'features_available',
  'features_allowed',
  'features_denied',
  'assigned_to',
  'used_by',
  'created',
  'updated',
];

const isFree = (number: StoredRecord): boolean => numberState(number) === 'available';

async function searchNumbers(call: ServiceRequest, prefix: string): Promise<Answer> {
  const { store, behaviour } = call.services;
  const all = await store.allOfKind('numbers');
  const starts = [prefix, `+${prefix}`, `+1${prefix}`];
  const kept = new Set(all.map(({ id }) => id));
  const free = all.filter((number) => isFree(number) && starts.some((start) => number.id.startsWith(start)));
  const isOffered =
    behaviour.phoneNumbers.stock === 'sandbox' && (call.query.get('country') ?? 'US') === 'US';
  const stock = isOffered ? stockNumbers(prefix).filter((id) => !kept.has(id)) : [];
  const items = [
    ...free.map(({ id }) => ({ number: id, state: 'available' })),
    ...stock.map((number) => ({ number, state: 'discovery' })),
  ];
  const numericParameter = (name: string, usual: number): number =>
    Number(call.query.get(name) ?? usual) || usual;
  const from = numericParameter('offset', 0);
  return { data: items.slice(from, from + numericParameter('quantity', 1)) };
}

/** Returns numbers as an object, with the count of the descendants' numbers (Conventions, listing). */
export const listNumbers: RequestHandler = async (call) => {
  const prefix = call.query.get('prefix');
  if (prefix !== null) return searchNumbers(call, prefix);
  const { id } = accountOf(call);
  const withDerivedFields = async (record: StoredRecord) =>
    (await rulesOf('numbers').summary?.(record, call)) ?? {};
  const { data, envelope = {} } = await answerList(call, 'numbers', {
    scope: '',
    key: { field: 'account', value: id },
    has: (number) => !isFree(number),
    derived: withDerivedFields,
    item: async (record) => ({
      id: record.id,
      ...pick({ ...record.body, ...(await withDerivedFields(record)) }, listedFields),
    }),
  });
  const items = objectsIn(data);
  const below = { field: 'ancestor', value: id };
  return {
    data: {
      numbers: Object.fromEntries(items.map(({ id: number, ...rest }) => [String(number), rest])),
      cascade_quantity: await call.services.store.count('numbers', '', below),
    },
    envelope,
    ...(items.length > 0 ? { revision: listRevision(items) } : {}),
  };
};

/** Returns the states in which the caller can create numbers (Conventions, states of phone numbers, Creation). */
export async function creationStates(call: ServiceRequest): Promise<readonly string[]> {
  const caller = principalOf(call);
  const isLoose = call.services.behaviour.phoneNumbers.moves === 'loose';
  if (isSuper(caller)) return ['aging', 'available', 'in_service', 'port_in', 'reserved'];
  const { account } = caller;
  const above = textsAt(account.hidden, 'tree');
  const tree = await Promise.all(above.map((id) => call.services.store.get(accountRecordName(id))));
  const mayAdd = [account, ...tree].some((each) => each?.hidden.wnm_allow_additions === true);
  return [...(mayAdd ? ['in_service', 'reserved'] : []), ...(isLoose ? ['port_in'] : [])];
}

async function makeNumber(call: ServiceRequest, state: string): Promise<StoredRecord> {
  const id = numberInPath(call);
  if (!isRoutable(id) || !call.services.behaviour.phoneNumbers.makeable.test(id)) {
    throw notReconcilable(id);
  }
  const states = await creationStates(call);
  // Validation against the schema refuses unknown states.
  if (numberStates.includes(state) && !states.includes(state)) {
    const may =
      states.length > 0 ? `You may make numbers ${states.join(' or ')}.` : 'You may make no numbers.';
    throw numberRefusal(403, 'forbidden', `A number cannot be made ${state}. ${may}`, state);
  }
  const account = accountOf(call);
  return write(
    call,
    'numbers',
    recordName(id),
    { ...writableFields(call, 'numbers'), state, assigned_to: account.id },
    ownerFields(account),
  );
}

/** Creates a number, or assigns a number that has no account. */
const create: RequestHandler = async (call) => {
  const before = await findNumber(call);
  const { madeBySuper } = call.services.behaviour.phoneNumbers;
  const usual = isSuper(principalOf(call)) ? madeBySuper : 'reserved';
  const state = textAt(call.data, 'create_with_state') ?? usual;
  if (!before) return answer(call, await makeNumber(call, state));
  const isFree = before.hidden.account === undefined && ['aging', 'available'].includes(numberState(before));
  if (!isFree) {
    throw numberRefusal(409, 'number_exists', `The number ${before.id} already exists.`, before.id);
  }
  if (state !== 'in_service' && state !== 'reserved') throw invalidMove(numberState(before), state);
  return answer(
    call,
    await assignNumber(call, before, accountOf(call), state, writableFields(call, 'numbers')),
  );
};

const change =
  (bodyOf: (before: JsonObject, sent: JsonObject) => JsonObject): RequestHandler =>
  async (call) => {
    const before = await ownNumber(call);
    const body = bodyOf(before.body, writableFields(call, 'numbers'));
    return answer(call, await write(call, 'numbers', before, body));
  };

/** Fields of a number that an update does not change. */
const serviceFields = ['state', 'assigned_to'];

const remove: RequestHandler = async (call) => {
  const number = await ownNumber(call);
  if (call.query.get('hard') !== 'true' && call.data.hard !== true) {
    const { hiddenAfterRemoval = [] } = traitsOf(call.services.behaviour, 'numbers');
    const gone = await shownRecord(call, 'numbers', await releaseNumber(call, number));
    return { data: withoutKeys(gone, (field) => hiddenAfterRemoval.includes(field)) };
  }
  if (!isSuper(principalOf(call)) && call.services.behaviour.phoneNumbers.moves === 'checked') {
    throw numberRefusal(
      403,
      'forbidden',
      'Only the super administrator can delete numbers permanently.',
      number.id,
    );
  }
  call.changes.push({ change: 'remove', record: number, erase: true });
  return answer(call, { ...number, body: { ...number.body, state: 'deleted' } });
};

const moveTo =
  (goal: Exclude<TargetState, 'released'>): RequestHandler =>
  async (call) => {
    const { stock } = call.services.behaviour.phoneNumbers;
    const before =
      (await findNumber(call)) ??
      (stock === 'sandbox' && goal !== 'port_in' ? stockNumber(numberInPath(call)) : undefined);
    if (!before && goal === 'port_in') return answer(call, await makeNumber(call, goal));
    if (!before)
      throw isRoutable(numberInPath(call))
        ? unknownNumber(numberInPath(call))
        : notReconcilable(numberInPath(call));
    const body = mergeRecords(before.body, writableFields(call, 'numbers'));
    return answer(call, await moveNumber(call, before, goal, body));
  };

const singleHandlers: RequestHandlers = {
  'numbers.get': async (call) => answer(call, await ownNumber(call)),
  'numbers.create': create,
  'numbers.update': change((before, sent) => ({ ...sent, ...pick(before, serviceFields) })),
  'numbers.patch': change(mergeRecords),
  'numbers.delete': remove,
  'numbers.activate': moveTo('in_service'),
  'numbers.reserve': moveTo('reserved'),
  'numbers.port-in': moveTo('port_in'),
};

/** Returns why a number failed. With `word`, only the error code, like services in the field. */
function failureReason({ status, code, message, data }: Refusal, word: boolean): Json {
  const reason: JsonObject =
    isObject(data) && Object.keys(data).length > 0 ? data : { code: status, error: code, message };
  return word && typeof reason.error === 'string' ? reason.error : reason;
}

/**
 * Applies a handler to several numbers. Reports failures for each number. The request accepts the charges of all
 * numbers together.
 */
const forEachNumber =
  (verb: string): RequestHandler =>
  async (call) => {
    const { services, changes } = call;
    const handler = singleHandlers[`numbers.${verb}`];
    if (handler === undefined) throw new Error(`Nothing does ${verb} to a number.`);
    const numbers = textsAt(call.data, 'numbers');
    const isField = services.behaviour.phoneNumbers.refusals === 'faults';
    const isAllowed = verb !== 'delete' || call.data.hard !== true || isSuper(principalOf(call));
    const data = withoutKeys(call.data, (key) => key === 'numbers' || (!isAllowed && key === 'hard'));
    const success: Record<string, Json> = {};
    const error: Record<string, Json> = {};
    const refusals: Refusal[] = [];
    for (const typed of numbers) {
      const one: ServiceRequest = {
        ...call,
        data,
        params: { ...call.params, phone_number: typed },
        defersCharges: true,
      };
      const before = changes.length;
      try {
        const { data: record } = await handler(one);
        success[isObject(record) ? String(record.id) : typed] = record ?? {};
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        changes.length = before;
        refusals.push(refusal);
        error[typed] = failureReason(refusal, isField && verb === 'activate');
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

export const numberHandlers: RequestHandlers = {
  // Numbers and their states (Conventions, Phone numbers).
  'numbers.list': listNumbers,
  ...Object.fromEntries(
    Object.entries(singleHandlers).map(([id, handler]) => [id, withServiceFaults(handler)]),
  ),
  'numbers.create-many': forEachNumber('create'),
  'numbers.update-many': forEachNumber('update'),
  'numbers.patch-many': forEachNumber('patch'),
  'numbers.delete-many': forEachNumber('delete'),
  'numbers.buy': forEachNumber('activate'),
};
