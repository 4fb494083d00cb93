import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { InputOf, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { services } from '../../contract/resources/services.ts';
import { act } from '../act.ts';
import { same } from '../change.ts';
import { asRecord, findRecord, operationFor } from '../generic/find-record.ts';
import { readBody, readWholeBody } from '../generic/input.ts';
import { accountName } from '../labels.ts';
import type { planArguments } from './commands.ts';

/**
 * Changes the plans of the account: sends what was given, which the service adds, removes or sets. Nothing may be
 * given, since the specification shows no body.
 */
export async function updateServices(input: ParsedInput, context: Context): Promise<Result> {
  const operation = operationFor(services, 'update');
  const data = await readBody(context, services, operation, input);
  const account = await accountName(context);
  return act(context, { call: { operation, data }, message: () => `Changed the plans of ${account}.` });
}

/** Sets what differs from the plans. */
export async function overrideServices(input: ParsedInput, context: Context): Promise<Result> {
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

/** Assigns a plan to the account. */
export async function assignPlan(input: ParsedInput, context: Context): Promise<Result> {
  const operation = operationFor(services, 'assign');
  const { id } = await findRecord(context, services, String(input.plan));
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

/** Takes a plan from the account, after asking. */
export async function unassignPlan(
  { plan }: InputOf<Record<never, never>, typeof planArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findRecord(context, services, plan);
  const account = await accountName(context);
  const question = `Take plan ${id} from ${account}?`;
  if (!context.options.dryRun && !(await context.ask.confirm(question, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was changed.');
  return act(context, {
    call: { operation: operationFor(services, 'unassign'), path: { plan_id: id } },
    message: () => `Took plan ${id} from ${account}.`,
  });
}

/** Shows what differs from the plans. */
export async function showOverrides(_: unknown, context: Context): Promise<Result> {
  const { data } = await (await context.api()).call({ operation: operationFor(services, 'overrides') });
  return { kind: 'item', value: data };
}
