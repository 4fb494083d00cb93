import type { Step } from './steps.ts';

const arrow = ({ label, leaves }: Step): string => (leaves ? `${label} →` : label);

/** A flow as an indented tree, one step a line. */
export function tree(title: string, root: Step | undefined): readonly string[] {
  const lines = root ? [arrow(root), ...below(root)] : ['(no flow)'];
  return [title, ...lines];
}

function below({ branches }: Step): readonly string[] {
  return branches.flatMap(({ key, step }, index) => {
    const isLast = index === branches.length - 1;
    const indent = `${isLast ? ' ' : '│'}${' '.repeat(key.length + 4)}`;
    return [
      `${isLast ? '└' : '├'}─ ${key}  ${arrow(step)}`,
      ...below(step).map((line) => `${indent}${line}`),
    ];
  });
}
