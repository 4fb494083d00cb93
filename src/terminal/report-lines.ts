import { neutralise } from '../base/neutralise.ts';
import type { ReportLine, ReportRow, Span } from '../command/result.ts';
import { signInWords, spokenText } from './spoken.ts';
import type { Style } from './style.ts';
import { type Measure, measureFor } from './width.ts';

/** The place where a report is shown. */
export interface ReportView {
  /** Width of the terminal; unknown in a pipe, where nothing is cut. */
  readonly columns: number | undefined;
  readonly style: Style;
}

/** Wider than this, the left column takes no more room. */
const widestLeft = 36;
/** Narrower than this, the right column is neither cut nor folded. */
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
      lefts ??= leftOf(safe.slice(index), measure);
      texts.push(...rowTexts(line, lefts, { ...view, measure }));
    } else {
      lefts = undefined;
      texts.push(line.map((span) => styled(span, view.style)).join(''));
    }
  }
  return texts.map((text) => `${text.trimEnd()}\n`).join('');
}

function harmless(line: ReportLine): ReportLine {
  const safe = (span: Span): Span => ({ ...span, text: neutralise(span.text) });
  if (!('text' in line)) return line.map(safe);
  const { sign, text, right } = line;
  return {
    ...line,
    text: neutralise(text),
    ...(sign === undefined ? {} : { sign: safe(sign) }),
    ...(right === undefined ? {} : { right: neutralise(right) }),
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

const styled = ({ text, mark }: Span, style: Style): string =>
  mark === undefined ? text : style[mark](text);

const indentOf = ({ sign, below }: ReportRow): number =>
  below ? 8 : sign === undefined ? 4 : sign.text.length + 1;

/** Width of the left column of the rows that follow one another. */
function leftOf(lines: readonly ReportLine[], { width }: Measure): number {
  let left = 0;
  for (const line of lines) {
    if (!('text' in line)) break;
    if (line.right !== undefined) left = Math.max(left, indentOf(line) + width(line.text));
  }
  return Math.min(widestLeft, left);
}

function rowTexts(
  row: ReportRow,
  left: number,
  { columns, style, measure }: ReportView & { readonly measure: Measure },
): readonly string[] {
  const { sign, text, right, mark, folds } = row;
  const indent = ' '.repeat(Math.max(0, indentOf(row) - (sign === undefined ? 0 : sign.text.length + 1)));
  const before = `${indent}${sign === undefined ? '' : `${styled(sign, style)} `}`;
  if (right === undefined) {
    const own = columns === undefined ? Number.POSITIVE_INFINITY : columns - indentOf(row);
    const parts = folds && own >= narrowestRight ? folded(text, own, measure) : [text];
    return parts.map((part, index) => (index === 0 ? before : ' '.repeat(indentOf(row))) + part);
  }
  const start = before + text;
  const width = indentOf(row) + measure.width(text);
  const from = Math.max(left, width) + gap;
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - from;
  const shown =
    room < narrowestRight ? [right] : folds ? folded(right, room, measure) : [measure.cut(right, room)];
  return shown.map((part, index) => {
    const left = index === 0 ? start + ' '.repeat(from - width) : ' '.repeat(from);
    return left + styled({ text: part, ...(mark === undefined ? {} : { mark }) }, style);
  });
}

/** A text in lines that are at most so long, broken at blanks, and within a word that is longer than a line. */
function folded(text: string, room: number, measure: Measure): readonly string[] {
  const { width } = measure;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => pieces(each, room, measure))) {
    if (line !== '' && width(line) + 1 + width(word) > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A word, in pieces where it is longer than a line. */
function pieces(word: string, room: number, { width }: Measure): readonly string[] {
  if (width(word) <= room) return [word];
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const more = width(segment);
    if (part !== '' && used + more > room) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += segment;
    used += more;
  }
  return [...parts, part];
}
