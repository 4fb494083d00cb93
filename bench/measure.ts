import type { TimedRun } from './processes.ts';

/** A measurement and its yardstick. `target` limits the ratio of the two. */
export interface Measurement {
  readonly name: string;
  readonly telctl: string;
  readonly yardstick: string;
  readonly ratio: number;
  /** The ratio of processor times, which other work on the machine hardly affects. */
  readonly cpuRatio?: number | undefined;
  readonly target: { readonly atMost: number } | { readonly atLeast: number };
}

/** Returns the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Runs both alternately after a warm-up, and swaps their order in every round. */
async function runAlternately<T>(
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

/** Two measurements taken alternately, so that a machine that slows down affects both. */
export interface MeasuredPair {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  /** The median of the ratios of all rounds. */
  readonly ratio: number;
}

/** Measures both alternately and returns the ratio of the returned numbers. */
export async function measurePairs(
  turns: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<MeasuredPair> {
  const found = await runAlternately(turns, ours, theirs);
  return {
    ours: found.map((turn) => turn.ours),
    theirs: found.map((turn) => turn.theirs),
    ratio: median(found.map((turn) => turn.ours / turn.theirs)),
  };
}

/** Elapsed time and processor time of a process. */
export type RunTimes = Pick<TimedRun, 'ms' | 'cpuMs'>;

interface Comparison {
  readonly name: string;
  /** Formats a time (default: in milliseconds). */
  readonly show?: (ms: number) => string;
  /** Compare speeds instead of times. */
  readonly speed?: boolean;
  readonly target: Measurement['target'];
}

/**
 * Returns the median ratio of the rounds and the ratio of processor times. The system counts processor time in steps
 * of 10 ms, so all rounds are added up.
 */
export function compareRuns(
  found: readonly { readonly ours: RunTimes; readonly theirs: RunTimes }[],
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

/** Two processes and the number of rounds. */
interface Race extends Comparison {
  readonly turns: number;
  readonly ours: () => Promise<RunTimes>;
  readonly theirs: () => Promise<RunTimes>;
}

/** Runs two processes alternately and compares their times. */
export const compareProcesses = async ({ turns, ours, theirs, ...comparison }: Race): Promise<Measurement> =>
  compareRuns(await runAlternately(turns, ours, theirs), comparison);

export function isMet({ ratio, target }: Measurement): boolean {
  return 'atMost' in target ? ratio <= target.atMost : ratio >= target.atLeast;
}

/** Returns the measurements as a Markdown table with a line about missed targets. */
export function formatMeasurements(measurements: readonly Measurement[]): string {
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
