import { isObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { DocumentResult, TextResult } from '../../command/result.ts';
import { callflows } from '../../contract/resources/callflows.ts';
import { redact } from '../../contract/secrets.ts';
import { getRecord } from '../generic/find-record.ts';
import type { showArguments, showOptions } from './commands.ts';
import { drawable, drawingOf } from './drawing.ts';
import { namesFor } from './names.ts';
import { type Step, stepsOf, titleOf } from './steps.ts';
import { tree } from './tree.ts';

const shapes = {
  start: 'shape=box, style="rounded,bold"',
  step: 'shape=box, style=rounded',
  leaves: 'shape=box, style="rounded,dashed"',
};

/** Text between the quotation marks of a DOT label. */
const quoted = (text: string): string =>
  `"${drawable(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A flow in the DOT language of Graphviz. */
function dot(title: string, root: Step | undefined): string {
  const { boxes, arrows } = drawingOf(title, root);
  return [
    'digraph callflow {',
    '  node [fontname="sans-serif"];',
    '  edge [fontname="sans-serif"];',
    ...boxes.map(({ text, kind }, index) => `  n${index} [label=${quoted(text)}, ${shapes[kind]}];`),
    ...arrows.map(
      ({ from, to, text }) => `  n${from} -> n${to}${text === undefined ? '' : ` [label=${quoted(text)}]`};`,
    ),
    '}',
    '',
  ].join('\n');
}

/** Draws a callflow as a tree, a diagram or a picture; scripts get the callflow. */
export async function showCallflow(
  { id, as = 'tree' }: InputOf<typeof showOptions, typeof showArguments>,
  context: Context,
): Promise<TextResult | DocumentResult> {
  const callflow = await getRecord(context, callflows, id);
  const flow = isObject(callflow.flow) && Object.keys(callflow.flow).length > 0 ? callflow.flow : undefined;
  const root = flow && stepsOf(flow, await namesFor(context, callflow));
  const title = titleOf(callflow);
  const value = context.options.reveal ? callflow : redact(callflows.schema, callflow);
  if (as === 'tree') return { kind: 'text', text: tree(title, root), value };
  const draw = as === 'svg' ? (await import('./svg.ts')).svg : { mermaid, dot }[as];
  return { kind: 'document', text: draw(title, root), value };
}

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
