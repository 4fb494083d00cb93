import { Failure } from '../../../base/failure.ts';
import { type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { shortNumbers } from '../../../contract/account-emergency.ts';
import { type EmergencyFacts, newEmergencyProblems } from '../../../contract/emergency-problems.ts';
import { withMergePatch } from '../../../engine/manifest/canonical.ts';
import { referencesIn } from '../../../engine/manifest/desired.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import type { Observed, Plan, Step } from '../../../engine/manifest/plan.ts';
import { allowsShadow } from '../../../engine/manifest/read-numbers.ts';
import type { Ledger } from '../../../engine/state/ledger.ts';
import type { Context } from '../../command/context.ts';
import { accountEmergencyNumbers } from '../records/service-numbers.ts';
import { stopsAllCalls } from './guard-request.ts';
import { lockoutRefusal } from './lockout-guard.ts';
import { confirmByName, protectedFailure } from './protection.ts';

/**
 * Returns the reason for refusing a plan that locks out administrators or blocks emergency calls. `allowed`: keys of
 * objects that may block them. `kind`: `invalid` for plans of manifests, which can allow it.
 */
export async function planRefusal(
  context: Pick<Context, 'api' | 'options' | 'session'>,
  plan: Plan,
  observed: Pick<Observed, 'matches'>,
  emergency: { readonly kind: 'invalid' | 'refused'; readonly allowed: ReadonlySet<string> },
): Promise<Failure | undefined> {
  return (
    (await lockoutRefusal(context, plan, observed)) ??
    (await emergencyRefusal(context, plan, observed, emergency))
  );
}

export function protectedDeletion({ steps }: Plan, ledger: Ledger | undefined): Failure | undefined {
  const deleted = new Map(steps.flatMap((step) => (step.by === 'delete' ? [[step.id, step.label]] : [])));
  const entry = ledger?.entries.find(({ protect, id }) => protect && deleted.has(id));
  return entry && protectedFailure(deleted.get(entry.id) ?? entry.key, entry);
}

/** Returns the reason for refusing a plan that deletes accounts with protected objects. */
export async function protectedAccountRefusal(
  { state }: Pick<Context, 'state'>,
  { account: { origin }, steps }: Plan,
): Promise<Failure | undefined> {
  for (const { kind, by, id, label } of steps) {
    if (kind !== 'accounts' || by !== 'delete' || id === undefined) continue;
    const inside = await (await state()).ledger({ origin, accountId: id }).read();
    const entry = inside?.entries.find(({ protect }) => protect);
    if (entry) return protectedFailure(label, entry);
  }
  return undefined;
}

/** Asks for the name of each account that a plan stops from making calls. Throws like `confirmByName`. */
export async function confirmStoppedCalls(context: Context, plans: readonly Plan[]): Promise<void> {
  for (const { account, steps } of plans) {
    const stops = steps.some(
      ({ kind, by, send, changes }) =>
        kind === 'limits' &&
        by !== undefined &&
        send?.calls === 0 &&
        changes.some(({ path }) => path === 'calls'),
    );
    if (!stops) continue;
    context.notices.warn(stopsAllCalls);
    await confirmByName(context, { name: account.name, given: context.options.confirm, yesAnswers: true });
  }
}

interface Changed {
  readonly step: Step;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject;
}

/** Checks the complete records after the plan, because a manifest may change only a part. */
async function emergencyRefusal(
  context: Pick<Context, 'api' | 'options'>,
  plan: Plan,
  observed: Pick<Observed, 'matches'>,
  { kind, allowed }: { readonly kind: 'invalid' | 'refused'; readonly allowed: ReadonlySet<string> },
): Promise<Failure | undefined> {
  const { id } = plan.account;
  if (id === undefined || (kind === 'refused' && context.options.allowEmergencyShadow)) return undefined;
  const changed = plan.steps
    .flatMap((step) => recordChange(step, observed))
    .filter(({ step }) => !allowed.has(step.key));
  const flowOf = flowsAfter(plan, observed);
  const problemsIn = ({ step, after, before }: Changed, facts: EmergencyFacts) => {
    const { name } = kindByName(step.kind).resource;
    return newEmergencyProblems(name, { before, after }, facts);
  };
  const possible = changed.filter((each) => problemsIn(each, { numbers: shortNumbers, flowOf }).length > 0);
  if (possible.length === 0) return undefined;
  const numbers = await accountEmergencyNumbers(await context.api(), id);
  const lines = possible.flatMap((each) =>
    problemsIn(each, { numbers, flowOf }).map(
      ({ rule, field, message }) => `${each.step.label}, ${field}: ${message} (${rule}).`,
    ),
  );
  if (lines.length === 0) return undefined;
  return new Failure(kind, [...lines, 'Nothing was sent.'], {
    hint:
      kind === 'invalid'
        ? `To allow it, add to the object in the manifest: ${allowsShadow}: true`
        : 'To do it anyway: --allow-emergency-shadow',
  });
}

function recordChange(step: Step, { matches }: Pick<Observed, 'matches'>): readonly Changed[] {
  const { by, send, key } = step;
  if (send === undefined || by === undefined || by === 'delete' || by === 'upload') return [];
  const before = matches.get(step.completes ?? step.releases ?? key)?.record;
  return [{ step, before, after: by === 'patch' && before ? withMergePatch(before, send) : send }];
}

/** Returns a lookup of the steps of a callflow after a plan, by id or reference. */
function flowsAfter(
  { steps }: Plan,
  { matches }: Pick<Observed, 'matches'>,
): (id: string) => Json | undefined {
  const sent = new Map(
    steps.flatMap(({ key, send }) => (send?.flow === undefined ? [] : [[key, send.flow] as const])),
  );
  const keys = new Map([...matches].map(([key, { id }]) => [id, key]));
  return (id) => {
    const key = referencesIn(id)[0] ?? keys.get(id) ?? '';
    return sent.get(key) ?? valueAt(matches.get(key)?.record, 'flow');
  };
}
