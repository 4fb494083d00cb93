import { Failure } from '../../../base/failure.ts';
import { type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { shortNumbers } from '../../../contract/account-emergency.ts';
import { type EmergencyFacts, newEmergencyProblems } from '../../../contract/emergency-problems.ts';
import { withMergePatch } from '../../../engine/manifest/canonical.ts';
import { referencesIn } from '../../../engine/manifest/desired.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import type { Observed, Plan, Step } from '../../../engine/manifest/plan.ts';
import { allowsShadow } from '../../../engine/manifest/read-numbers.ts';
import type { Context } from '../../command/context.ts';
import { accountEmergencyNumbers } from '../records/service-numbers.ts';

/** A record before and after a step of a plan. */
interface Changed {
  readonly step: Step;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject;
}

/**
 * Returns the reason for refusing a plan that blocks emergency calls. Checks the records as the plan leaves them,
 * because a manifest may change only a part. `allowed`: keys of objects that may block them.
 */
export async function emergencyRefusal(
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
