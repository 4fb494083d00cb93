/** Measures how many cells of a terminal texts take, and cuts them to fit. */
export interface Measure {
  width(text: string): number;
  /** The text cut to a width, its end marked by `…`; no character is cut in two. */
  cut(text: string, width: number): string;
}

/** Characters that surely take one cell each, so that nothing need be loaded to count them. */
const plain = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff…→]*$/;

const simple: Measure = {
  width: (text) => text.length,
  cut: (text, width) => (text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`),
};

/** Cells side by side, each filled up to the width of its column. `mark`: what each text is marked by. */
export const sideBySide = (
  cells: readonly string[],
  widths: readonly number[],
  measure: Measure,
  mark = (text: string): string => text,
): string =>
  cells
    .map((cell, index) => mark(cell) + ' '.repeat(Math.max(0, (widths[index] ?? 0) - measure.width(cell))))
    .join('  ')
    .trimEnd();

/** The measure for these texts: knowing wide characters and emoji costs a start as much as all else. */
export async function measureFor(texts: Iterable<string>): Promise<Measure> {
  for (const text of texts) if (!plain.test(text)) return wide();
  return simple;
}

/** Measures any text: wide characters take two cells, combining ones none. */
async function wide(): Promise<Measure> {
  const { default: width } = await import('string-width');
  const segments = new Intl.Segmenter();
  return {
    width: (text) => width(text),
    cut(text, most) {
      if (width(text) <= most) return text;
      let kept = '';
      let used = 0;
      for (const { segment } of segments.segment(text)) {
        used += width(segment);
        if (used > most - 1) break;
        kept += segment;
      }
      return `${kept}…`;
    },
  };
}
