import { type Box, type Drawing, drawable, drawingOf } from './drawing.ts';
import { type Direction, layout, type Point, type Size } from './place-boxes.ts';
import type { Step } from './steps.ts';

/** Letters of a line in a box; longer text goes on below. */
const lineLength = 26;
const linesAtMost = 4;
const lineHeight = 18;
/** Width of a letter at the size of the picture's text; letters of wide scripts count twice. */
const letterWidth = 8;
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/u;
/** More ends than this stand better one below the other. */
const besideAtMost = 4;

const styles = [
  ':root{color-scheme:light dark}',
  'svg{background:#fff}',
  'text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1f2328;text-anchor:middle;dominant-baseline:central}',
  '.module{font-weight:600}',
  'rect{fill:#f6f8fa;stroke:#8c959f;stroke-width:1.2}',
  '.start rect{fill:#ddf4ff;stroke:#0969da}',
  '.leaves rect{stroke-dasharray:5 3}',
  '.line{fill:none;stroke:#6e7781;stroke-width:1.3}',
  '.tip{fill:#6e7781}',
  '.key rect{fill:#fff;stroke:#d0d7de}',
  '@media(prefers-color-scheme:dark){svg{background:#0d1117}text{fill:#e6edf3}rect{fill:#161b22;stroke:#6e7681}.start rect{fill:#0c2d6b;stroke:#58a6ff}.line{stroke:#8b949e}.tip{fill:#8b949e}.key rect{fill:#0d1117;stroke:#30363d}}',
].join('');

/** A flow as a picture that browsers show: no script, nothing from elsewhere, for light and dark pages. */
export function svg(title: string, root: Step | undefined): string {
  const drawing = drawingOf(title, root);
  const texts = drawing.boxes.map(linesOf);
  const keys = drawing.arrows.map(({ text }) => (text === undefined ? '' : keyText(text)));
  const direction = drawing.ends > besideAtMost ? 'LR' : 'TB';
  const sizes = evened(drawing, texts.map(sizeOf), direction);
  const placed = layout(
    sizes,
    drawing.arrows.map(({ from, to }, index) => ({ from, to, ...keySize(keys[index] ?? '') })),
    direction,
  );
  const width = Math.max(placed.width, 64);
  const height = Math.max(placed.height, 64);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(drawable(title))}</title>`,
    `<style>${styles}</style>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
    ...placed.lines.map(
      ({ points }) => `<path class="line" marker-end="url(#tip)" d="${curve(points, direction)}"/>`,
    ),
    ...placed.lines.flatMap(({ label }, index) => keyAt(keys[index] ?? '', label)),
    ...drawing.boxes.map((box, index) => boxAt(box, texts[index] ?? [], sizes[index], placed.boxes[index])),
    '</svg>',
    '',
  ].join('\n');
}

/** What is written on a line. The mark of the branch that is taken where no other fits means nothing to most. */
const keyText = (key: string): string => (key === '_' ? 'otherwise' : cut(drawable(key), lineLength));

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + letterWidth * (wide.test(letter) ? 2 : 1), 0);

const cut = (text: string, length: number): string =>
  [...text].length > length ? `${[...text].slice(0, length - 1).join('')}…` : text;

/** Lines of a box: the module, or the name of the callflow, alone on the first. */
function linesOf({ text, kind }: Box): readonly string[] {
  const whole = drawable(text);
  const at = kind === 'start' ? text.indexOf('  ') : whole.indexOf(' ');
  const [first, rest] =
    at < 1
      ? [whole, '']
      : kind === 'start'
        ? [drawable(text.slice(0, at)), drawable(text.slice(at))]
        : [whole.slice(0, at), whole.slice(at + 1)];
  const lines = [...wrapped(first), ...wrapped(rest)];
  return lines.length > linesAtMost
    ? [...lines.slice(0, linesAtMost - 1), `${cut(lines[linesAtMost - 1] ?? '', lineLength - 1)}…`]
    : lines;
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const short = cut(word, lineLength);
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + [...short].length < lineLength)
      lines.splice(-1, 1, `${last} ${short}`);
    else lines.push(short);
  }
  return lines;
}

const sizeOf = (lines: readonly string[]): Size => ({
  width: Math.max(72, ...lines.map(widthOf)) + 24,
  height: Math.max(1, lines.length) * lineHeight + 16,
});

/** Boxes of one layer fill it, so that no line from a smaller one passes behind a larger one. */
function evened({ boxes }: Drawing, sizes: readonly Size[], direction: Direction): readonly Size[] {
  const side = direction === 'LR' ? 'width' : 'height';
  const most = new Map<number, number>();
  for (const [index, { depth }] of boxes.entries())
    most.set(depth, Math.max(most.get(depth) ?? 0, sizes[index]?.[side] ?? 0));
  return sizes.map((size, index) => ({ ...size, [side]: most.get(boxes[index]?.depth ?? 0) ?? size[side] }));
}

const keySize = (key: string): Size =>
  key === '' ? { width: 0, height: 0 } : { width: widthOf(key) + 12, height: lineHeight + 2 };

function keyAt(key: string, { x, y }: Point): readonly string[] {
  if (key === '') return [];
  const { width, height } = keySize(key);
  return [`<g class="key">${rect(x, y, width, height, 9)}<text x="${x}" y="${y}">${escaped(key)}</text></g>`];
}

const rect = (x: number, y: number, width: number, height: number, round: number): string =>
  `<rect x="${at(x - width / 2)}" y="${at(y - height / 2)}" width="${at(width)}" height="${at(height)}" rx="${round}"/>`;

const at = (value: number): number => Math.round(value * 10) / 10;

function boxAt(
  { kind }: Drawing['boxes'][number],
  lines: readonly string[],
  { width, height }: Size = { width: 0, height: 0 },
  { x, y }: Point = { x: 0, y: 0 },
): string {
  const top = y - ((lines.length - 1) * lineHeight) / 2;
  const texts = lines.map(
    (line, index) =>
      `<text x="${x}" y="${at(top + index * lineHeight)}"${index === 0 ? ' class="module"' : ''}>${escaped(line)}</text>`,
  );
  return `<g class="${kind}">${rect(x, y, width, height, kind === 'start' ? 14 : 6)}${texts.join('')}</g>`;
}

/** A smooth line through points, which leaves each in the direction of the layers. */
function curve(points: readonly Point[], direction: Direction): string {
  const [first] = points;
  if (first === undefined) return '';
  const parts = points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    const x = at((from.x + to.x) / 2);
    const y = at((from.y + to.y) / 2);
    const bends = direction === 'LR' ? `${x} ${from.y} ${x} ${to.y}` : `${from.x} ${y} ${to.x} ${y}`;
    return `C${bends} ${to.x} ${to.y}`;
  });
  return `M${first.x} ${first.y}${parts.join('')}`;
}
