export interface Measure {
  width(text: string): number;
  /** Cuts a text to a width and marks its end with `…`. Never splits a character. */
  cut(text: string, width: number): string;
}

/** Characters that are always one cell wide. Texts of only these characters need no width library. */
const plain = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff…→]*$/;

const narrowMeasure: Measure = {
  width: (text) => text.length,
  cut: (text, width) => (text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`),
};

/** Aligns cells in columns. */
export const joinColumns = (
  cells: readonly string[],
  widths: readonly number[],
  measure: Measure,
  mark = (text: string): string => text,
): string =>
  cells
    .map((cell, index) => mark(cell) + ' '.repeat(Math.max(0, (widths[index] ?? 0) - measure.width(cell))))
    .join('  ')
    .trimEnd();

/**
 * Returns a measure for these texts. The tables for wide characters and emoji double the startup time, so they are
 * only loaded if needed.
 */
export async function measureFor(texts: Iterable<string>): Promise<Measure> {
  for (const text of texts) if (!plain.test(text)) return measureWide();
  return narrowMeasure;
}

/** Wide characters are two cells, combining characters zero. */
async function measureWide(): Promise<Measure> {
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
