import { drawable, drawingOf } from './drawing.ts';
import type { Step } from './steps.ts';

const shapes = {
  start: 'shape=box, style="rounded,bold"',
  step: 'shape=box, style=rounded',
  leaves: 'shape=box, style="rounded,dashed"',
};

/** Text between the quotation marks of a DOT label. */
const quoted = (text: string): string =>
  `"${drawable(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A flow in the DOT language of Graphviz. */
export function dot(title: string, root: Step | undefined): string {
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
