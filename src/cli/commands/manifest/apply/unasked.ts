import { Failure } from '../../../../base/failure.ts';
import { counted } from '../../../../base/wording.ts';
import type { Context } from '../../../command/context.ts';
import type { AccountPlanning } from '../../planning.ts';

/** Objects that a refusal or a question names. */
const namedAtMost = 5;

export interface Owned {
  readonly label: string;
  readonly set: string;
}

/** Returns the objects of other manifest sets that plans name. */
export const takenBy = (accounts: readonly Pick<AccountPlanning, 'plan'>[]): readonly Owned[] =>
  accounts.flatMap(({ plan }) =>
    plan.steps.flatMap(({ label, takesFrom }) =>
      takesFrom === undefined ? [] : [{ label, set: takesFrom }],
    ),
  );

/**
 * Returns the objects of other manifest sets that plans change: an object that stays as it is stays with its owner.
 */
export const changedOf = (accounts: readonly Pick<AccountPlanning, 'plan'>[]): readonly Owned[] =>
  takenBy(
    accounts.map(({ plan }) => ({
      plan: { ...plan, steps: plan.steps.filter(({ by }) => by !== undefined) },
    })),
  );

/** `2 objects are managed by other manifest sets: menu Main ("office"), user alice ("office")` */
export function ownedText(taken: readonly Owned[]): string {
  const names = taken.slice(0, namedAtMost).map(({ label, set }) => `${label} (${JSON.stringify(set)})`);
  const more = taken.length > namedAtMost ? ` and ${taken.length - namedAtMost} more` : '';
  const are =
    taken.length === 1 ? 'is managed by another manifest set' : 'are managed by other manifest sets';
  return `${counted(taken.length, 'object')} ${are}: ${names.join(', ')}${more}`;
}

/**
 * Asks for consent to take objects from other manifest sets; `--yes` does not answer. Throws `Failure`:
 * `refused` if nobody can be asked, `interrupted` if the answer is no.
 */
export async function agreeToTakeOver(
  { ask }: Context,
  taken: readonly Owned[],
  isAgreed: boolean,
): Promise<void> {
  if (taken.length === 0 || isAgreed) return;
  const text = ownedText(taken);
  if (!ask.available)
    throw new Failure('refused', `${text}. Nothing was changed.`, {
      hint: `Take them over with --take-over. If the manifest only has a new name, keep the old one: --set-name ${JSON.stringify(taken[0]?.set)}`,
      details: { managed: taken.map((each) => ({ ...each })) },
      open: { question: `${text}. Take over?`, flags: ['--take-over'] },
    });
  if (!(await ask.confirmExplicitly(`${text}. Take over?`)))
    throw new Failure('interrupted', 'Nothing was changed.');
}
