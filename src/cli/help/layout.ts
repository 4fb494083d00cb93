/** Two columns of text, the first as wide as its widest entry (at least `least`), moved in by two blanks. */
export function twoColumns(rows: readonly (readonly [string, string])[], least = 0): string {
  const width = Math.max(least, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n');
}

/** A heading with what stands below it. */
export function section(heading: string, body: string): string {
  return `${heading}\n${body}\n`;
}
