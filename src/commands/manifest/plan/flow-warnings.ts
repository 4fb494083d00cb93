import { flowsOfManifest } from '../../../callflows/flow-set.ts';
import { lint } from '../../../callflows/lint.ts';
import type { Problem } from '../../../input/problems.ts';
import type { Desired } from '../../../manifest/desired/desired.ts';

/** Rules that a callflow can break by what the manifest leaves alone, and the field that it would have to name. */
const aboutField = new Map([
  ['empty-flow', 'flow'],
  ['no-number', 'numbers'],
]);

/**
 * Returns the findings of `callflows lint` in a manifest, as far as the manifest itself says so. Problems of a place
 * that were said already are not said again: compatible services check the data of steps, too.
 */
export function flowWarnings({ accounts }: Desired, told: readonly Problem[] = []): readonly Problem[] {
  const places = new Set(told.map(({ place }) => place));
  return accounts.flatMap((account) => {
    const confidential = new Set(
      account.objects.flatMap((object) => object.confidential.map((path) => `${object.key} ${path}`)),
    );
    return lint(flowsOfManifest(account)).flatMap((finding) => {
      const { rule, callflow, field, message } = finding;
      const needed = aboutField.get(rule);
      if (needed !== undefined && !Object.hasOwn(callflow.record, needed)) return [];
      // What came from the environment or a file is not shown, not even where it is wrong.
      const shown = confidential.has(`${callflow.id} ${field}`)
        ? 'what is filled in here does not fit'
        : message;
      const problem = callflow.problem?.(field, `${shown} (${rule})`);
      return problem === undefined || places.has(problem.place) ? [] : [problem];
    });
  });
}
