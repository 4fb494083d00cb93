import type { JsonObject } from '../../base/json.ts';
import { createCheck } from '../../contract/validate.ts';
import { kindByName } from './kinds.ts';
import { type Plan, planVersion, type Step } from './plan.ts';
import { accountPlanSchema, closed } from './plan-schema.ts';
import type { SavedPlan } from './saved-plan.ts';
import type { ShownPlan, ShownPrice, ShownRefusal, ShownStep } from './shown-plan.ts';

/** A plan as it was saved, and why `apply` would have refused it then. */
export interface SavedShown {
  readonly plan: Plan;
  readonly refused: ShownRefusal | undefined;
  readonly refusedUnasked: readonly ShownRefusal[];
  /** Prices that the service told then. */
  readonly prices?: readonly ShownPrice[];
}

const fitsPlan = createCheck(accountPlanSchema);
const isShown = (value: JsonObject): value is JsonObject & ShownPlan => fitsPlan(value);

/**
 * Reads a plan as `shownPlan` wrote it. What it would send is not there: of `send` there are the names of the fields alone.
 * Throws what `damaged` gives where anything is not as it should be.
 */
export function readShownPlan(value: JsonObject, damaged: () => Error): SavedShown {
  if (!isShown(value)) throw damaged();
  const { account, set, steps, kept, doubles, refused, refused_unasked: refusedUnasked = [], prices } = value;
  return {
    plan: {
      version: planVersion,
      account: { ...account, id: account.id ?? undefined },
      set,
      steps: steps.map(stepOf),
      ...(kept ? { kept } : {}),
      ...(doubles ? { doubles } : {}),
    },
    refused,
    refusedUnasked,
    ...(prices ? { prices } : {}),
  };
}

const stepOf = ({ kind, sends, may_cost: mayCost, takes_from: takesFrom, ...step }: ShownStep): Step => ({
  ...step,
  kind: kindByName(kind).name,
  protect: step.protect === true,
  ...(sends ? { send: Object.fromEntries(sends.map((name) => [name, null])) } : {}),
  ...(mayCost ? { mayCost } : {}),
  ...(takesFrom === undefined ? {} : { takesFrom }),
  managed: {},
});

const text = { type: 'string' } as const;
const texts = { type: 'object', additionalProperties: text } as const;
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
const step = closed({ hash: text, action: text, label: text, seen: texts });

const fitsFile = createCheck(() =>
  closed({
    telctl: { const: 'plan' },
    version: { const: planVersion },
    salt: text,
    options: { type: 'object' },
    inputs: list(closed({ name: text, sha256: text })),
    outside: texts,
    accounts: list(
      closed({
        plan: { type: 'object' },
        id: { type: ['string', 'null'] },
        name: text,
        origin: text,
        steps: { type: 'object', additionalProperties: step },
      }),
    ),
    digest: text,
  }),
);

/** True for a plan file with all that it holds. */
export const isWholePlan = (value: JsonObject): value is JsonObject & SavedPlan => fitsFile(value);
