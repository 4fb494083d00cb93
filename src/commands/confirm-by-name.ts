import { Failure } from '../base/failure.ts';
import type { Context } from '../command/context.ts';

/** A question that is answered by a name. */
export interface NameQuestion {
  /** Name that must be typed. */
  readonly name: string;
  /** Value of `--confirm`. */
  readonly given: string | undefined;
  /** `--yes` answers, too. */
  readonly yesAnswers: boolean;
}

/** Goes on only when the name was typed or given. Throws `Failure`: `refused` for another name, `usage` unasked. */
export async function confirmByName({ ask, options }: Context, question: NameQuestion): Promise<void> {
  const { name, given, yesAnswers } = question;
  if (given === undefined && yesAnswers && options.yes) return;
  const fits =
    given === undefined
      ? await ask.typed(`Type ${name} to go on:`, name, { option: `--confirm ${name}` })
      : given === name;
  if (!fits) throw new Failure('refused', `That is not ${name}. Nothing was changed.`);
}
