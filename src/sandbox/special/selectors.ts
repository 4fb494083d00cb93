import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { collectionHandlers } from '../collections/collection.ts';
import { acceptable } from '../collections/records.ts';
import { putOf } from '../placement.ts';
import { invalid, type Problem, Refusal, unknownId } from '../refusal.ts';
import { accountOf, type Call, type Handler } from '../requests/call.ts';
import { gregorianSeconds } from '../timestamps.ts';

const generic = collectionHandlers('selectors');
const rulesId = 'resource_selector_rules';

const nameOf = (call: Call) => ({ kind: 'selector_rules', scope: accountOf(call).id, id: rulesId });

/** Names of the possible steps of the rules (Conventions, Resource selectors). */
const steps = ['get_resources', 'filter_list', 'filter_regex', 'order'];

function problemsOf(rule: Json, index: number): readonly Problem[] {
  const names = isObject(rule) ? Object.keys(rule) : [];
  if (names.length === 1 && names.every((name) => steps.includes(name))) return [];
  const message = `must be an object with one of ${steps.join(', ')}`;
  return [{ path: `rules.${index}`, rule: 'enum', message, target: steps }];
}

const read = (call: Call) => call.services.store.get(nameOf(call));

const shown = ({ services }: Call, body: JsonObject): JsonObject => ({
  id: rulesId,
  ...services.behaviour.selectors.rules,
  ...body,
});

/** Steps in the order in which they are taken; the fields of the specification's record are kept beside them. */
const replace: Handler = async (call) => {
  const body = acceptable(call, 'selectors');
  const isChecked = call.services.behaviour.selectors.unknownSteps === 'refused';
  const problems = isChecked && Array.isArray(body.rules) ? body.rules.flatMap(problemsOf) : [];
  if (problems.length > 0) throw invalid(problems);
  const before = await read(call);
  const now = gregorianSeconds(call.services.clock);
  const record = {
    ...nameOf(call),
    body,
    hidden: {},
    createdAt: before?.createdAt ?? now,
    modifiedAt: now,
    revision: before?.revision ?? 0,
  };
  call.changes.push(putOf(record, 'selectors'));
  return { data: shown(call, body), record };
};

const rules: Handler = async (call) => {
  const record = await read(call);
  if (!record && call.services.behaviour.selectors.none === 'refused') throw unknownId(rulesId);
  return { data: shown(call, record?.body ?? {}), ...(record ? { record } : {}) };
};

const list: Handler = async (call) => {
  const { store, behaviour } = call.services;
  if (behaviour.selectors.none === 'refused' && (await store.count('selectors', accountOf(call).id)) === 0)
    throw new Refusal(503, 'datastore_fault', 'The service could not read its store.', {});
  return generic.list(call);
};

/** Selectors, and the rules by which they are looked through (Conventions, Resource selectors). */
export const selectorHandlers = new Map<string, Handler>([
  ['selectors.rules', rules],
  ['selectors.update-rules', replace],
  ['selectors.list', list],
  ['selectors.get', generic.get],
  ['selectors.update', generic.update],
  ['selectors.delete', generic.delete],
]);
