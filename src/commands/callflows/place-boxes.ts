import { Graph, layout as place } from '@dagrejs/dagre';

/** Something to be placed: its size, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line between two boxes, by their positions in the list, with the size of what is written on it. */
export interface Line extends Size {
  readonly from: number;
  readonly to: number;
}

/** Where everything goes: middles of boxes, and of what is written on lines. */
export interface Layout extends Size {
  readonly boxes: readonly Point[];
  readonly lines: readonly { readonly points: readonly Point[]; readonly label: Point }[];
}

/** From the top down, or from left to right. */
export type Direction = 'TB' | 'LR';

/** Places boxes and lines in layers, from the top down or from left to right. */
export function layout(boxes: readonly Size[], lines: readonly Line[], direction: Direction): Layout {
  const graph = new Graph();
  graph.setGraph({ rankdir: direction, nodesep: 20, ranksep: 30, edgesep: 16, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [index, { width, height }] of boxes.entries()) graph.setNode(String(index), { width, height });
  for (const { from, to, width, height } of lines)
    graph.setEdge(String(from), String(to), { width, height, labelpos: 'c' });
  // A flow is a tree: in the order in which it is given no lines cross, and digits stay in their order.
  place(graph, { disableOptimalOrderHeuristic: true });
  const { width = 0, height = 0 } = graph.graph();
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    boxes: boxes.map((_, index) => pointOf(graph.node(String(index)))),
    lines: lines.map(({ from, to }) => {
      const edge = graph.edge(String(from), String(to));
      const [start, end] = [from, to].map((box) => graph.node(String(box)));
      const inner = (edge.points ?? []).slice(1, -1);
      const points = [sideOf(start, 1, direction), ...inner.map(pointOf), sideOf(end, -1, direction)];
      return { points, label: pointOf(edge) };
    }),
  };
}

const pointOf = ({ x = 0, y = 0 }: { readonly x?: number; readonly y?: number }): Point => ({
  x: Math.round(x * 10) / 10,
  y: Math.round(y * 10) / 10,
});

/** The middle of the side of a box where lines leave it (1) or arrive (-1). */
function sideOf(
  { x = 0, y = 0, width = 0, height = 0 }: Partial<Point & Size> = {},
  side: 1 | -1,
  direction: Direction,
): Point {
  return direction === 'LR'
    ? pointOf({ x: x + (side * width) / 2, y })
    : pointOf({ x, y: y + (side * height) / 2 });
}
