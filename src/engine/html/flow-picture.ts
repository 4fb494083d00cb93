import {
  type Box,
  type Direction,
  type DrawnStep,
  type FlowLayout,
  keyHeight,
  layoutFlow,
  lineHeight,
  type Wire,
  widthOfText,
} from './flow-layout.ts';
import { html, Markup, plainLine } from './markup.ts';

const titleLetters = 300;
const bend = 7;
const trunk = 14;
/** Pictures up to this width shrink on narrow pages. Wider pictures scroll. */
const fittingWidth = 820;
const besideAtMost = 4;

/** Colors of a picture outside a page. On a page, the page's style sets them. */
const styles = [
  ':root{color-scheme:light dark}',
  'svg{background:#fff}',
  'text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1f2328;text-anchor:middle;dominant-baseline:central}',
  '.module{font-weight:600}',
  'rect{fill:#f6f8fa;stroke:#8c959f;stroke-width:1.2}',
  '.start rect{fill:#ddf4ff;stroke:#0969da}',
  '.leaves rect{stroke-dasharray:5 3}',
  '.wire{fill:none;stroke:#6e7781;stroke-width:1.3}',
  '.tip{fill:#6e7781}',
  '.key rect{fill:#fff;stroke:#d0d7de}',
  '@media(prefers-color-scheme:dark){svg{background:#0d1117}text{fill:#e6edf3}rect{fill:#161b22;stroke:#6e7681}.start rect{fill:#0c2d6b;stroke:#58a6ff}.wire{stroke:#8b949e}.tip{fill:#8b949e}.key rect{fill:#0d1117;stroke:#30363d}}',
].join('');

const roundTenth = (value: number): number => Math.round(value * 10) / 10;

const sizeAttributes = ({ width, height }: FlowLayout): Markup =>
  html`width="${roundTenth(width)}" height="${roundTenth(height)}" viewBox="0 0 ${roundTenth(width)} ${roundTenth(height)}"`;

const countEnds = ({ branches }: DrawnStep): number =>
  branches.length === 0 ? 1 : branches.reduce((sum, { step }) => sum + countEnds(step), 0);

export function flowPicture(title: string, start: DrawnStep): Markup {
  const layout = layoutFlow(start, 'right');
  return html`<svg class="flow${layout.width <= fittingWidth && ' fit'}" ${sizeAttributes(layout)} role="group" aria-label="Picture of ${title}">${drawShapes(layout, 'right')}</svg>`;
}

/** Draws a callflow as an SVG file for light and dark pages, without scripts or external files. */
export function flowFile(title: string, start: DrawnStep): string {
  const direction = countEnds(start) > besideAtMost ? 'right' : 'down';
  const layout = layoutFlow(start, direction);
  return html`<svg xmlns="http://www.w3.org/2000/svg" ${sizeAttributes(layout)} role="img">
<title>${plainLine(title)}</title>
<style>${new Markup(styles)}</style>
${drawShapes(layout, direction)}
</svg>
`.text;
}

const drawShapes = ({ boxes, wires }: FlowLayout, direction: Direction): Markup =>
  html`${[
    ...wires.map((wire) => drawWire(wire, direction)),
    ...wires.flatMap((wire) => (wire.key === '' ? [] : [drawLabel(wire, direction)])),
    ...boxes.map(drawBox),
  ].map((shape, index) => html`${index > 0 && '\n'}${shape}`)}`;

function drawWire({ from, to }: Wire, direction: Direction): Markup {
  const isDown = direction === 'down';
  // `along` is the direction of the drawing, and `across` the other one.
  const [along, across] = isDown ? ['V', 'H'] : ['H', 'V'];
  const formatPoint = (alongAt: number, acrossAt: number): string =>
    isDown
      ? `${roundTenth(acrossAt)} ${roundTenth(alongAt)}`
      : `${roundTenth(alongAt)} ${roundTenth(acrossAt)}`;
  const [start, end] = isDown ? [from.y, to.y] : [from.x, to.x];
  const [side, target] = isDown ? [from.x, to.x] : [from.y, to.y];
  const drop = target - side;
  const radius = Math.min(bend, Math.abs(drop) / 2);
  const turn = Math.sign(drop) * radius;
  const bends =
    drop === 0
      ? ''
      : `${along}${roundTenth(start + trunk - radius)}q${formatPoint(radius, 0)} ${formatPoint(radius, turn)}${across}${roundTenth(target - turn)}q${formatPoint(0, turn)} ${formatPoint(radius, turn)}`;
  return html`<path class="wire" d="M${formatPoint(start, side)}${bends}${along}${roundTenth(end)}"/><path class="tip" d="M${formatPoint(end - 7, target - 4)}L${formatPoint(end, target)}L${formatPoint(end - 7, target + 4)}z"/>`;
}

/** Placed before the box at the end of the wire. */
function drawLabel({ to, key }: Wire, direction: Direction): Markup {
  const width = widthOfText(key) + 16;
  const [x, y] = direction === 'down' ? [to.x, to.y - 20] : [to.x - 12 - width / 2, to.y];
  return html`<g class="key"><rect x="${roundTenth(x - width / 2)}" y="${roundTenth(y - keyHeight / 2)}" width="${roundTenth(width)}" height="${keyHeight}" rx="${keyHeight / 2}"/><text x="${roundTenth(x)}" y="${roundTenth(y)}">${key}</text></g>`;
}

function drawBox({ step, isStart, lines, x, y, width, height }: Box): Markup {
  const { name, about, kind, link, mark } = step;
  const isBack = kind === 'back';
  const className = isStart ? 'start' : isBack ? 'step back' : (kind ?? 'step');
  const title = plainLine(`${name} ${isBack ? '↺ ' : ''}${about}`).slice(0, titleLetters);
  const top = y - ((lines.length - 1) * lineHeight) / 2;
  const texts = lines.map(
    (line, index) =>
      html`<text class="${index === 0 ? 'module' : 'what'}" x="${roundTenth(x)}" y="${roundTenth(top + index * lineHeight)}">${line}</text>`,
  );
  const round = isStart ? Math.min(height / 2, 22) : 8;
  const box = html`<g class="${className}${mark !== undefined && ` ${mark}`}"><title>${title}${isBack && ', from the beginning'}</title><rect x="${roundTenth(x - width / 2)}" y="${roundTenth(y - height / 2)}" width="${roundTenth(width)}" height="${roundTenth(height)}" rx="${round}"/>${texts}</g>`;
  return link === undefined ? box : html`<a href="${link}">${box}</a>`;
}
