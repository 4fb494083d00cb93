import { Failure } from '../../base/failure.ts';
import { formatCount } from '../../base/wording.ts';
import { namesAccount } from '../../contract/resource.ts';
import { missingCompanions } from '../../contract/schema.ts';
import { resolveReference } from '../../contract/schema-node.ts';
import type { Problem } from '../input/document.ts';
import { isWholeStep } from '../state/log.ts';
import type { DesiredAccount } from './desired.ts';
import { kindByName } from './kinds.ts';
import type { Plan, Step } from './plan.ts';

/** Plans may exceed these limits only with an option. */
interface PlanLimits {
  readonly maxDeletes: number;
  readonly maxDeletesTotal: number;
  /** Applies to each account and to the whole run, if there are at least ten existing objects. */
  readonly maxChangePercent: number;
}

export function planLimits({
  maxDeletes = 3,
  maxDeletesTotal = Math.max(10, maxDeletes),
  maxChangePercent = 30,
}: Partial<{ readonly [K in keyof PlanLimits]: PlanLimits[K] | undefined }>): PlanLimits {
  return { maxDeletes, maxDeletesTotal, maxChangePercent };
}

const countedFrom = 10;

export interface Changes {
  readonly objects: number;
  readonly deletes: number;
  readonly changes: number;
}

export function countChanges({ steps }: Plan): Changes {
  const objects = steps.filter((step) => step.action !== 'create' && isWholeStep(step));
  const deletes = objects.filter(({ action }) => action === 'delete').length;
  const changes = deletes + objects.filter(({ action }) => action === 'update').length;
  return { objects: objects.length, deletes, changes };
}

/** Returns the refusal of a plan (exit code 9), with the option that allows it, or `undefined`. */
export const planSafety = (plan: Plan, { maxDeletes, maxChangePercent }: PlanLimits): Failure | undefined =>
  checkLimits(countChanges(plan), plan.account.name, '--max-deletes', maxDeletes, maxChangePercent);

export function runSafety(plans: readonly Plan[], limits: PlanLimits): Failure | undefined {
  const all = plans.map(countChanges);
  const sum = (of: keyof Changes): number => all.reduce((total, each) => total + each[of], 0);
  const changes = { objects: sum('objects'), deletes: sum('deletes'), changes: sum('changes') };
  const whose = plans.length === 1 ? (plans[0]?.account.name ?? '') : formatCount(plans.length, 'account');
  return changesSafety(changes, whose, limits);
}

export const changesSafety = (
  changes: Changes,
  whose: string,
  { maxDeletesTotal, maxChangePercent }: PlanLimits,
): Failure | undefined =>
  checkLimits(changes, whose, '--max-deletes-total', maxDeletesTotal, maxChangePercent);

function checkLimits(
  { objects, deletes, changes }: Changes,
  whose: string,
  option: '--max-deletes' | '--max-deletes-total',
  atMost: number,
  maxChangePercent: number,
): Failure | undefined {
  const percent = Math.ceil((100 * changes) / Math.max(1, objects));
  const tooMany = objects >= countedFrom && percent > maxChangePercent;
  const allowed = tooMany ? ` --max-change-percent ${percent}` : '';
  if (deletes > atMost)
    return new Failure(
      'refused',
      `The plan deletes ${formatCount(deletes, 'object')} of ${whose}. The limit is ${atMost}.`,
      {
        hint: `To allow this, pass ${option} ${deletes}${allowed}.`,
        details: { deletes, [option.slice(2).replaceAll('-', '_')]: atMost },
      },
    );
  if (!tooMany) return undefined;
  return new Failure(
    'refused',
    `The plan changes or deletes ${changes} of ${formatCount(objects, 'existing object')} of ${whose} (${percent} %). The limit is ${maxChangePercent} %.`,
    {
      hint: `To allow this, pass${allowed}.`,
      details: { changes, objects, percent, max_change_percent: maxChangePercent },
    },
  );
}

/** Reports fields that services accept only together, such as a username and a password. */
export function allOrNoneProblems({ objects }: DesiredAccount, { steps }: Plan): readonly Problem[] {
  const lacking = new Map(
    steps.flatMap((step) => missingFields(step).map((each) => [step.key, each] as const)),
  );
  if (lacking.size === 0) return [];
  return objects.flatMap((object) => {
    const { field, beside, isNew } = lacking.get(object.key) ?? {};
    if (field === undefined || beside === undefined) return [];
    const unset = object.unset.includes(field) ? ' (not set)' : '';
    const where = isNew ? `${object.key} is new and has` : `${object.key} gets a new ${beside} and has`;
    return [
      object.problem(
        beside,
        `${where} no "${field}"${unset} beside "${beside}"; a KAZOO-compatible service would refuse the request`,
      ),
    ];
  });
}

function missingFields({ kind: name, by, send, changes, completes }: Step) {
  if (send === undefined || completes !== undefined) return [];
  const { resource, schema } = kindByName(name);
  if (by === 'create') return missingCompanions(resource, send).map((each) => ({ ...each, isNew: true }));
  const { properties = {} } = resolveReference(schema, schema);
  const changed = new Set(changes.map(({ path }) => path));
  return (resource.together ?? []).flatMap(({ fields }) => {
    const beside = fields.find((field) => changed.has(field));
    const field = fields.find((each) => properties[each]?.writeOnly === true && send[each] === undefined);
    return beside === undefined || field === undefined ? [] : [{ field, beside, isNew: false }];
  });
}

/** Refuses to create objects that the service would create, with their secrets, in the signed-in account. */
export function refuseElsewhere({ account, steps }: Plan, ownId: string): void {
  if (account.id === ownId) return;
  const [step] = steps.filter(({ by, kind }) => by === 'create' && !isMadeInAccount(kind));
  if (step === undefined) return;
  throw new Failure(
    'usage',
    `The service creates ${step.label} in the account that is signed in, not in ${account.name}. Nothing was sent.`,
    { hint: `Sign in to ${account.name} for it, or leave ${step.key} out of this account.` },
  );
}

function isMadeInAccount(kind: Plan['steps'][number]['kind']): boolean {
  const { create } = kindByName(kind).calls;
  return create === undefined || namesAccount(create);
}
