import { isObject, type Json, type JsonObject, textAt } from '../../../base/json.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { createNormaliser } from '../../../contract/validate.ts';
import { accountItems, auditKind, isoDay, noteAudit } from '../collections/accept-charges.ts';
import { queryRange, wholeList } from '../collections/collection.ts';
import { settingPlace, writableFields, write } from '../collections/records.ts';
import { mergeRecords, pick, textsAt, withoutKeys } from '../fields.ts';
import { invalid, Refusal, unknownId } from '../refusal.ts';
import { listRevision } from '../requests/envelope.ts';
import {
  accountOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  recordIn,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';
import { accountPrices, invoiceOf, refuseUnlessReseller } from '../telephony/charges.ts';

const readServices = (call: ServiceRequest) => recordIn(call, 'services', 'services');

const plansOf = (body: JsonObject): JsonObject => (isObject(body.plans) ? body.plans : {});

function assignment(call: ServiceRequest, data: JsonObject): JsonObject {
  const account = accountOf(call);
  const vendor = textAt(account.hidden, 'reseller_id') ?? account.id;
  const overrides = showsPlans(call) ? { overrides: {} } : {};
  return { vendor_id: vendor, ...overrides, ...pick(data, ['vendor_id', 'overrides', 'contract']) };
}

/** Parses plans that are sent as ids or as objects with an id. */
function parseAssignments(call: ServiceRequest, field: string, items: Json | undefined): JsonObject {
  if (items === undefined) return {};
  if (isObject(items)) return items;
  const list: readonly Json[] = Array.isArray(items) ? items : [];
  const entries = list.map((item, index) => {
    const id = isObject(item) ? textAt(item, 'id') : item;
    if (typeof id === 'string' && id !== '')
      return [id, assignment(call, isObject(item) ? item : {})] as const;
    const message = 'must be the id of a plan, or an object with an id';
    throw invalid([{ path: `${field}.${index}`, rule: 'type', message }]);
  });
  return Object.fromEntries(entries);
}

async function writeServices(
  call: ServiceRequest,
  change: (body: JsonObject) => JsonObject,
): Promise<StoredRecord> {
  await refuseUnlessReseller(call, 'services');
  const before = await readServices(call);
  const body = change(before?.body ?? {});
  noteAudit(call, accountOf(call), []);
  return write(call, 'services', before ?? (await settingPlace(call, 'services')), body);
}

const normalizeServices = createNormaliser(resourceByName('services').schema, 'conventions');

/** Validates the sent data. Unlike the stored record, it can contain plans to add and to remove. */
function checkedChange(call: ServiceRequest): JsonObject {
  const { value, problems } = normalizeServices(writableFields(call, 'services'));
  if (problems.length > 0) throw invalid(problems);
  return isObject(value) ? value : {};
}

const showsPlans = ({ services }: ServiceRequest): boolean => services.behaviour.services.shape === 'plans';

const answer = (call: ServiceRequest, record: StoredRecord) =>
  showsPlans(call) ? { data: plansOf(record.body), record } : { data: {} };

const get: RequestHandler = async (call) => {
  const body = (await readServices(call))?.body ?? {};
  return { data: showsPlans(call) ? plansOf(body) : mergeRecords({ plans: {} }, body) };
};

const update: RequestHandler = async (call) => {
  const data = checkedChange(call);
  const removed = textsAt(data, 'delete');
  const record = await writeServices(call, (body) => ({
    ...body,
    ...pick(data, ['overrides', 'billing_id']),
    plans: withoutKeys(
      {
        ...(data.plans === undefined ? plansOf(body) : parseAssignments(call, 'plans', data.plans)),
        ...parseAssignments(call, 'add', data.add),
      },
      (id) => removed.includes(id),
    ),
  }));
  // Without sent fields, the record has no new revision.
  return Object.keys(call.data).length === 0 ? { data: answer(call, record).data } : answer(call, record);
};

/** Returns the services of an account and their costs. */
async function costsOf(call: ServiceRequest, body: JsonObject): Promise<{ readonly data: JsonObject }> {
  const account = accountOf(call);
  const { prices: usual } = call.services;
  const items = await accountItems(call, accountPrices(usual, body), account.id);
  const limits = await recordIn(call, 'limits', 'limits');
  const reseller = textAt(account.hidden, 'reseller_id') ?? account.id;
  const counted = Map.groupBy(
    items.filter(({ quantity }) => quantity > 0),
    ({ category }) => category,
  );
  return {
    data: {
      plans: plansOf(body),
      overrides: body.overrides ?? {},
      limits: limits?.body ?? {},
      invoices: items.length === 0 ? [] : [invoiceOf(items, reseller)],
      quantities: {
        account: Object.fromEntries(
          [...counted].map(([category, some]) => [
            category,
            Object.fromEntries(some.map(({ item, quantity }) => [item, quantity])),
          ]),
        ),
        cascade: {},
        manual: {},
      },
      billing_cycle: { period: 1, unit: 'month' },
      reseller: { id: reseller },
    },
  };
}

/** Returns the costs of the account with the sent plans. */
const quote: RequestHandler = async (call) => {
  const data = checkedChange(call);
  const plans = {
    ...parseAssignments(call, 'plans', data.plans),
    ...parseAssignments(call, 'add', data.add),
  };
  return costsOf(call, { plans, ...pick(data, ['overrides']) });
};

const override: RequestHandler = async (call) => {
  const { body } = await writeServices(call, (before) => ({ ...before, overrides: call.data }));
  return { data: showsPlans(call) ? (body.overrides ?? {}) : {} };
};

const assign: RequestHandler = async (call) => {
  const id = pathParameter(call, 'plan_id');
  return answer(
    call,
    await writeServices(call, (body) => ({
      ...body,
      plans: { ...plansOf(body), [id]: assignment(call, call.data) },
    })),
  );
};

const unassign: RequestHandler = async (call) => {
  const id = pathParameter(call, 'plan_id');
  const record = await writeServices(call, (before) => {
    const plans = plansOf(before);
    // Compatible services respond with 500, which would look like a bug of the sandbox.
    if (!Object.hasOwn(plans, id) && showsPlans(call)) throw unknownId(id);
    if (!Object.hasOwn(plans, id)) {
      throw new Refusal(404, 'plan_is_not_assigned', `The account does not have the plan ${id}.`);
    }
    return { ...before, plans: withoutKeys(plans, (key) => key === id) };
  });
  return showsPlans(call) ? answer(call, record) : { data: record.body };
};

/** Lists audit records in the range of the query, newest first. */
async function audits(call: ServiceRequest): Promise<readonly StoredRecord[]> {
  const { store } = call.services;
  const { from, to } = queryRange(call);
  const scope = accountOf(call).id;
  const found = await store.list({
    kind: auditKind,
    scope,
    ascending: false,
    from: { order: String(to) },
  });
  return found.filter(({ createdAt }) => createdAt >= from);
}

const auditList = (call: ServiceRequest, data: readonly JsonObject[]) =>
  wholeList(data, call.services.behaviour.replies.sumsAsLists ? { start_key: '' } : {});

const auditFields = ['status', 'reason', 'message', 'type', 'summary'];

const list: RequestHandler = async (call) => {
  const data = (await audits(call)).map(({ id, body }) => ({ id, ...pick(body, auditFields) }));
  return { ...auditList(call, data), ...(data.length > 0 ? { revision: listRevision(data) } : {}) };
};

const getAudit: RequestHandler = async (call) => {
  const id = pathParameter(call, 'audit_id');
  const record = await recordIn(call, auditKind, id);
  if (!record) throw unknownId(id);
  return { data: { id, ...record.body } };
};

/** Sums added and removed quantities by day, for all categories or one category. */
const summary: RequestHandler = async (call) => {
  const { category } = call.params;
  const days: Record<string, Record<string, Json>> = {};
  for (const { body, createdAt } of (await audits(call)).toReversed()) {
    const changes = isObject(body.changes) ? body.changes : {};
    for (const [name, change] of Object.entries(changes)) {
      if (!isObject(change) || (category !== undefined && name !== category)) continue;
      const ofCategory = days[name] ?? {};
      days[name] = ofCategory;
      const before = ofCategory[isoDay(createdAt)];
      const known: JsonObject = isObject(before) ? before : {};
      const added = Number(change.added);
      ofCategory[isoDay(createdAt)] = {
        addition: Number(known.addition ?? 0) + Math.max(added, 0),
        removal: Number(known.removal ?? 0) + Math.max(-added, 0),
        quantity: Number(change.quantity),
        sum_quantity: Number(change.quantity),
        last_timestamp: createdAt,
      };
    }
  }
  const data = Object.entries(days).map(([name, ofCategory]) => ({ [name]: ofCategory }));
  return auditList(call, data);
};

export const serviceHandlers: RequestHandlers = {
  // Service plans. Any plan id is accepted, because no operation lists plans (Conventions, Services).
  'services.get': get,
  'services.update': update,
  'services.overrides': async (call) => ({ data: (await readServices(call))?.body.overrides ?? {} }),
  'services.summary': async (call) => costsOf(call, (await readServices(call))?.body ?? {}),
  'services.quote': quote,
  'services.available': async (call) => ({
    data: Object.keys(plansOf((await readServices(call))?.body ?? {})).map((id) => ({
      id,
      name: id,
      category: 'plans',
    })),
  }),
  'services.override': override,
  'services.assign': assign,
  'services.unassign': unassign,
  // Audits of billable changes (Conventions, service plans).
  'services.audit': list,
  'services.audit-entry': getAudit,
  'services.audit-summary': summary,
  'services.audit-category': summary,
};
