import { Failure } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import type { RolloutStart } from '../../../engine/state/rollouts.ts';

/** Waves where nobody named others: one account first, then more and more. */
export const usualWaves = '1,5%,25%,100%';

/** Failures that a wave bears where nobody said how many. */
export const usualFailures = '1%';

/**
 * Number of accounts in each wave. A wave is a count or a share of all accounts, rounded up; `100%` is the rest.
 * Throws `Failure` of kind `usage` for what is no wave, and where accounts would be left over.
 */
export function wavesOf(text: string, accounts: number): readonly number[] {
  let left = accounts;
  const waves = text.split(',').map((word) => {
    const { count, percent } = shareIn(word.trim(), '--waves');
    const wanted =
      percent === undefined ? count : percent === 100 ? left : Math.ceil((accounts * percent) / 100);
    if (wanted < 1 && left > 0)
      throw new Failure(
        'usage',
        `--waves takes waves of one account or more, not ${JSON.stringify(word.trim())}.`,
      );
    const wave = Math.min(left, wanted);
    left -= wave;
    return wave;
  });
  if (left > 0)
    throw new Failure('usage', `--waves ${text} leaves ${counted(left, 'account')} of ${accounts} out.`, {
      hint: `End with 100%, which is the rest: --waves ${text},100%`,
    });
  return waves.filter((wave) => wave > 0);
}

/** Failures that a wave bears. Throws `Failure` of kind `usage` for what is neither a count nor a percentage. */
export function failuresOf(text: string): RolloutStart['maxFailures'] {
  const { count, percent } = shareIn(text.trim(), '--max-failures');
  return percent === undefined ? { count } : { percent };
}

/** Failures that a wave of a rollout bears; a canary bears none. */
export function failuresAllowed(
  { maxFailures, waves, canary }: Pick<RolloutStart, 'maxFailures' | 'waves' | 'canary'>,
  wave: number,
): number {
  if (canary !== undefined && wave === 1) return 0;
  const accounts = waves[wave - 1] ?? 0;
  return 'count' in maxFailures ? maxFailures.count : Math.floor((accounts * maxFailures.percent) / 100);
}

function shareIn(
  word: string,
  option: string,
): { readonly count: number; readonly percent: number | undefined } {
  const [, digits, sign] = /^(\d{1,9})(%?)$/.exec(word) ?? [];
  const number = Number(digits);
  if (digits === undefined || (sign === '%' && number > 100))
    throw new Failure('usage', `${option} takes counts and percentages, not ${JSON.stringify(word)}.`, {
      hint: `For example ${option} ${option === '--waves' ? usualWaves : '2%'}.`,
    });
  return sign === '%' ? { count: 0, percent: number } : { count: number, percent: undefined };
}
