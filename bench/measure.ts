/** One line of the table: what telctl takes against a yardstick that was run beside it. */
export interface Measurement {
  readonly name: string;
  readonly telctl: string;
  readonly yardstick: string;
  readonly ratio: number;
  readonly target: { readonly atMost: number } | { readonly atLeast: number };
}

/** The middle value; of an even number, the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** Two things measured in turns, so that a machine that slows down slows both. */
export interface Pair {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  /** Median of the ratios of each turn. */
  readonly ratio: number;
}

/** Runs both in turns, after one turn each that does not count. What they return is what is compared. */
export async function pairs(
  turns: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<Pair> {
  await ours();
  await theirs();
  const found: { readonly ours: number; readonly theirs: number }[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const oursFirst = turn % 2 === 0;
    const first = await (oursFirst ? ours : theirs)();
    const second = await (oursFirst ? theirs : ours)();
    found.push(oursFirst ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  return {
    ours: found.map((turn) => turn.ours),
    theirs: found.map((turn) => turn.theirs),
    ratio: median(found.map((turn) => turn.ours / turn.theirs)),
  };
}

export function isMet({ ratio, target }: Measurement): boolean {
  return 'atMost' in target ? ratio <= target.atMost : ratio >= target.atLeast;
}

/** The measurements as a Markdown table. */
export function asTable(measurements: readonly Measurement[]): string {
  const rows = measurements.map((each) => {
    const target =
      'atMost' in each.target ? `at most ${each.target.atMost}` : `at least ${each.target.atLeast}`;
    return [
      each.name,
      each.telctl,
      each.yardstick,
      each.ratio.toFixed(2),
      target,
      isMet(each) ? 'met' : 'MISSED',
    ];
  });
  const all = [['what', 'telctl', 'yardstick', 'ratio', 'target', ''], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = all;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
