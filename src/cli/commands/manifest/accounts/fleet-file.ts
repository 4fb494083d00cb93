import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import { isObject, type Json, type JsonObject, omitUndefined } from '../../../../base/json.ts';
import type { InputFile } from '../../../../engine/manifest/desired.ts';
import { type Counts, planVersion } from '../../../../engine/manifest/plan.ts';
import {
  damagedPlan,
  fleetMark,
  parsedPlan,
  planDigest,
  refuseEdited,
} from '../../../../engine/manifest/saved-plan.ts';
import type { ShownCharges } from '../../../../engine/manifest/shown-plan.ts';
import type { Context } from '../../../command/context.ts';
import type { ReportLine } from '../../../command/result.ts';
import { planLines, type ShownAccountPlan, savedPlanGroup } from '../plan/plan-lines.ts';
import { plannedJson } from '../plan/plan-report.ts';
import { readPlanFile, writePlanFile } from '../plan/save-plan.ts';
import { chargesLines, type FleetSummary } from './fleet-plan.ts';

export interface FleetAccount {
  readonly account: string;
  readonly id: string;
  readonly hash: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** A saved plan of a fleet for `rollout start`: a hash for each account, and one plan of each kind. */
export interface SavedFleet {
  readonly origin: string;
  readonly set: string;
  /** Options that make the same plans again. */
  readonly options: JsonObject;
  readonly inputs: readonly InputFile[];
  readonly accounts: readonly FleetAccount[];
  /** Distinct plans, most common first. */
  readonly kinds: readonly {
    readonly accounts: number;
    readonly names: readonly string[];
    readonly plan: JsonObject;
  }[];
  readonly others: number;
  readonly counts: Counts;
  readonly failed: readonly JsonObject[];
  readonly refused?: JsonObject;
  readonly charges?: ShownCharges;
}

type FleetSource = Pick<SavedFleet, 'origin' | 'set' | 'options' | 'inputs' | 'accounts'>;

export const isFleetPlan = (text: string): boolean => {
  const value = parsedPlan(text);
  return isObject(value) && value.telctl === fleetMark;
};

/** Saves the plan of a fleet for `telctl rollout start FILE`. */
export async function saveFleet(
  context: Context,
  out: string,
  summary: FleetSummary,
  beside: FleetSource & Pick<SavedFleet, 'refused'>,
): Promise<void> {
  const { groups, others, counts } = summary.groups();
  const kinds = groups.map(({ first, accounts, names }) => ({
    accounts,
    names: [...names],
    plan: plannedJson(first),
  }));
  const content = {
    telctl: fleetMark,
    version: planVersion,
    ...beside,
    kinds,
    others,
    counts,
    failed: summary.failed,
    charges: summary.charges,
  };
  // Removes unset fields, so that the data equals the parsed JSON.
  const plain: JsonObject = JSON.parse(JSON.stringify(content));
  await writePlanFile(context, out, { ...plain, digest: planDigest(plain) });
}

/** Throws `usage` if the plan is missing, and `invalid` if it was changed or is for one account. */
export async function openFleet(context: Pick<Context, 'state'>, name: string): Promise<SavedFleet> {
  const value = parsedPlan(await readPlanFile(context, name));
  if (!isObject(value) || value.telctl !== fleetMark)
    throw new Failure('invalid', `${name} is not the plan of a fleet. Nothing was sent.`, {
      hint: createHint`Make one: ${nextStep`plan -f FILE --accounts FILE --out PLAN`}. To apply the plan of one manifest: ${nextStep`apply ${name}`}`,
    });
  refuseEdited(name, value);
  if (!isFleet(value)) throw damagedPlan(name);
  return value;
}

const isFleet = (value: JsonObject): value is JsonObject & SavedFleet =>
  [value.inputs, value.accounts, value.kinds, value.failed].every((each) => Array.isArray(each)) &&
  [value.origin, value.set].every((each) => typeof each === 'string') &&
  isObject(value.options) &&
  isObject(value.counts) &&
  (value.accounts as readonly Json[]).every(
    (each: Json) =>
      isObject(each) && [each.account, each.id, each.hash].every((word) => typeof word === 'string'),
  );

export async function fleetLines(
  name: string,
  { kinds, accounts, counts, others, charges }: SavedFleet,
  verbose: boolean,
): Promise<readonly ReportLine[]> {
  const detail = { verbose, fleet: true } as const;
  const groups = kinds.map(async ({ plan, accounts: many, names }) =>
    savedPlanGroup(await readSavedAccountPlan(name, plan), { accounts: many, names }, detail),
  );
  const all = { accounts: accounts.length, counts, groups: await Promise.all(groups), others };
  return [...planLines(all, detail), ...chargesLines(charges)];
}

/** Restores a saved plan for display. */
export async function readSavedAccountPlan(name: string, shown: JsonObject): Promise<ShownAccountPlan> {
  // Imported lazily, because the validator is large.
  const { readShownPlan } = await import('../../../../engine/manifest/plan-schema.ts');
  const { plan, refused, refusedUnasked, prices } = readShownPlan(shown, () => damagedPlan(name));
  const refusal =
    refused && new Failure(refused.kind, refused.message, omitUndefined({ hint: refused.hint }));
  const unasked = refusedUnasked;
  return { plan, refusal, inUse: undefined, createdBy: undefined, unasked, ...omitUndefined({ prices }) };
}
