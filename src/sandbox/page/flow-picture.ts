import type { FlowStep } from './flow-tree.ts';
import { html, type Markup } from './markup.ts';

const boxHeight = 44;
const rowGap = 14;
const edge = 8;
const letters = 22;
const titleLetters = 300;
const letterWidth = 8.2;

/** Radius of the bends of lines. */
const corner = 7;

/** A picture that is no wider than this is drawn smaller where there is less room; wider ones are scrolled. */
const fitting = 820;

/** A box with its place: column by its depth, row by the ends above it, so that a flow is read from its upper left. */
interface Box {
  readonly module: string;
  readonly what: string;
  readonly link: string | undefined;
  readonly isBack: boolean;
  readonly depth: number;
  readonly row: number;
  readonly isStart: boolean;
  readonly lines: readonly { readonly to: Box; readonly key: string }[];
}

const cut = (text: string): string =>
  [...text].length > letters ? `${[...text].slice(0, letters - 1).join('')}…` : text;

const widthOf = (text: string): number => [...cut(text)].length * letterWidth;

/** What is written on a line; a branch that is the only one, and taken in any case, needs no word. */
const keyText = (key: string, isOnly: boolean): string =>
  key === '_' ? (isOnly ? '' : 'otherwise') : cut(key);

function placed(step: FlowStep, depth: number, nextRow: { row: number }, isStart: boolean): Box {
  const isOnly = step.branches.length === 1;
  const lines = step.branches.map((branch) => ({
    to: placed(branch.step, depth + 1, nextRow, false),
    key: keyText(branch.key, isOnly),
  }));
  const first = lines[0]?.to;
  const row = first ? first.row : nextRow.row;
  if (!first) nextRow.row += 1;
  const { module, link, isBack = false } = step;
  const what = isBack ? `↺ ${step.what}` : step.what;
  return { module, what, link, isBack, depth, row, isStart, lines };
}

const all = (box: Box): readonly Box[] => [box, ...box.lines.flatMap(({ to }) => all(to))];

interface Column {
  readonly left: number;
  readonly width: number;
}

/** Where the columns stand: as wide as their widest box, as far apart as the longest word on their lines needs. */
function columnsOf(boxes: readonly Box[]): readonly Column[] {
  const columns: Column[] = [];
  for (let left = edge, depth = 0; ; depth += 1) {
    const here = boxes.filter((box) => box.depth === depth);
    if (here.length === 0) return columns;
    const width = Math.max(
      ...here.map(
        ({ module, what, isStart }) => Math.max(80, widthOf(module), widthOf(what)) + (isStart ? 36 : 24),
      ),
    );
    const key = Math.max(0, ...here.flatMap(({ lines }) => lines.map((line) => widthOf(line.key))));
    columns.push({ left, width });
    left += width + (key > 0 ? key + 60 : 36);
  }
}

/** A callflow as a picture, from left to right: what is dialled, then each step and where it leads. */
export function flowPicture(title: string, numbers: readonly string[], root: FlowStep): Markup {
  const [number = 'no number', ...others] = numbers;
  const start: FlowStep = { module: number, what: others.join(', '), branches: [{ key: '_', step: root }] };
  const first = placed(start, 0, { row: 0 }, true);
  const boxes = all(first);
  const columns = columnsOf(boxes);
  const last = columns.at(-1) ?? { left: 0, width: 0 };
  const width = Math.ceil(last.left + last.width + edge);
  const rows = Math.max(...boxes.map(({ row }) => row)) + 1;
  const height = rows * (boxHeight + rowGap) - rowGap + 2 * edge;
  const at = ({ depth, row }: Box) => ({
    ...(columns[depth] ?? last),
    middle: edge + row * (boxHeight + rowGap) + boxHeight / 2,
  });
  const lines = boxes.flatMap((box) =>
    box.lines.map((line) => ({ from: at(box), to: at(line.to), key: line.key })),
  );
  return html`<svg class="flow${width <= fitting && ' fit'}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="Picture of ${title}">${lines.map(
    ({ from, to }) => {
      const [x, end] = [from.left + from.width, to.left];
      const [trunk, drop] = [x + 14, to.middle - from.middle];
      // All lines from a box share one trunk, however many there are.
      const way =
        drop === 0
          ? ''
          : `H${trunk - corner}q${corner} 0 ${corner} ${corner}V${to.middle - corner}q0 ${corner} ${corner} ${corner}`;
      return html`<path class="wire" d="M${x} ${from.middle}${way}H${end}"/>`;
    },
  )}${lines.map(
    ({ to, key }) =>
      key !== '' &&
      html`<g class="key"><rect x="${to.left - widthOf(key) - 26}" y="${to.middle - 10}" width="${widthOf(key) + 16}" height="20" rx="10"/><text x="${to.left - widthOf(key) / 2 - 18}" y="${to.middle}">${key}</text></g>`,
  )}${boxes.map((box) => boxAt(box, at(box)))}</svg>`;
}

function boxAt(
  { module, what, link, isBack, isStart }: Box,
  { left, width, middle }: Column & { readonly middle: number },
): Markup {
  const x = left + width / 2;
  const label = (text: string, y: number, name: string) =>
    html`<text class="${name}" x="${x}" y="${y}">${cut(text)}</text>`;
  const kind = isStart ? 'start' : isBack ? 'step back' : 'step';
  const box = html`<g class="${kind}"><title>${module} ${what.slice(0, titleLetters)}${isBack && ', from the beginning'}</title><rect x="${left}" y="${middle - boxHeight / 2}" width="${width}" height="${boxHeight}" rx="${isStart ? boxHeight / 2 : 8}"/>${
    what === ''
      ? label(module, middle, 'module')
      : [label(module, middle - 9, 'module'), label(what, middle + 10, 'what')]
  }</g>`;
  return link === undefined ? box : html`<a href="${link}">${box}</a>`;
}
