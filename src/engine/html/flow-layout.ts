import { plainLine } from './markup.ts';

export interface DrawnStep {
  /** The module of the step, such as `menu`. In the first box, the name or a number of the callflow. */
  readonly name: string;
  readonly about: string;
  /** `leaves` if the call continues in another callflow, `back` if it starts this callflow again. */
  readonly kind?: 'leaves' | 'back';
  /** Difference from the same step of another flow: `new`, `gone`, `moved`, `changed`. */
  readonly mark?: string;
  readonly link?: string | undefined;
  readonly branches: readonly { readonly key: string; readonly step: DrawnStep }[];
}

/** Down suits callflows with few ends, because branches are side by side. */
export type Direction = 'down' | 'right';

/** Positions and sizes in pixels. The position is the middle of the box. */
export interface Box {
  readonly step: DrawnStep;
  readonly isStart: boolean;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Wire {
  readonly from: Point;
  readonly to: Point;
  readonly key: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Sizes in pixels. */
export interface FlowLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly wires: readonly Wire[];
}

/** Characters. Longer text is wrapped. */
const lineLength = 26;
const linesAtMost = 4;
export const lineHeight = 18;
export const keyHeight = 20;
/** Width of a letter in the picture. Letters of wide scripts count twice. */
const letterWidth = 8;
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/u;
const margin = 10;
const boxGap = 14;
const layerGap = 36;
const keyGap = 52;

export const widthOfText = (text: string): number =>
  [...text].reduce((sum, letter) => sum + letterWidth * (wide.test(letter) ? 2 : 1), 0);

const truncateText = (text: string, length: number): string =>
  [...text].length > length ? `${[...text].slice(0, length - 1).join('')}…` : text;

function wrapText(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of plainLine(text).split(' ').filter(Boolean)) {
    const short = truncateText(word, lineLength);
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + [...short].length < lineLength)
      lines.splice(-1, 1, `${last} ${short}`);
    else lines.push(short);
  }
  return lines;
}

function boxLines({ name, about, kind }: DrawnStep): readonly string[] {
  const lines = [...wrapText(name), ...wrapText(kind === 'back' ? `↺ ${about}` : about)];
  return lines.length > linesAtMost
    ? [...lines.slice(0, linesAtMost - 1), `${truncateText(lines[linesAtMost - 1] ?? '', lineLength - 1)}…`]
    : lines;
}

/** A single branch that is always taken has no label. */
const wireLabel = (key: string, isOnly: boolean): string =>
  key === '_' ? (isOnly ? '' : 'otherwise') : truncateText(plainLine(key), lineLength);

/** `layer` is the number of steps before it. The slots are the range that its ends take across the layers. */
interface Node {
  readonly step: DrawnStep;
  readonly lines: readonly string[];
  readonly depth: number;
  readonly first: number;
  readonly last: number;
  readonly children: readonly { readonly node: Node; readonly key: string }[];
}

function createNode(step: DrawnStep, depth: number, slots: { used: number }): Node {
  const isOnly = step.branches.length === 1;
  const children = step.branches.map((branch) => ({
    node: createNode(branch.step, depth + 1, slots),
    key: wireLabel(branch.key, isOnly),
  }));
  const first = children[0]?.node.first ?? slots.used;
  if (children.length === 0) slots.used += 1;
  return { step, lines: boxLines(step), depth, first, last: slots.used - 1, children };
}

const flattenNodes = (node: Node): readonly Node[] => [
  node,
  ...node.children.flatMap(({ node: child }) => flattenNodes(child)),
];

/**
 * A flow is a tree, so each end takes its own slot and no wires cross. To the right, a step is next to its first
 * branch, and the start is in the upper left corner. Downwards, a step is above the middle of its branches.
 */
