import type { Step } from './steps.ts';

/** Text of a record must not make lines of its own. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, (gap) => (/^ +$/.test(gap) ? gap : ' '));
const arrow = ({ label, leaves }: Step): string => oneLine(leaves ? `${label} →` : label);

/** A flow as an indented tree, one step a line. */
export function tree(title: string, root: Step | undefined): string {
  const lines = root ? [arrow(root), ...below(root)] : ['(no flow)'];
  return `${[oneLine(title), ...lines].join('\n')}\n`;
}

function below({ branches }: Step): readonly string[] {
  return branches.flatMap(({ key: raw, step }, index) => {
    const key = oneLine(raw);
    const isLast = index === branches.length - 1;
    const indent = `${isLast ? ' ' : '│'}${' '.repeat(key.length + 4)}`;
    return [
      `${isLast ? '└' : '├'}─ ${key}  ${arrow(step)}`,
      ...below(step).map((line) => `${indent}${line}`),
    ];
  });
}
