import { Failure, leadsOn, nextStep } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { planVersion } from './plan.ts';
import { planDigest, type SavedPlan } from './saved-plan.ts';

export const fleetMark = 'fleet-plan';

/** Tells whether a file's text is a plan that telctl saved, of any version, or that of a fleet. */
export function isSavedPlan(text: string): boolean {
  const value = parsedPlan(text);
  return isObject(value) && (value.telctl === 'plan' || value.telctl === fleetMark);
}

/** Reads a plan file. Throws `Failure` (`invalid`) where it is not one as telctl wrote it. */
export async function readSavedPlan(name: string, text: string): Promise<SavedPlan> {
  const value = parsedPlan(text);
  if (isObject(value) && value.telctl === fleetMark)
    throw new Failure('invalid', `${name} is the plan of a fleet. Nothing was sent.`, {
      hint: leadsOn`Carry it out with: ${nextStep`rollout start ${name}`}`,
    });
  if (value === undefined && beginning.test(text)) throw damagedPlan(name);
  if (!isObject(value) || value.telctl !== 'plan')
    throw new Failure('invalid', `${name} is not a plan that telctl saved. Nothing was sent.`, {
      hint: leadsOn`Manifests are named with -f: ${nextStep`apply -f FILE`}`,
    });
  if (value.version !== planVersion)
    throw new Failure(
      'invalid',
      `${name} is a plan of version ${JSON.stringify(value.version ?? null)}; this telctl knows version ${planVersion}. Nothing was sent.`,
      { hint: planAgain },
    );
  // Loaded late, since the validator behind it is heavy.
  const { isWholePlan } = await import('./saved-steps.ts');
  if (typeof value.digest === 'string') refuseEdited(name, value);
  if (!isWholePlan(value)) throw damagedPlan(name);
  return value;
}

/** Throws `Failure` of kind `invalid` for a plan of another version, or one that is not as telctl wrote it. */
export function refuseEdited(name: string, value: JsonObject): void {
  if (value.digest === planDigest(value)) return;
  throw new Failure('invalid', `${name} was changed since telctl saved it. Nothing was sent.`, {
    hint: planAgain,
  });
}

const planAgain = leadsOn`Make the plan again: ${nextStep`plan -f FILE --out PLAN`}`;

/** The beginning of a plan file, also of one that lost its end. */
const beginning = /^\s*\{\s*"telctl":\s*"plan"/;

/** The failure of a plan file that is not as telctl wrote it. */
export const damagedPlan = (name: string): Failure =>
  new Failure('invalid', `${name} is damaged. Nothing was sent.`, {
    hint: planAgain,
  });

export function parsedPlan(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
