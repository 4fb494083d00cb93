/** Joins wrapped sentences of a report into one line each. */
export const unfolded = (text: string): string => text.replaceAll(/\n *│ /g, ' ');
