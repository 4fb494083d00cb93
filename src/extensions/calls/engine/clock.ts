/** Starts a wait that ends by calling `resume`. Returns a function that cancels it. */
export type Wait = (resume: () => void) => () => void;

/** A process in a call, as a generator that yields its waits. */
export type Task<T> = Generator<Wait, T, void>;

/** The time of a call, in seconds since its start. It advances from one event to the next. */
export interface CallClock {
  readonly now: () => number;
  /**
   * Runs `act` at a time. Returns a function that cancels it. Acts at the same time run in the order in which they
   * were added.
   */
  readonly at: (time: number, act: () => void) => () => void;
  /** Starts a task. Returns a function that stops it while it waits. */
  readonly start: <T>(task: Task<T>, done?: (value: T) => void) => () => void;
  /** Runs until no act is left, or until the time `end`. */
  readonly run: (end: number) => void;
}

interface Due {
  readonly time: number;
  readonly order: number;
  act: (() => void) | undefined;
}

const isBefore = (one: Due, other: Due): boolean =>
  one.time < other.time || (one.time === other.time && one.order < other.order);

export function makeClock(): CallClock {
  let now = 0;
  let order = 0;
  const due: Due[] = [];
  const at = (time: number, act: () => void): (() => void) => {
    const entry: Due = { time: Math.max(time, now), order, act };
    order += 1;
    let place = due.length;
    while (place > 0) {
      const before = due[place - 1];
      if (before === undefined || isBefore(entry, before)) break;
      place -= 1;
    }
    due.splice(place, 0, entry);
    return () => {
      entry.act = undefined;
    };
  };
  return {
    now: () => now,
    at,
    start: (task, done) => startTask(task, done),
    run(end) {
      for (let next = due.pop(); next !== undefined; next = due.pop()) {
        if (next.act === undefined) continue;
        if (next.time > end) break;
        now = next.time;
        next.act();
      }
      due.length = 0;
      now = Math.min(end, now);
    },
  };
}

function startTask<T>(task: Task<T>, done?: (value: T) => void): () => void {
  const stoppable: Generator<Wait, unknown, void> = task;
  let isStopped = false;
  let isRunning = false;
  let isOver = false;
  let leave: (() => void) | undefined;
  // A task that is resumed while it runs continues in the loop, which keeps the stack short.
  let isDue = true;
  const close = (): void => {
    isOver = true;
    leave?.();
    leave = undefined;
    stoppable.return(undefined);
  };
  const resumeTask = (): void => {
    if (isRunning || isOver) return;
    isRunning = true;
    while (isDue && !isStopped) {
      isDue = false;
      leave = undefined;
      const step = task.next();
      if (step.done) {
        isOver = true;
        isRunning = false;
        done?.(step.value);
        return;
      }
      let isCalled = false;
      leave = step.value(() => {
        if (isCalled || isOver) return;
        isCalled = true;
        isDue = true;
        resumeTask();
      });
    }
    isRunning = false;
    if (isStopped && !isOver) close();
  };
  resumeTask();
  return () => {
    if (isOver || isStopped) return;
    isStopped = true;
    if (!isRunning) close();
  };
}

export function* waitForValue<T>(register: (give: (value: T) => void) => () => void): Task<T> {
  const given: T[] = [];
  yield (resume) =>
    register((value) => {
      given.push(value);
      resume();
    });
  for (const value of given) return value;
  throw new Error('A task was resumed before its value was set.');
}

export function* pause(clock: CallClock, seconds: number): Task<void> {
  if (seconds > 0) yield (resume) => clock.at(clock.now() + seconds, resume);
}

/** Returns a generator of numbers from 0 to below 1 that repeats for the same seed (mulberry32). */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
