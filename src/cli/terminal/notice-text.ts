import { neutralise } from '../../base/neutralise.ts';
import { displayWidth, formatCount, type Lines, toLines, truncateToWidth } from '../../base/wording.ts';
import type { NoticeTable } from '../command/context.ts';
import type { ReportLine, ReportRow, Span } from '../command/result.ts';
import { signWord, spokenText } from './output.ts';
import { plainStyle, type Style } from './style.ts';
import { type Measure, measureFor } from './width.ts';

/** Prefix of wrapped rows, and of rows with text from the service. */
const serviceMark = '│ ';
const spokenMark = '... ';

/** Narrowest width for text, in cells. Narrower terminals wrap lines themselves. */
const narrowest = 12;

export interface NoticeView {
  /** `undefined` in a pipe, where lines are not wrapped. */
  readonly columns: number | undefined;
  readonly before?: number;
  readonly indent?: number;
  readonly after?: number;
  readonly spoken?: boolean | undefined;
}

/**
 * Formats messages that contain text from the service. That text is escaped, its repeated spaces are collapsed, and no
 * terminal row starts with it, because wrapped rows start with a prefix.
 */
export function formatNotice(said: Lines, view: NoticeView): string {
  const lines = toLines(said);
  return lines
    .flatMap((line, index) => {
      const safe = collapseSpaces(neutralise(line));
      const after = index === lines.length - 1 ? view.after : 0;
      const before = index === 0 ? view.before : 0;
      return wrapLine(view.spoken ? spokenText(safe) : safe, {
        ...view,
        before: before ?? 0,
        after: after ?? 0,
      });
    })
    .join('\n');
}

/** Keeps gaps of up to three spaces, which telctl writes itself, and some indentation. */
const collapseSpaces = (text: string): string =>
  text.replaceAll(/(?<=\S)\s{4,}/gu, ' ').replace(/^\s{8,}/u, ' '.repeat(8));

function wrapLine(line: string, view: NoticeView): readonly string[] {
  const { columns, before = 0, after = 0, indent = 0, spoken = false } = view;
  if (columns === undefined || columns < narrowest || before + displayWidth(line) + after <= columns)
    return [line];
  const mark = ' '.repeat(indent) + (spoken ? spokenMark : serviceMark);
  const rows: string[] = [];
  let row = '';
  let used = before;
  const startRow = (): void => {
    rows.push(row.trimEnd());
    row = mark;
    used = mark.length;
  };
  for (const word of line.split(/(?<=\s)(?=\S)/u)) {
    const cells = displayWidth(word.trimEnd());
    if (
      used + cells > columns &&
      used > mark.length &&
      (cells <= columns - mark.length || columns - used < 2)
    )
      startRow();
    for (const part of word) {
      const more = displayWidth(part);
      if (used + more > columns && part !== ' ') startRow();
      row += part;
      used += more;
    }
  }
  if (used + after > columns) startRow();
  return [...rows, row.trimEnd()];
}

const widestCell = 48;
const narrowestCell = 6;
const gap = 2;

/**
 * Formats the table of a question: each row after the prefix, and each cell in its column. On narrow terminals,
 * shortens headings first, then texts, but never numbers.
 */
export function formatNoticeTable(
  { columns: heads, rows }: NoticeTable,
  view: NoticeView,
): readonly string[] {
  const mark = view.columns === undefined || view.spoken ? '  ' : serviceMark;
  const cells = rows.map((row) =>
    row.map((cell) => truncateToWidth(collapseSpaces(neutralise(cell)), widestCell)),
  );
  const widthsWith = (head: readonly string[]): number[] =>
    head.map((text, index) =>
      Math.max(displayWidth(text), ...cells.map((row) => displayWidth(row[index] ?? ''))),
    );
  const room = (view.columns ?? Number.POSITIVE_INFINITY) - mark.length - gap * (heads.length - 1);
  const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0);
  const long = heads.map(({ head }) => head);
  const head = sum(widthsWith(long)) > room ? heads.map(({ head: text, short = text }) => short) : long;
  const widths = widthsWith(head);
  for (let over = sum(widths) - room; over > 0; over -= 1) {
    const widest = widths.reduce(
      (best, width, index) => (heads[index]?.isNumber || width <= (widths[best] ?? 0) ? best : index),
      heads.findIndex(({ isNumber }) => !isNumber),
    );
    const width = widths[widest] ?? 0;
    if (width <= narrowestCell) break;
    widths[widest] = width - 1;
  }
  return [head, ...cells].flatMap((row) => {
    const texts = row.map((cell, index) => {
      const width = widths[index] ?? 0;
      const text = truncateToWidth(cell, width);
      const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
      return heads[index]?.isNumber ? space + text : text + space;
    });
    return wrapLine(mark + texts.join(' '.repeat(gap)).trimEnd(), view);
  });
}

type ReportView = Pick<NoticeView, 'columns'> & { readonly style: Style };

const widestLeft = 36;
const widestPiped = 60;
/** Largest share of a wide terminal for the left column. */
const widestPart = 0.6;
const narrowestRight = 20;

