import stringWidth from 'string-width';
import type { Measure } from './width.ts';

const segments = new Intl.Segmenter();

/** Measures any text: wide characters take two cells, combining ones none. */
export const wide: Measure = {
  width: (text) => stringWidth(text),
  cut(text, width) {
    if (stringWidth(text) <= width) return text;
    let kept = '';
    let used = 0;
    for (const { segment } of segments.segment(text)) {
      used += stringWidth(segment);
      if (used > width - 1) break;
      kept += segment;
    }
    return `${kept}…`;
  },
};
