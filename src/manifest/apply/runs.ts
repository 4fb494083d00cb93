import { Failure } from '../../base/failure.ts';
import { nearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import type { Host } from '../../host/host.ts';
import { isWholeStep } from '../plan/step-object.ts';
import type { BeginLine, EndLine, FinishLine, JournalLine, StartLine } from './journal.ts';
import { type JournalOwner, readJournal, runNames } from './journal-file.ts';

/**
 * How a run ended. `partial`: something failed or was left; `interrupted`: by Ctrl-C; `unfinished`: it was killed;
 * `running`: it goes on.
 */
export type RunState = 'finished' | 'partial' | 'interrupted' | 'unfinished' | 'running';

/** A run as its journal tells of it. */
export interface Run {
  readonly run: string;
  readonly what: StartLine['what'];
  readonly undoes: string | undefined;
  readonly atMs: number;
  readonly set: string;
  readonly user: string | undefined;
  readonly userId: string | undefined;
  readonly state: RunState;
  /** One for each account. */
  readonly parts: readonly RunPart[];
}

export interface RunPart {
  readonly start: StartLine;
  /** In the order of the plan. */
  readonly steps: readonly RunStep[];
  readonly finish: FinishLine | undefined;
}

/** A step of a run: what it was to be, and the lines before and after its call. */
export interface RunStep {
  readonly planned: StartLine['steps'][number];
  readonly begin: BeginLine | undefined;
  readonly end: EndLine | undefined;
}

/** Whether a step was done. */
export const isDone = ({ end }: RunStep): boolean => end?.ok === true;

/** A run by its name; `undefined` where there is none, or none of it was written. */
export function readRun(host: Host, owner: JournalOwner, run: string): Run | undefined {
  const journal = readJournal(host, owner, run);
  return (
    journal && runOf(run, journal.lines, (pid) => pid !== host.processes.pid && host.processes.isAlive(pid))
  );
}

/** The runs of an account, newest first; each is read when it is asked for. */
export function* newestRuns(host: Host, owner: JournalOwner): Generator<Run> {
  for (const name of runNames(host, owner).toReversed()) {
    const run = readRun(host, owner, name);
    if (run) yield run;
  }
}

/** Runs whose journals hold something and cannot be read, oldest first. */
export const damagedRuns = (host: Host, owner: JournalOwner): readonly string[] =>
  runNames(host, owner).filter((name) => {
    const journal = readJournal(host, owner, name);
    return journal?.begun === true && partsOf(journal.lines).length === 0;
  });

/** The run of that name, or the only one whose name begins so. Throws `Failure` of kind `not_found`. */
export function findRun(host: Host, owner: JournalOwner, word: string): Run {
  const names = runNames(host, owner);
  const meant = names.includes(word) ? [word] : names.filter((name) => name.startsWith(word));
  const [name] = meant;
  const found = meant.length === 1 && name !== undefined ? readRun(host, owner, name) : undefined;
  if (found) return found;
  const near = nearest(word, names);
  throw new Failure(
    'not_found',
    meant.length > 1
      ? `${meant.length} runs have names that begin with ${JSON.stringify(word)}.`
      : `There is no run ${JSON.stringify(word)}.${didYouMean(near)}`,
    { hint: 'telctl apply history lists the runs.' },
  );
}

function runOf(
  run: string,
  lines: readonly JournalLine[],
  isAlive: (pid: number) => boolean,
): Run | undefined {
  const parts = partsOf(lines);
  const [first] = parts;
  if (!first) return undefined;
  const { what, undoes, atMs, set, user, userId } = first.start;
  return { run, what, undoes, atMs, set, user, userId, parts, state: stateOf(first.start, parts, isAlive) };
}

function stateOf(
  { parts: expected, pid }: StartLine,
  parts: readonly RunPart[],
  isAlive: (pid: number) => boolean,
): RunState {
  const finishes = parts.flatMap(({ finish }) => finish ?? []);
  if (finishes.length < parts.length) return isAlive(pid) ? 'running' : 'unfinished';
  if (finishes.some(({ interrupted }) => interrupted)) return 'interrupted';
  const isWhole =
    parts.length === expected && finishes.every(({ failed, skipped }) => failed + skipped === 0);
  return isWhole ? 'finished' : 'partial';
}

interface OpenPart {
  readonly start: StartLine;
  readonly begins: Map<string, BeginLine>;
  readonly ends: Map<string, EndLine>;
  finish: FinishLine | undefined;
}

function partsOf(lines: readonly JournalLine[]): readonly RunPart[] {
  const parts: OpenPart[] = [];
  for (const line of lines) {
    if (line.line === 'start')
      parts.push({ start: line, begins: new Map(), ends: new Map(), finish: undefined });
    const part = parts.at(-1);
    if (line.line === 'begin') part?.begins.set(line.key, line);
    if (line.line === 'end') part?.ends.set(line.key, line);
    if (line.line === 'finish' && part) part.finish = line;
  }
  return parts.map(({ start, begins, ends, finish }) => ({
    start,
    steps: start.steps.map((planned) => ({
      planned,
      begin: begins.get(planned.key),
      end: ends.get(planned.key),
    })),
    finish,
  }));
}

/** Whether a step is one of those that are told of: what completes an object only where that is there without it. */
function counts({ steps }: RunPart, { planned: { releases, completes } }: RunStep): boolean {
  if (completes === undefined) return releases === undefined;
  return steps.some((step) => step.planned.key === completes && isDone(step));
}

/** The end of a line for people: how many steps were done, failed and left. */
export function countsOfRun({ parts }: Run): {
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
} {
  const steps = parts.flatMap((part) => part.steps.filter((step) => counts(part, step)));
  const done = steps.filter((step) => isDone(step) && isWholeStep(step.planned)).length;
  const failed = steps.filter(({ end }) => end?.ok === false).length;
  return { done, failed, skipped: steps.filter((step) => !isDone(step)).length - failed };
}

/**
 * The last run that did not do all it was to do and has not been overtaken: by a later one of the same manifest set,
 * or by one that reversed it.
 */
export function resumableRun(host: Host, owner: JournalOwner): Run | undefined {
  const overtaken = new Set<string>();
  for (const run of newestRuns(host, owner)) {
    if (run.what === 'undo') {
      if (run.undoes !== undefined) overtaken.add(run.undoes);
      continue;
    }
    if (run.state !== 'finished' && !overtaken.has(run.run) && !overtaken.has(`set ${run.set}`)) return run;
    overtaken.add(`set ${run.set}`);
  }
  return undefined;
}
