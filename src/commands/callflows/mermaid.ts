import type { Step } from './steps.ts';

/** Text inside the quotes of a Mermaid label; its marks are written as entities. */
const escaped = (text: string): string =>
  text.replaceAll(/[#&<>"`|\\]/g, (mark) => `#${mark.charCodeAt(0)};`).replaceAll(/\s+/g, ' ');

/** A flow as a Mermaid flowchart, from the numbers down. */
export function mermaid(title: string, root: Step | undefined): string {
  const lines = ['flowchart TD', `  n0(["${escaped(title)}"])`];
  let count = 0;
  const draw = (step: Step, parent: string, key: string | undefined): void => {
    count += 1;
    const name = `n${count}`;
    lines.push(step.leaves ? `  ${name}[["${escaped(step.label)}"]]` : `  ${name}["${escaped(step.label)}"]`);
    lines.push(`  ${parent} -->${key === undefined ? '' : `|"${escaped(key)}"|`} ${name}`);
    for (const branch of step.branches) draw(branch.step, name, branch.key);
  };
  if (root) draw(root, 'n0', undefined);
  return `${lines.join('\n')}\n`;
}
