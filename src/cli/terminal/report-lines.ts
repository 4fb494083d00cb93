import { neutralise } from '../../base/neutralise.ts';
import type { ReportLine, ReportRow, Span } from '../command/result.ts';
import { signInWords, spokenText } from './output.ts';
import { collapsed, saidRows, serviceMark } from './said-text.ts';
import type { Style } from './style.ts';
import { type Measure, measureFor } from './width.ts';

export interface ReportView {
  /** Width of the terminal; unknown in a pipe, where nothing is cut. */
  readonly columns: number | undefined;
  readonly style: Style;
}

/** Widest left column where the terminal leaves no more, and in a pipe. */
const widestLeft = 36;
const widestPiped = 60;
/** Part of a wide terminal that the left column may take. */
const widestPart = 0.6;
/** Narrowest right column that is cut or folded, in cells. */
const narrowestRight = 20;
const gap = 2;

/** A report as text: rows in two columns, what is too long for the terminal cut or folded, all of it harmless. */
export async function reportText(lines: readonly ReportLine[], view: ReportView): Promise<string> {
  const safe = lines.map(harmless).map((line) => (view.style.spoken ? spokenLine(line) : line));
  const measure = await measureFor(
    safe.flatMap((line) => ('text' in line ? [line.text, line.right ?? ''] : [])),
  );
  const texts: string[] = [];
  let lefts: number | undefined;
  for (const [index, line] of safe.entries()) {
    if ('text' in line) {
      lefts ??= leftOf(safe.slice(index), view, measure);
      texts.push(...rowTexts(line, lefts, { ...view, measure }));
    } else {
      lefts = undefined;
      texts.push(...headingRows(line, view));
    }
  }
  return texts.map((text) => `${text.trimEnd()}\n`).join('');
}

function harmless(line: ReportLine): ReportLine {
  const safe = (span: Span): Span => ({ ...span, text: collapsed(neutralise(span.text)) });
  if (!('text' in line)) return line.map(safe);
  const { sign, text, right } = line;
  return {
    ...line,
    text: collapsed(neutralise(text)),
    ...(sign === undefined ? {} : { sign: safe(sign) }),
    ...(right === undefined ? {} : { right: collapsed(neutralise(right)) }),
  };
}

/** A line without signs: words stand for them. */
function spokenLine(line: ReportLine): ReportLine {
  const said = (span: Span): Span => ({ ...span, text: spokenText(span.text) });
  if (!('text' in line)) return line.map(said);
  const { sign, text, right } = line;
  return {
    ...line,
    text: spokenText(text),
    ...(sign === undefined ? {} : { sign: { ...sign, text: signInWords(sign.text) } }),
    ...(right === undefined ? {} : { right: spokenText(right) }),
  };
}

function headingRows(spans: readonly Span[], { columns, style }: ReportView): readonly string[] {
  const rows = saidRows(spans.map(({ text }) => text).join(''), { columns, spoken: style.spoken });
  return rows.length > 1 ? rows : [spans.map((span) => styled(span, style)).join('')];
}

const styled = ({ text, mark }: Span, style: Style): string =>
  mark === undefined ? text : style[mark](text);

const indentOf = ({ sign, below }: ReportRow): number =>
  below ? 8 : sign === undefined ? 4 : sign.text.length + 1;

/** Width of the left column of the rows that follow one another. */
function leftOf(lines: readonly ReportLine[], { columns }: ReportView, { width }: Measure): number {
  let left = 0;
  for (const line of lines) {
    if (!('text' in line)) break;
    if (line.right !== undefined) left = Math.max(left, indentOf(line) + width(line.text));
  }
  const most = columns === undefined ? widestPiped : Math.max(widestLeft, Math.floor(columns * widestPart));
  return Math.min(most, left);
}

function rowTexts(
  row: ReportRow,
  left: number,
  { columns, style, measure }: ReportView & { readonly measure: Measure },
): readonly string[] {
  const { sign, text, right, mark, folds } = row;
  const indent = ' '.repeat(Math.max(0, indentOf(row) - (sign === undefined ? 0 : sign.text.length + 1)));
  const before = `${indent}${sign === undefined ? '' : `${styled(sign, style)} `}`;
  const width = indentOf(row) + measure.width(text);
  const from = Math.max(left, width) + gap;
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - from;
  const isNarrow = room < narrowestRight;
  if (right === undefined || isNarrow) {
    const whole = right === undefined ? text : `${text}  ${right}`;
    const parts = saidRows(whole, { columns, before: indentOf(row), spoken: style.spoken });
    return parts.map((part, index) => (index === 0 ? before : '') + part);
  }
  const start = `${before}${text}${' '.repeat(from - width)}`;
  const onward = from - serviceMark.length;
  const shown = folds
    ? saidRows(right, { columns, before: from, indent: onward, spoken: style.spoken })
    : [measure.cut(right, room)];
  return shown.map(
    (part, index) =>
      (index === 0 ? start : '') + styled({ text: part, ...(mark === undefined ? {} : { mark }) }, style),
  );
}
