import { plainLine } from './markup.ts';

/** A step of a callflow, ready to be drawn. */
export interface DrawnStep {
  /** The module of the step: menu, user. Of the first box, what the callflow is called or a number that leads to it. */
  readonly name: string;
  /** The records or values that the step refers to. */
  readonly about: string;
  /** `leaves`: the call continues in another callflow. `back`: the call starts this callflow again. */
  readonly kind?: 'leaves' | 'back';
  /** How it differs from the same step of another flow: `new`, `gone`, `moved`, `changed`. */
  readonly mark?: string;
  /** Address of the record that the step is about. */
  readonly link?: string | undefined;
  readonly branches: readonly { readonly key: string; readonly step: DrawnStep }[];
}

/** Directions of a drawing. Down suits callflows with few ends, since branches are placed side by side. */
export type Direction = 'down' | 'right';

/** A box: its middle, its size in pixels and its lines of text. */
export interface Box {
  readonly step: DrawnStep;
  readonly isStart: boolean;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A line from the end of one box to the beginning of another, and the text on it. */
export interface Wire {
  readonly from: Point;
  readonly to: Point;
  readonly key: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Boxes and wires with their positions, and the size of the whole in pixels. */
export interface FlowLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly wires: readonly Wire[];
}

/** Number of characters of a line in a box; longer text is wrapped. */
const lineLength = 26;
const linesAtMost = 4;
export const lineHeight = 18;
/** Height of the label of a wire. */
export const keyHeight = 20;
/** Width of a letter at the size of the picture's text; letters of wide scripts count twice. */
const letterWidth = 8;
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/u;
const margin = 10;
const boxGap = 14;
/** Room between layers without labels, and around a label. */
const layerGap = 36;
const keyGap = 52;

export const widthOfText = (text: string): number =>
  [...text].reduce((sum, letter) => sum + letterWidth * (wide.test(letter) ? 2 : 1), 0);

const cut = (text: string, length: number): string =>
  [...text].length > length ? `${[...text].slice(0, length - 1).join('')}…` : text;

function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of plainLine(text).split(' ').filter(Boolean)) {
    const short = cut(word, lineLength);
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + [...short].length < lineLength)
      lines.splice(-1, 1, `${last} ${short}`);
    else lines.push(short);
  }
  return lines;
}

/** Lines of a box: the name first, and below it the rest. */
function linesOf({ name, about, kind }: DrawnStep): readonly string[] {
  const lines = [...wrapped(name), ...wrapped(kind === 'back' ? `↺ ${about}` : about)];
  return lines.length > linesAtMost
    ? [...lines.slice(0, linesAtMost - 1), `${cut(lines[linesAtMost - 1] ?? '', lineLength - 1)}…`]
    : lines;
}

/** The text on a wire. A branch that is the only one and is always taken needs none. */
const keyText = (key: string, isOnly: boolean): string =>
  key === '_' ? (isOnly ? '' : 'otherwise') : cut(plainLine(key), lineLength);

/** A step with its layer (steps before it) and the range of slots that its ends take across the layers. */
interface Node {
  readonly step: DrawnStep;
  readonly lines: readonly string[];
  readonly depth: number;
  readonly first: number;
  readonly last: number;
  readonly children: readonly { readonly node: Node; readonly key: string }[];
}

function nodeOf(step: DrawnStep, depth: number, slots: { used: number }): Node {
  const isOnly = step.branches.length === 1;
  const children = step.branches.map((branch) => ({
    node: nodeOf(branch.step, depth + 1, slots),
    key: keyText(branch.key, isOnly),
  }));
  const first = children[0]?.node.first ?? slots.used;
  if (children.length === 0) slots.used += 1;
  return { step, lines: linesOf(step), depth, first, last: slots.used - 1, children };
}

const withAll = (node: Node): readonly Node[] => [
  node,
  ...node.children.flatMap(({ node: child }) => withAll(child)),
];

/**
 * Places the steps of a flow. A flow is a tree, so each end takes a slot of its own and no wires cross. To the right, a
 * step stands beside its first branch, and the start is the upper left; downwards, it stands above the middle of them.
 */
export function layoutFlow(start: DrawnStep, direction: Direction): FlowLayout {
  const isDown = direction === 'down';
  const root = nodeOf(start, 0, { used: 0 });
  const nodes = withAll(root);
  const widths = new Map(
    nodes.map((node) => [node, Math.max(72, ...node.lines.map(widthOfText)) + (node === root ? 36 : 24)]),
  );
  const widthAt = (node: Node): number => widths.get(node) ?? 0;
  const heightAt = ({ lines }: Node): number => Math.max(1, lines.length) * lineHeight + 16;
  const [along, across] = isDown ? [heightAt, widthAt] : [widthAt, heightAt];

  const layers: { readonly from: number; readonly size: number }[] = [];
  for (const layer of Map.groupBy(nodes, ({ depth }) => depth).values()) {
    const before = layers.at(-1);
    const labels = isDown ? () => keyHeight : widthOfText;
    const keys = nodes
      .filter(({ depth }) => depth === layers.length - 1)
      .flatMap(({ children }) => children.flatMap(({ key }) => (key === '' ? [] : [labels(key)])));
    const gap = keys.length > 0 ? Math.max(...keys) + keyGap : layerGap;
    const from = before ? before.from + before.size + gap : margin;
    layers.push({ from, size: Math.max(...layer.map(along)) });
  }

  const slots = Array.from({ length: root.last + 1 }, () => 0);
  const roomOf = ({ first, last }: Node): number =>
    slots.slice(first, last + 1).reduce((sum, size) => sum + size + boxGap, -boxGap);
  // Deeper steps come later in the list: they fill their slots before those above ask for more.
  for (const node of nodes.toReversed()) {
    const missing = across(node) - (isDown ? roomOf(node) : (slots[node.first] ?? 0));
    const slot = isDown ? node.last : node.first;
    if (missing > 0) slots[slot] = (slots[slot] ?? 0) + missing;
  }
  const startOf = (slot: number): number =>
    slots.slice(0, slot).reduce((sum, size) => sum + size + boxGap, margin);
  const starts = slots.map((_, slot) => startOf(slot));
  const middleOf = (node: Node): number =>
    (starts[node.first] ?? margin) + (isDown ? roomOf(node) : (slots[node.first] ?? 0)) / 2;

  const pointAt = (alongAt: number, acrossAt: number): Point =>
    isDown ? { x: acrossAt, y: alongAt } : { x: alongAt, y: acrossAt };
  const layerOf = ({ depth }: Node) => layers[depth] ?? { from: margin, size: 0 };
  const boxes = nodes.map((node): Box => {
    const { from, size } = layerOf(node);
    const sizes = isDown ? { width: widthAt(node), height: size } : { width: size, height: heightAt(node) };
    const middle = pointAt(from + size / 2, middleOf(node));
    return { step: node.step, isStart: node === root, lines: node.lines, ...middle, ...sizes };
  });
  const wires = nodes.flatMap((node) =>
    node.children.map(({ node: child, key }): Wire => {
      const { from, size } = layerOf(node);
      return {
        from: pointAt(from + size, middleOf(node)),
        to: pointAt(layerOf(child).from, middleOf(child)),
        key,
      };
    }),
  );
  const end = layers.at(-1) ?? { from: margin, size: 0 };
  const [length, breadth] = [end.from + end.size + margin, startOf(slots.length) - boxGap + margin];
  return {
    ...(isDown ? { width: breadth, height: length } : { width: length, height: breadth }),
    boxes,
    wires,
  };
}
