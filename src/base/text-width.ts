/** Characters of one cell at every terminal. Of others, two cells are the most that one takes. */
const narrow = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff…→│█░]$/;

/** Cells of a terminal that a text takes at most. Terminals differ in what they draw, so that none of them takes more. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) cells += narrow.test(character) ? 1 : 2;
  return cells;
}

/** A text cut to so many cells at most, its end marked by `…`. */
export function cutTo(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += cellsOf(character);
    if (used > cells - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
