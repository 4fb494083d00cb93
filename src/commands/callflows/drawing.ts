import type { Step } from './steps.ts';

/** A box of a drawing. */
export interface Box {
  readonly text: string;
  readonly kind: 'start' | 'step' | 'leaves';
  /** Steps before it. */
  readonly depth: number;
}

/** A line from one box to another, by their positions, and what is written on it. */
export interface Arrow {
  readonly from: number;
  readonly to: number;
  readonly text: string | undefined;
}

/** A flow as boxes and arrows, each box before what follows it. */
export interface Drawing {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  /** Boxes that nothing follows. */
  readonly ends: number;
}

/** Boxes and arrows of a flow, from the numbers down. */
export function drawingOf(title: string, root: Step | undefined): Drawing {
  const boxes: Box[] = [{ text: title, kind: 'start', depth: 0 }];
  const arrows: Arrow[] = [];
  let ends = 0;
  const draw = (step: Step, from: number, text: string | undefined, depth: number): void => {
    const to = boxes.length;
    boxes.push({ text: step.label, kind: step.leaves ? 'leaves' : 'step', depth });
    arrows.push({ from, to, text });
    if (step.branches.length === 0) ends += 1;
    for (const branch of step.branches) draw(branch.step, to, branch.key, depth + 1);
  };
  if (root) draw(root, 0, undefined, 1);
  return { boxes, arrows, ends };
}

/**
 * Text that a picture can hold: without control characters, which break the notation, and without marks that turn
 * the direction of text, which would make a name look like another.
 */
export const drawable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
