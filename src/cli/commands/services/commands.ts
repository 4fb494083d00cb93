import { Failure } from '../../../base/failure.ts';
import { isEqualJson, isObject, type Json, type JsonObject, objectsIn } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import { services } from '../../../contract/resources/services.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { callCommand, type OperationCommandFacts, rowsBy } from '../operations/operation-command.ts';
import { asRecord, operationFor } from '../records/find-named.ts';

const plan = { name: 'PLAN', doc: 'Id of the plan' } as const;

const containsValues = (stored: Json, sent: Json | undefined): boolean =>
  isObject(stored) &&
  Object.entries(isObject(sent) ? sent : {}).every(([key, value]) => isEqualJson(stored[key], value));

const auditColumns = [
  { header: 'CHANGE', paths: ['reason'] },
  { header: 'STATUS', paths: ['status'] },
  { header: 'TODAY', paths: ['summary.today'] },
  { header: 'EACH MONTH', paths: ['summary.recurring'] },
  { header: 'ID', paths: ['id'] },
] as const;
const dayColumns = [
  { header: 'CATEGORY', paths: ['category'] },
  { header: 'DAY', paths: ['day'] },
  { header: 'ADDED', paths: ['addition'] },
  { header: 'REMOVED', paths: ['removal'] },
  { header: 'THEN', paths: ['quantity'] },
] as const;

/** Rows of added and removed items, one for each category and day. */
const itemRows = (data: Json): readonly JsonObject[] =>
  objectsIn(data).flatMap((categories) =>
    Object.entries(categories).flatMap(([category, days]) =>
      rowsBy('day')(days ?? null).map((row) => ({ category, ...row })),
    ),
  );

const month = ['created_from', 'created_to'] as const;

const reads: readonly OperationCommandFacts[] = [
  {
    operation: operationFor(services, 'overrides'),
    examples: { 'telctl services overrides -o yaml': 'Show overrides by category and item' },
  },
  {
    operation: operationFor(services, 'summary'),
    examples: {
      "telctl services summary -o json --query 'invoices[].plan'": 'Show the prices of the account',
    },
  },
  {
    path: ['services', 'audit', 'list'],
    operation: operationFor(services, 'audit'),
    range: month,
    examples: { 'telctl services audit list --from 7d': 'List changes of the bill' },
    gives: { noun: 'changes', rows: 'pages', columns: auditColumns },
  },
  {
    path: ['services', 'audit', 'get'],
    operation: operationFor(services, 'audit-entry'),
    arguments: { id: { name: 'ID', doc: 'Its id' } },
    examples: { 'telctl services audit get ID -o yaml': 'Show the user and the quantities' },
  },
  {
    path: ['services', 'audit', 'summary'],
    operation: operationFor(services, 'audit-summary'),
    range: month,
    given: [{ when: { category: true }, operation: operationFor(services, 'audit-category') }],
    arguments: {
      category: { name: 'CATEGORY', doc: 'Only this category: users, devices, limits …', optional: true },
    },
    examples: { 'telctl services audit summary users': 'Show added and removed items by day' },
    gives: { noun: 'days', columns: dayColumns, rows: itemRows },
  },
];

async function assignedPlans(api: Api): Promise<JsonObject> {
  const record = (await api.call({ operation: operationFor(services, 'get') })).data;
  const { plans } = asRecord(services, record);
  return isObject(plans) ? plans : {};
}

/** Each plan is an id or an object with an id. Throws `Failure` for a plan without an id. */
const planIds = (plans: Json | undefined): readonly string[] =>
  (Array.isArray(plans) ? plans : []).map((each: Json) => {
    const id = isObject(each) ? each.id : each;
    if (typeof id === 'string') return id;
    throw new Failure('failed', 'The request names a plan without an id, so telctl cannot look for it.');
  });

const writes: readonly OperationCommandFacts[] = [
  {
    operation: operationFor(services, 'update'),
    body: services,
    data: {},
    examples: { [`telctl services update --set-json add='["plan-a"]'`]: 'Add a plan' },
    says: 'Changed the plans of {account}.',
    async lookUp(api, { data }) {
      const { add, delete: taken } = isObject(data) ? data : {};
      const plans = await assignedPlans(api);
      const isAssigned = (id: string): boolean => Object.hasOwn(plans, id);
      return planIds(add).every(isAssigned) && !planIds(taken).some(isAssigned) ? plans : undefined;
    },
  },
  {
    operation: operationFor(services, 'override'),
    body: services,
    whole: true,
    examples: { 'telctl services override -f overrides.yaml': 'Read rates and discounts from a file' },
    says: 'Set the overrides of {account}.',
    async lookUp(api, { data }) {
      const stored = (await api.call({ operation: operationFor(services, 'overrides') })).data;
      return containsValues(stored, data) ? stored : undefined;
    },
  },
  {
    operation: operationFor(services, 'assign'),
    arguments: { plan },
    options: {
      vendorId: {
        value: 'ID',
        doc: 'Account that owns the plan',
        completes: { resource: 'accounts' },
        into: { data: 'vendor_id' },
        as: 'text',
      },
    },
    body: services,
    data: {},
    examples: { 'telctl services assign plan-a': 'Assign a plan of the reseller' },
    says: 'Assigned plan {plan} to {account}.',
    async lookUp(api, { path: { plan_id: id = '' }, data }) {
      const plans = await assignedPlans(api);
      const stored = Object.hasOwn(plans, id) ? plans[id] : undefined;
      return stored !== undefined && containsValues(stored, data) ? stored : undefined;
    },
  },
  {
    operation: operationFor(services, 'unassign'),
    arguments: { plan },
    examples: { 'telctl services unassign plan-a': 'Unassign a plan after confirmation' },
    asks: 'Unassign plan {plan} from {account}?',
    says: 'Unassigned plan {plan} from {account}.',
    async lookUp(api, { path: { plan_id: id = '' } }) {
      return Object.hasOwn(await assignedPlans(api), id) ? undefined : {};
    },
  },
];

export const servicesCommands: readonly Command[] = [
  ...genericCommands(services, ['services'], ['update']),
  ...[...reads, ...writes].map(callCommand),
];
