import type { Finding } from '../../manifest/callflows/finding.ts';
import { flowsOfManifest } from '../../manifest/callflows/flow-set.ts';
import { lint } from '../../manifest/callflows/lint.ts';
import type { Desired } from '../../manifest/desired/desired.ts';
import type { Problem } from '../../manifest/input/problems.ts';

/** Rules that a callflow can break by what the manifest leaves alone, and the field that it would have to name. */
const aboutField = new Map([
  ['empty-flow', 'flow'],
  ['no-number', 'numbers'],
]);

/** What `callflows lint` finds in a manifest, as far as the manifest itself says so. */
export function flowWarnings({ accounts }: Desired): readonly Problem[] {
  return accounts.flatMap((account) => lint(flowsOfManifest(account)).flatMap(asProblem));
}

function asProblem({ rule, callflow, field, message }: Finding): readonly Problem[] {
  const needed = aboutField.get(rule);
  if (needed !== undefined && !Object.hasOwn(callflow.record, needed)) return [];
  const problem = callflow.problem?.(field, `${message} (${rule})`);
  return problem === undefined ? [] : [problem];
}
