import type { Plan } from './plan.ts';

/**
 * The part of a plan that sets back what others did since the last apply: fields that they changed, objects that they
 * deleted (`vanished`). Its steps say what they are about, and send nothing.
 */
export function driftOnly(plan: Plan, vanished: ReadonlySet<string>): Plan {
  const { kept: _, ...rest } = plan;
  return {
    ...rest,
    steps: plan.steps.flatMap(({ send: _send, by: _by, ...step }) => {
      if (step.action === 'create' && vanished.has(step.key)) return [{ ...step, changes: [] }];
      const changes = step.changes.filter(({ drift }) => drift === true);
      return step.action === 'update' && changes.length > 0 ? [{ ...step, changes }] : [];
    }),
  };
}
