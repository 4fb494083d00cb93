import type { Timed } from './processes.ts';

/** A measurement beside its yardstick; the target is how their ratio should be. */
export interface Measurement {
  readonly name: string;
  readonly telctl: string;
  readonly yardstick: string;
  readonly ratio: number;
  /** The same ratio by processor time, which other work on the machine hardly changes; where it is known. */
  readonly cpuRatio?: number | undefined;
  readonly target: { readonly atMost: number } | { readonly atLeast: number };
}

/** The middle value; of an even number, the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Runs both in turns, after one turn each that does not count. Which goes first changes with every turn. */
async function inTurns<T>(
  turns: number,
  ours: () => Promise<T>,
  theirs: () => Promise<T>,
): Promise<readonly { readonly ours: T; readonly theirs: T }[]> {
  await ours();
  await theirs();
  const found: { readonly ours: T; readonly theirs: T }[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const oursFirst = turn % 2 === 0;
    const first = await (oursFirst ? ours : theirs)();
    const second = await (oursFirst ? theirs : ours)();
    found.push(oursFirst ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  return found;
}

/** Two things measured in turns, so that a machine that slows down slows both. */
export interface Pair {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  /** Median of the ratios of each turn. */
  readonly ratio: number;
}

/** Measures both in turns. What they return is what is compared. */
export async function pairs(
  turns: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<Pair> {
  const found = await inTurns(turns, ours, theirs);
  return {
    ours: found.map((turn) => turn.ours),
    theirs: found.map((turn) => turn.theirs),
    ratio: median(found.map((turn) => turn.ours / turn.theirs)),
  };
}

/** What a process took: the time that somebody waits, and that of the processors. */
export type Taken = Pick<Timed, 'ms' | 'cpuMs'>;

/** A comparison of two processes by what they took, turn by turn. */
interface Comparison {
  readonly name: string;
  /** How a time is shown: milliseconds, unless said otherwise. */
  readonly show?: (ms: number) => string;
  /** Speeds are compared instead of times. */
  readonly speed?: boolean;
  readonly target: Measurement['target'];
}

/**
 * The median of the turns' ratios, and beside it the ratio of processor time. The system counts that in steps of 10 ms,
 * so that all turns are added up.
 */
export function compared(
  found: readonly { readonly ours: Taken; readonly theirs: Taken }[],
  { name, show = (ms) => `${ms.toFixed(1)} ms`, speed, target }: Comparison,
): Measurement {
  const ratioOf = (ours: number, theirs: number): number => (speed ? theirs / ours : ours / theirs);
  const cpuRatio = ratioOf(
    sum(found.map(({ ours }) => ours.cpuMs)),
    sum(found.map(({ theirs }) => theirs.cpuMs)),
  );
  return {
    name,
    telctl: show(median(found.map(({ ours }) => ours.ms))),
    yardstick: show(median(found.map(({ theirs }) => theirs.ms))),
    ratio: median(found.map(({ ours, theirs }) => ratioOf(ours.ms, theirs.ms))),
    cpuRatio: Number.isFinite(cpuRatio) ? cpuRatio : undefined,
    target,
  };
}

/** Two processes, and how often each is run. */
interface Race extends Comparison {
  readonly turns: number;
  readonly ours: () => Promise<Taken>;
  readonly theirs: () => Promise<Taken>;
}

/** Times two processes in turns. */
export const race = async ({ turns, ours, theirs, ...comparison }: Race): Promise<Measurement> =>
  compared(await inTurns(turns, ours, theirs), comparison);

export function isMet({ ratio, target }: Measurement): boolean {
  return 'atMost' in target ? ratio <= target.atMost : ratio >= target.atLeast;
}

/** The measurements as a Markdown table, and a line that says which targets were missed. */
export function asTable(measurements: readonly Measurement[]): string {
  const rows = measurements.map((each) => [
    each.name,
    each.telctl,
    each.yardstick,
    each.ratio.toFixed(2),
    each.cpuRatio?.toFixed(2) ?? '',
    'atMost' in each.target ? `at most ${each.target.atMost}` : `at least ${each.target.atLeast}`,
    isMet(each) ? 'met' : 'MISSED',
  ]);
  const all = [['what', 'telctl', 'yardstick', 'ratio', 'CPU', 'target', ''], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = all;
  const missed = measurements.filter((each) => !isMet(each)).map(({ name }) => name);
  return [
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...body.map(line),
    '',
    `${measurements.length - missed.length} of ${measurements.length} targets met${missed.length === 0 ? '.' : `; missed: ${missed.join('; ')}.`}`,
  ].join('\n');
}
