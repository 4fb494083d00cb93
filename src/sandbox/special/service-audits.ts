import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { rangeOf } from '../collections/lists.ts';
import { pick } from '../fields.ts';
import { unknownId } from '../refusal.ts';
import { accountOf, type Call, type Handler, parameter } from '../requests/call.ts';
import { listRevision } from '../requests/revisions.ts';
import type { StoredRecord } from '../store/store.ts';
import { auditKind, isoDay } from '../telephony/service-audits.ts';

/** The changes of the account in the range that the query asks for, the newest first. */
async function audits(call: Call): Promise<readonly StoredRecord[]> {
  const { store } = call.services;
  const { from, to } = rangeOf(call);
  const scope = accountOf(call).id;
  const limit = Math.max(await store.count(auditKind, scope), 1);
  const found = await store.stretch({
    ...{ kind: auditKind, scope, ascending: false, limit, from: { order: String(to) } },
  });
  return found.filter(({ createdAt }) => createdAt >= from);
}

const listed = ['status', 'reason', 'message', 'type', 'summary'];

const list: Handler = async (call) => {
  const data = (await audits(call)).map(({ id, body }) => ({ id, ...pick(body, listed) }));
  const told = call.services.behaviour.replies.sumsAsLists ? { start_key: '' } : {};
  return {
    data,
    ...(data.length > 0 ? { revision: listRevision(data) } : {}),
    envelope: { page_size: data.length, ...told },
  };
};

const get: Handler = async (call) => {
  const id = parameter(call, 'audit_id');
  const record = await call.services.store.get({ kind: auditKind, scope: accountOf(call).id, id });
  if (!record) throw unknownId(id);
  return { data: { id, ...record.body } };
};

/** What was added and removed each day: of all categories, or of one. */
const summary: Handler = async (call) => {
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
  const told = call.services.behaviour.replies.sumsAsLists ? { start_key: '' } : {};
  return { data, envelope: { page_size: data.length, ...told } };
};

/** Billable changes of an account (Conventions, service plans). */
export const serviceAuditHandlers = new Map<string, Handler>([
  ['services.audit', list],
  ['services.audit-entry', get],
  ['services.audit-summary', summary],
  ['services.audit-category', summary],
]);
