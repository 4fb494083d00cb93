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

/** The measure for these texts: knowing wide characters and emoji costs a start as much as all else. */
export async function measureFor(texts: Iterable<string>): Promise<Measure> {
  for (const text of texts) {
    if (!plain.test(text)) return (await import('./wide-characters.ts')).wide;
  }
  return simple;
}
