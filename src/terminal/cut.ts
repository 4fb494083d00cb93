import stringWidth from 'string-width';

const segments = new Intl.Segmenter();

/** A text cut to a width in terminal cells, its end marked by `…`; no character is cut in two. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of segments.segment(text)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
