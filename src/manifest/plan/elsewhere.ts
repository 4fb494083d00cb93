import { Failure } from '../../base/failure.ts';
import { namesAccount } from '../../contract/account-parameter.ts';
import { kindByName } from '../kinds.ts';
import type { Plan } from '../plan.ts';

/**
 * Throws `Failure` (`usage`) where a plan for another account creates what the service makes in the account signed in
 * to alone (SSO applications): it would come to be in the wrong one, secrets and all.
 */
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
