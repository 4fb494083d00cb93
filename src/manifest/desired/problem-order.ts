import type { Problem } from '../../input/problems.ts';
import type { InputFile } from './desired.ts';

/** Problems in the order in which the files were read, each once. */
export function inOrder(problems: readonly Problem[], inputs: readonly InputFile[]): readonly Problem[] {
  const order = new Map(inputs.map(({ name }, index) => [name, index]));
  const rank = ({ file }: Problem): number => order.get(file) ?? -1;
  const seen = new Set<string>();
  return problems
    .filter(({ place, message }) => {
      const whole = `${place} ${message}`;
      if (seen.has(whole)) return false;
      seen.add(whole);
      return true;
    })
    .toSorted(
      (one, other) =>
        rank(one) - rank(other) ||
        (one.line ?? 0) - (other.line ?? 0) ||
        (one.column ?? 0) - (other.column ?? 0),
    );
}
