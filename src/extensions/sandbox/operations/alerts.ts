import { isObject, type Json, type JsonObject, textAt } from '../../../base/json.ts';
import { collectionHandlers, namedRecord, removeRecord, wholeList } from '../collections/collection.ts';
import { shownAnswer, shownRecord, write } from '../collections/records.ts';
import { displayName } from '../fields.ts';
import { isAdministrator, isSuper } from '../identity/principal.ts';
import { gregorianSeconds, newId } from '../ids-and-secrets.ts';
import { missingFields, unknownId } from '../refusal.ts';
import {
  accountOf,
  nowOf,
  pathParameter,
  principalOf,
  type RequestHandler,
  type RequestHandlers,
  recordsIn,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';
import { balanceOf } from './ledgers.ts';

const computedAlert = (
  call: ServiceRequest,
  category: string,
  of: string,
  words: Omit<JsonObject, 'id'>,
): JsonObject => ({
  id: `${category}-${of}`,
  category,
  clearable: false,
  ...words,
  from: [{ type: 'account', value: textAt(accountOf(call).hidden, 'reseller_id') ?? accountOf(call).id }],
});

/** Creates the computed alerts of the account: a negative balance, and rejected ports. */
async function computedAlerts(call: ServiceRequest): Promise<readonly JsonObject[]> {
  const account = accountOf(call);
  const balance = await balanceOf(call);
  const ports = await recordsIn(call, 'ports');
  return [
    ...(balance < 0
      ? [
          computedAlert(call, 'low_balance', account.id, {
            title: 'Low balance',
            message: `The balance of ${displayName(account)} is ${balance}.`,
            metadata: { current_balance: balance },
          }),
        ]
      : []),
    ...ports
      .filter(({ body }) => body.port_state === 'rejected')
      .map((port) =>
        computedAlert(call, 'port_action_required', port.id, {
          title: 'A port request needs your attention',
          message: `The port request ${JSON.stringify(displayName(port))} was rejected.`,
          metadata: { port_id: port.id },
        }),
      ),
  ];
}

function concernsCaller(call: ServiceRequest, { body }: StoredRecord): boolean {
  const caller = principalOf(call);
  const to: readonly Json[] = Array.isArray(body.to) ? body.to : [];
  const isOver = Number(body.expiration_date ?? Infinity) <= nowOf(call);
  const role = isSuper(caller) ? 'superduper' : isAdministrator(caller) ? 'admin' : 'user';
  return (
    !isOver &&
    to.filter(isObject).some(({ type, value }) => {
      if (type === 'all') return true;
      if (type === 'role') return value === role;
      return value === (type === 'user' ? caller.user?.id : accountOf(call).id);
    })
  );
}

const list: RequestHandler = async (call) => {
  const stored = (await recordsIn(call, 'alerts')).filter((record) => concernsCaller(call, record));
  const data = [
    ...(await computedAlerts(call)),
    ...(await Promise.all(stored.map((record) => shownRecord(call, 'alerts', record)))),
  ];
  return wholeList(data);
};

const get: RequestHandler = async (call) => {
  const id = pathParameter(call, 'alert_id');
  const found = (await computedAlerts(call)).find((each) => each.id === id);
  return found ? { data: found } : collectionHandlers('alerts').get(call);
};

const create: RequestHandler = async (call) => {
  const { clock, random, behaviour } = call.services;
  const missing = ['title', 'message', 'from', 'to'].filter((field) => call.data[field] === undefined);
  if (missing.length > 0) throw missingFields(missing, behaviour);
  const id = newId(random);
  const name = { kind: 'alerts', scope: accountOf(call).id, id };
  const body = { ...call.data, clearable: true, created: gregorianSeconds(clock) };
  const record = await write(call, 'alerts', name, body);
  return { ...(await shownAnswer(call, 'alerts', record)), created: id };
};

const remove: RequestHandler = async (call) => {
  const record = await namedRecord(call, 'alerts');
  if (!concernsCaller(call, record) && !isSuper(principalOf(call))) throw unknownId(record.id);
  return removeRecord(call, 'alerts', record);
};

export const alertHandlers: RequestHandlers = {
  'alerts.list': list,
  'alerts.get': get,
  'alerts.create': create,
  'alerts.delete': remove,
};