export function layoutFlow(start: DrawnStep, direction: Direction): FlowLayout {
  const isDown = direction === 'down';
  const root = createNode(start, 0, { used: 0 });
  const nodes = flattenNodes(root);
  const sizes = new Map(nodes.map((node) => [node, sizeOfBox(node, node === root)]));
  const nodeSize = (node: Node): Size => sizes.get(node) ?? { width: 0, height: 0 };
  const layers = placeLayers(
    nodes,
    (node) => (isDown ? nodeSize(node).height : nodeSize(node).width),
    isDown,
  );
  const slots = placeSlots(
    nodes,
    root,
    (node) => (isDown ? nodeSize(node).width : nodeSize(node).height),
    isDown,
  );

  const pointAt = (along: number, across: number): Point =>
    isDown ? { x: across, y: along } : { x: along, y: across };
  const nodeLayer = ({ depth }: Node): Span => layers[depth] ?? { from: margin, size: 0 };
  const boxes = nodes.map((node): Box => {
    const { from, size } = nodeLayer(node);
    const { width, height } = nodeSize(node);
    return {
      step: node.step,
      isStart: node === root,
      lines: node.lines,
      ...pointAt(from + size / 2, slots.middleOf(node)),
      ...(isDown ? { width, height: size } : { width: size, height }),
    };
  });
  const wires = nodes.flatMap((node) =>
    node.children.map(({ node: child, key }): Wire => {
      const { from, size } = nodeLayer(node);
      return {
        from: pointAt(from + size, slots.middleOf(node)),
        to: pointAt(nodeLayer(child).from, slots.middleOf(child)),
        key,
      };
    }),
  );
  const { from, size } = layers.at(-1) ?? { from: margin, size: 0 };
  const { x: width, y: height } = pointAt(from + size + margin, slots.end - boxGap + margin);
  return { width, height, boxes, wires };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Span {
  readonly from: number;
  readonly size: number;
}

const sizeOfBox = ({ lines }: Node, isStart: boolean): Size => ({
  width: Math.max(72, ...lines.map(widthOfText)) + (isStart ? 36 : 24),
  height: Math.max(1, lines.length) * lineHeight + 16,
});

/** Leaves space between the layers for the labels of wires. */
function placeLayers(
  nodes: readonly Node[],
  length: (node: Node) => number,
  isDown: boolean,
): readonly Span[] {
  const layers: Span[] = [];
  for (const layer of Map.groupBy(nodes, ({ depth }) => depth).values()) {
    const before = layers.at(-1);
    const labels = nodes
      .filter(({ depth }) => depth === layers.length - 1)
      .flatMap(({ children }) => children.flatMap(({ key }) => (key === '' ? [] : [key])))
      .map((key) => (isDown ? keyHeight : widthOfText(key)));
    const gap = labels.length > 0 ? Math.max(...labels) + keyGap : layerGap;
    const from = before ? before.from + before.size + gap : margin;
    layers.push({ from, size: Math.max(...layer.map(length)) });
  }
  return layers;
}

function placeSlots(nodes: readonly Node[], root: Node, breadth: (node: Node) => number, isDown: boolean) {
  const slots = Array.from({ length: root.last + 1 }, () => 0);
  const nodeSpan = ({ first, last }: Node): number =>
    slots.slice(first, isDown ? last + 1 : first + 1).reduce((sum, size) => sum + size + boxGap, -boxGap);
  // Deeper steps are later in the list and enlarge their slots first.
  for (const node of nodes.toReversed()) {
    const missing = breadth(node) - nodeSpan(node);
    const slot = isDown ? node.last : node.first;
    if (missing > 0) slots[slot] = (slots[slot] ?? 0) + missing;
  }
  const slotStart = (slot: number): number =>
    slots.slice(0, slot).reduce((sum, size) => sum + size + boxGap, margin);
  const starts = slots.map((_, slot) => slotStart(slot));
  return {
    end: slotStart(slots.length),
    middleOf: (node: Node): number => (starts[node.first] ?? margin) + nodeSpan(node) / 2,
  };
}
