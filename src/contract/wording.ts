/** Text of several lines in one, for a place that has room for a line. */
export const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

/** So many of something: `1 object`, `2 objects`. */
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
