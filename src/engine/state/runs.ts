import { createHint, Failure, nextStep } from '../../base/failure.ts';
import type { Processes } from '../../base/host/processes.ts';
import { findNearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import {
  type BeginLine,
  type EndLine,
  type FinishLine,
  isWholeStep,
  type LoggedStep,
  type LogLine,
  type StartLine,
} from './log.ts';
import type { Account, Log, LogFilter, StoredRun } from './state.ts';

/**
 * `partial`: some steps failed or were skipped. `declined`: the user did not accept charges. `refused`: the service
 * refused all steps. `interrupted`: by Ctrl-C. `unfinished`: the process was killed. `running`: the run is still
 * active.
 */
export type RunState =
  | 'finished'
  | 'partial'
  | 'declined'
  | 'refused'
  | 'interrupted'
  | 'unfinished'
  | 'running';

/** The service did not carry out a request with such a failure. */
const refusals = new Set<string>(['invalid', 'refused', 'auth', 'not_found', 'conflict', 'usage']);

/** Returns `declined` for charges, `refused` by the service, or `failed`. */
export function undoneReason({ error }: EndLine): 'declined' | 'refused' | 'failed' {
  if (error?.kind === 'charges') return 'declined';
  return refusals.has(error?.kind ?? '') ? 'refused' : 'failed';
}

type Begun = Pick<
  StartLine,
  'what' | 'undoes' | 'set' | 'user' | 'userId' | 'machine' | 'command' | 'note' | 'ci' | 'rollout'
>;

export interface Run extends Begun {
  readonly run: string;
  /** Start of the run, by the clock of the database if the state is in a database. */
  readonly atMs: number;
  /** Database user that wrote it. `undefined` if the state is not in a database. */
  readonly writer: string | undefined;
  readonly state: RunState;
  readonly damaged: number;
  readonly parts: readonly RunPart[];
}

export interface RunPart {
  readonly start: StartLine;
  /** In the order of the plan. */
  readonly steps: readonly RunStep[];
  readonly finish: FinishLine | undefined;
  /** Current id by former id, for records that undos created again. */
  readonly formerIds?: ReadonlyMap<string, string>;
}

/** The intended change, and the lines before and after its call. */
export interface RunStep {
  readonly planned: StartLine['steps'][number];
  readonly begin: BeginLine | undefined;
  readonly end: EndLine | undefined;
}

export const isDone = ({ end }: RunStep): boolean => end?.ok === true;

/** The outcome of a step that was started is not in the log. */
export const isDoubtful = ({ begin, end }: RunStep): boolean => begin !== undefined && end === undefined;

export interface Runs {
  readonly log: Log;
  readonly processes: Pick<Processes, 'pid' | 'machine' | 'isAlive' | 'identityOf' | 'hasEnded'>;
}

/** Returns `undefined` if the run does not exist or has no lines. */
export async function readRun(runs: Runs, id: string): Promise<Run | undefined> {
  const stored = await runs.log.read(id);
  return stored && createRun(stored, runs);
}

/** A process ended before it sent a request. */
export const isRunEmpty = async ({ log }: Pick<Runs, 'log'>, id: string): Promise<boolean> =>
  (await log.read(id))?.begun === false;

/** Reads runs one by one, newest first. Adds the ids of unreadable runs to `unreadable`. */
export async function* newestRuns(
  runs: Runs,
  filter: LogFilter,
  unreadable: (id: string) => void = () => undefined,
): AsyncGenerator<Run> {
  for await (const stored of runs.log.newest(filter)) {
    const run = createRun(stored, runs);
    if (run) yield run;
    else if (stored.begun) unreadable(stored.id);
  }
}

export async function findRun(runs: Runs, account: Account, word: string): Promise<Run> {
  const known: string[] = [];
  for await (const run of newestRuns(runs, { account })) {
    if (run.run === word) return run;
    known.push(run.run);
  }
  throw new Failure(
    'not_found',
    `There is no run ${JSON.stringify(word)}.${didYouMean(findNearest(word, known))}`,
    { hint: createHint`${nextStep`log`} lists the runs.` },
  );
}

function createRun(
  { id, lines, damaged, alive, writer, atMs: begunMs }: StoredRun,
  { processes }: Runs,
): Run | undefined {
  const parts = splitParts(lines);
  const [first] = parts;
  if (!first) return undefined;
  const { what, undoes, set, user, userId, machine, command, note, ci, rollout } = first.start;
  const isAlive = alive !== false && isStillRunning(first.start, alive === true, processes);
  const state = runState(first.start, parts, isAlive);
  const facts = { what, undoes, set, user, userId, machine, command, note, ci, rollout };
  return { ...facts, run: id, writer, atMs: begunMs ?? first.start.atMs, parts, state, damaged };
}

/** Returns true if the process of a run may still be active. `isSeen`: the state has just heard from it. */
function isStillRunning(
  { pid, process, machine }: StartLine,
  isSeen: boolean,
  processes: Runs['processes'],
): boolean {
  if (process !== undefined && processes.hasEnded(process)) return false;
  // Without a database, processes of other machines cannot be checked, so their runs count as active.
  if (machine !== undefined && machine !== processes.machine()) return true;
  if (pid === processes.pid) return false;
  return process === undefined ? processes.isAlive(pid) : isSeen || processes.identityOf(pid) === process;
}

function runState(
  { what, parts: expected }: StartLine,
  parts: readonly RunPart[],
  isAlive: boolean,
): RunState {
  const finishes = parts.flatMap(({ finish }) => finish ?? []);
  // A command ends for all its accounts together.
  const isEnded = what === 'command' ? finishes.length > 0 : finishes.length === parts.length;
  if (!isEnded) return isAlive ? 'running' : 'unfinished';
  if (finishes.some(({ interrupted }) => interrupted)) return 'interrupted';
  const isWhole =
    (what === 'command' || parts.length === expected) &&
    finishes.every(({ failed, skipped }) => failed + skipped === 0);
  if (isWhole) return 'finished';
  const steps = parts.flatMap((part) => part.steps);
  const words = new Set(steps.map(({ end }) => (end === undefined || end.ok ? 'failed' : undoneReason(end))));
  const [word = 'failed'] = words;
  return words.size > 1 || word === 'failed' ? 'partial' : word;
}

interface OpenPart {
  readonly start: StartLine;
  readonly steps: Map<string, LoggedStep>;
  readonly begins: Map<string, BeginLine>;
  readonly ends: Map<string, EndLine>;
  finish: FinishLine | undefined;
}

function splitParts(lines: readonly LogLine[]): readonly RunPart[] {
  const parts: OpenPart[] = [];
  for (const line of lines) {
    if (line.line === 'start') {
      const steps = new Map(line.steps.map((step) => [step.key, step]));
      parts.push({ start: line, steps, begins: new Map(), ends: new Map(), finish: undefined });
      continue;
    }
    const number = line.line === 'finish' ? undefined : line.part;
    const part = number === undefined ? parts.at(-1) : parts.find(({ start }) => start.part === number);
    if (!part) continue;
    if (line.line === 'finish') part.finish = line;
    else if (line.line === 'end') part.ends.set(line.key, line);
    else {
      part.begins.set(line.key, line);
      if (line.step) part.steps.set(line.key, line.step);
    }
  }
  return parts.map(({ start, steps, begins, ends, finish }) => ({
    start,
    steps: [...steps].map(([key, planned]) => ({ planned, begin: begins.get(key), end: ends.get(key) })),
    finish,
  }));
}

/** Returns false for a step that completes an object that does not exist. */
function isReported({ steps }: RunPart, { planned: { releases, completes } }: RunStep): boolean {
  if (completes === undefined) return releases === undefined;
  return steps.some((step) => step.planned.key === completes && isDone(step));
}

export function countsOfRun({ parts }: Run): {
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
} {
  const steps = parts.flatMap((part) => part.steps.filter((step) => isReported(part, step)));
  const done = steps.filter((step) => isDone(step) && isWholeStep(step.planned)).length;
  const failed = steps.filter(({ end }) => end?.ok === false).length;
  return { done, failed, skipped: steps.filter((step) => !isDone(step)).length - failed };
}

/** Returns the last incomplete run that no later run of its set has replaced or reversed. */
export async function resumableRun(runs: Runs, account: Account): Promise<Run | undefined> {
  const overtaken = new Set<string>();
  for await (const run of newestRuns(runs, { account })) {
    if (run.what === 'command') continue;
    if (run.what === 'undo') {
      if (run.undoes !== undefined) overtaken.add(run.undoes);
      continue;
    }
    const isOvertaken = [run.run, `set ${run.set}`].some((each) => overtaken.has(each));
    if (run.state !== 'finished' && !isOvertaken) return run;
    overtaken.add(`set ${run.set}`);
  }
  return undefined;
}
