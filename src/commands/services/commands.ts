import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, same } from '../../base/json.ts';
import { type Command, defineCommand, type InputOf, type ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { services } from '../../contract/resources/services.ts';
import { act } from '../act.ts';
import { genericCommands } from '../generic/commands.ts';
import { asRecord, findNamed, operationFor } from '../generic/find-named.ts';
import { readBody, readWholeBody } from '../generic/input.ts';
import { bodyOptions } from '../generic/input-options.ts';
import { readingCommand, rowsBy } from '../generic/reading.ts';
import { accountName } from '../labels.ts';

const planArguments = { plan: { name: 'PLAN', doc: 'Id of the plan' } } as const;

const overrides = readingCommand(services, {
  path: ['services', 'overrides'],
  verb: 'overrides',
  examples: [{ line: 'telctl services overrides -o yaml', doc: 'By category and item' }],
});

const summary = readingCommand(services, {
  path: ['services', 'summary'],
  verb: 'summary',
  examples: [
    { line: "telctl services summary -o json --query 'invoices[].plan'", doc: 'The prices of the account' },
  ],
});

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

/** What was added and removed, a row for each category and day. */
const daysOf = (data: Json): readonly JsonObject[] =>
  (Array.isArray(data) ? data.filter(isObject) : []).flatMap((categories) =>
    Object.entries(categories).flatMap(([category, days]) =>
      rowsBy('day')(days ?? null).map((row) => ({ category, ...row })),
    ),
  );

const audits: readonly Command[] = [
  readingCommand(services, {
    path: ['services', 'audit', 'list'],
    verb: 'audit',
    examples: [{ line: 'telctl services audit list --from 7d', doc: 'What changed the bill' }],
    table: { noun: 'changes', columns: auditColumns },
  }),
  readingCommand(services, {
    path: ['services', 'audit', 'get'],
    verb: 'audit-entry',
    arguments: { audit_id: { name: 'ID', doc: 'Its id' } },
    examples: [{ line: 'telctl services audit get ID -o yaml', doc: 'Who did it, and the quantities' }],
  }),
  readingCommand(services, {
    path: ['services', 'audit', 'summary'],
    verb: 'audit-summary',
    instead: { given: 'category', verb: 'audit-category' },
    arguments: {
      category: { name: 'CATEGORY', doc: 'Only this category: users, devices, limits …', optional: true },
    },
    examples: [{ line: 'telctl services audit summary users', doc: 'Added and removed, day by day' }],
    table: { noun: 'days', columns: dayColumns, rows: daysOf },
  }),
];

/** Writes that take a body of their own and answer with nothing, or with the plans. */
const update: Command = {
  path: ['services', 'update'],
  summary: 'Change the plans of an account',
  arguments: {},
  get options() {
    return bodyOptions(services, operationFor(services, 'update'));
  },
  effect: 'write',
  examples: [{ line: `telctl services update --set-json add='["plan-a"]'`, doc: 'Add a plan' }],
  operations: ['services.update'],
  load: async () => updateServices,
};

const override: Command = {
  path: ['services', 'override'],
  summary: 'Set what differs from the plans',
  arguments: {},
  get options() {
    return bodyOptions(services, operationFor(services, 'override'));
  },
  effect: 'write',
  examples: [
    { line: 'telctl services override -f overrides.yaml', doc: 'Rates and discounts by category and item' },
  ],
  operations: ['services.override'],
  load: async () => overrideServices,
};

const assign: Command = {
  path: ['services', 'assign'],
  summary: 'Assign a plan to an account',
  arguments: planArguments,
  get options() {
    return {
      vendorId: {
        flag: 'vendor-id',
        value: 'ID',
        doc: 'Account whose plan it is',
        completes: { resource: 'accounts' as const },
      },
      ...bodyOptions(services, operationFor(services, 'assign')),
    };
  },
  effect: 'write',
  examples: [{ line: 'telctl services assign plan-a', doc: 'As the reseller sells it' }],
  operations: ['services.assign'],
  load: async () => assignPlan,
};

const unassign = defineCommand({
  path: ['services', 'unassign'],
  summary: 'Take a plan from an account',
  arguments: planArguments,
  options: {},
  effect: 'destructive',
  examples: [{ line: 'telctl services unassign plan-a', doc: 'Asks first' }],
  operations: ['services.unassign'],
  load: async () => unassignPlan,
});

export const servicesCommands: readonly Command[] = [
  ...genericCommands(services, ['services'], ['update']),
  update,
  overrides,
  summary,
  ...audits,
  override,
  assign,
  unassign,
];

/**
 * Changes the plans of the account: sends what was given, which the service adds, removes or sets. Nothing may be
 * given, since the specification shows no body.
 */
async function updateServices(input: ParsedInput, context: Context): Promise<Result> {
  const operation = operationFor(services, 'update');
  const data = await readBody(context, services, operation, input);
  const account = await accountName(context);
  return act(context, { call: { operation, data }, message: () => `Changed the plans of ${account}.` });
}

async function overrideServices(input: ParsedInput, context: Context): Promise<Result> {
  const operation = operationFor(services, 'override');
  const data = await readWholeBody(context, services, operation, input);
  const account = await accountName(context);
  return act(context, {
    call: { operation, data },
    message: () => `Set the overrides of ${account}.`,
    async lookUp(api) {
      const stored = (await api.call({ operation: operationFor(services, 'overrides') })).data;
      return holds(stored, data) ? stored : undefined;
    },
  });
}

async function assignPlan(input: ParsedInput, context: Context): Promise<Result> {
  const operation = operationFor(services, 'assign');
  const { id } = await findNamed(context, services, String(input.plan));
  const vendor: JsonObject = typeof input.vendorId === 'string' ? { vendor_id: input.vendorId } : {};
  const data = { ...(await readBody(context, services, operation, input)), ...vendor };
  const account = await accountName(context);
  return act(context, {
    call: { operation, path: { plan_id: id }, data },
    message: () => `Assigned plan ${id} to ${account}.`,
    async lookUp(api) {
      const { plans } = asRecord(
        services,
        (await api.call({ operation: operationFor(services, 'get') })).data,
      );
      const plan = isObject(plans) && Object.hasOwn(plans, id) ? plans[id] : undefined;
      return plan !== undefined && holds(plan, data) ? plan : undefined;
    },
  });
}

/** True when a value has all that was sent. */
const holds = (stored: Json, sent: JsonObject): boolean =>
  isObject(stored) && Object.entries(sent).every(([key, value]) => same(stored[key], value));

async function unassignPlan(
  { plan }: InputOf<Record<never, never>, typeof planArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findNamed(context, services, plan);
  const account = await accountName(context);
  const question = `Take plan ${id} from ${account}?`;
  if (!context.options.dryRun && !(await context.ask.confirm(question, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was changed.');
  return act(context, {
    call: { operation: operationFor(services, 'unassign'), path: { plan_id: id } },
    message: () => `Took plan ${id} from ${account}.`,
  });
}