export async function reportText(lines: readonly ReportLine[], view: ReportView): Promise<string> {
  const safe = lines.map((line) => escapeLine(line, view.style.spoken));
  const measure = await measureFor(
    safe.flatMap((line) => ('text' in line ? [line.text, line.right ?? ''] : [])),
  );
  const texts: string[] = [];
  let lefts: number | undefined;
  for (const [index, line] of safe.entries()) {
    if ('text' in line) {
      lefts ??= leftWidth(safe.slice(index), view, measure);
      texts.push(...formatRow(line, lefts, { ...view, measure }));
    } else {
      lefts = undefined;
      texts.push(...headingRows(line, view));
    }
  }
  return texts.map((text) => `${text.trimEnd()}\n`).join('');
}

/**
 * GitHub limits pull request comments to about 65,000 characters. Longer reports are cut before their end, which
 * contains the totals.
 */
const longestComment = 60_000;
const keptAtEnd = 20;
const commentColumns = 100;

/**
 * Formats a report as a pull request comment: one code block, in which text from files or the service cannot be
 * Markdown, a link or a mention. The symbols of a plan are those of a diff.
 */
export async function reportMarkdown(lines: readonly ReportLine[]): Promise<string> {
  const whole = lines.map((line) => ('text' in line ? { ...line, folds: true as const } : line));
  const text = await reportText(whole, { columns: commentColumns, style: plainStyle });
  const rows = text.trim().split('\n');
  const end = rows.slice(-keptAtEnd);
  let room = longestComment - end.join('\n').length;
  const shown = rows.slice(0, -keptAtEnd).filter((row) => {
    room -= row.length + 1;
    return room >= 0;
  });
  const more = rows.length - shown.length - end.length;
  const inside = [...shown, ...(more > 0 ? [`… ${formatCount(more, 'more line')} …`] : []), ...end];
  const ticks = inside.flatMap((row) => row.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = '`'.repeat(Math.max(2, ...ticks) + 1);
  return `${[`${fence}diff`, ...inside, fence].join('\n')}\n`;
}

function escapeLine(line: ReportLine, spoken = false): ReportLine {
  const escapeNotice = (text: string): string => collapseSpaces(neutralise(text));
  const spokenOrPlain = (text: string): string =>
    spoken ? spokenText(escapeNotice(text)) : escapeNotice(text);
  if (!('text' in line)) return line.map((span) => ({ ...span, text: spokenOrPlain(span.text) }));
  const { sign, text, right } = line;
  return {
    ...line,
    text: spokenOrPlain(text),
    ...(sign && {
      sign: { ...sign, text: spoken ? signWord(escapeNotice(sign.text)) : escapeNotice(sign.text) },
    }),
    ...(right === undefined ? {} : { right: spokenOrPlain(right) }),
  };
}

function headingRows(spans: readonly Span[], { columns, style }: ReportView): readonly string[] {
  const rows = wrapLine(spans.map(({ text }) => text).join(''), { columns, spoken: style.spoken });
  return rows.length > 1 ? rows : [spans.map((span) => styleSpan(span, style)).join('')];
}

const styleSpan = ({ text, mark }: Span, style: Style): string =>
  mark === undefined ? text : style[mark](text);

const indentOf = ({ sign, below }: ReportRow): number =>
  below ? 8 : sign === undefined ? 4 : sign.text.length + 1;

function leftWidth(lines: readonly ReportLine[], { columns }: ReportView, { width }: Measure): number {
  let left = 0;
  for (const line of lines) {
    if (!('text' in line)) break;
    if (line.right !== undefined) left = Math.max(left, indentOf(line) + width(line.text));
  }
  const most = columns === undefined ? widestPiped : Math.max(widestLeft, Math.floor(columns * widestPart));
  return Math.min(most, left);
}

function formatRow(
  row: ReportRow,
  left: number,
  { columns, style, measure }: ReportView & { readonly measure: Measure },
): readonly string[] {
  const { sign, text, right, mark, folds } = row;
  const indent = ' '.repeat(Math.max(0, indentOf(row) - (sign === undefined ? 0 : sign.text.length + 1)));
  const before = `${indent}${sign === undefined ? '' : `${styleSpan(sign, style)} `}`;
  const width = indentOf(row) + measure.width(text);
  const from = Math.max(left, width) + gap;
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - from;
  if (right === undefined || room < narrowestRight) {
    const whole = right === undefined ? text : `${text}  ${right}`;
    const parts = wrapLine(whole, { columns, before: indentOf(row), spoken: style.spoken });
    return parts.map((part, index) => (index === 0 ? before : '') + part);
  }
  const start = `${before}${text}${' '.repeat(from - width)}`;
  const onward = from - serviceMark.length;
  const shown = folds
    ? wrapLine(right, { columns, before: from, indent: onward, spoken: style.spoken })
    : [measure.cut(right, room)];
  return shown.map(
    (part, index) =>
      (index === 0 ? start : '') + styleSpan({ text: part, ...(mark === undefined ? {} : { mark }) }, style),
  );
}
