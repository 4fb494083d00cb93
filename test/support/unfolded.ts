/** A report with each sentence in one line again, however wide the screen was. */
export const unfolded = (text: string): string => text.replaceAll(/\n *│ /g, ' ');
