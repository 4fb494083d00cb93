import { pause, type Task } from './clock.ts';
import type { Route } from './outcome.ts';
import { heard } from './run.ts';

/** Seconds that prompts of the service, and media, take. */
export const promptSeconds = 3;

/** How keys are collected. Times in seconds. */
export interface Collecting {
  /** Prompt or medium that is heard first. */
  readonly prompt?: string;
  readonly most: number;
  readonly timeout: number;
  readonly interdigit: number;
  readonly terminators?: string;
}

/**
 * Lets the caller hear a prompt, and returns what he presses then: the next of his answers, without the key that ends
 * it. Nothing where he presses nothing until the time is over.
 */
export function* collect(route: Route, how: Collecting): Task<string> {
  const { run, leg } = route;
  if (how.prompt !== undefined) {
    heard(run, leg, how.prompt);
    yield* pause(run.clock, promptSeconds);
  }
  const pressed = nextPresses(route);
  if (pressed === undefined || pressed === '') {
    yield* pause(run.clock, how.timeout);
    return '';
  }
  const terminators = how.terminators ?? '#';
  const signs = [...pressed];
  const end = signs.findIndex((sign) => terminators.includes(sign));
  const taken = signs.slice(0, end < 0 ? how.most : Math.min(end, how.most));
  // Who has pressed fewer keys than there may be is waited for.
  if (taken.length < how.most && end < 0) yield* pause(run.clock, how.interdigit);
  return taken.join('');
}

/** What the caller presses when he is asked next; calls of others press nothing. */
function nextPresses({ run, leg }: Route): string | undefined {
  const isCaller = leg === run.legs[0] || leg.loop !== undefined;
  return isCaller ? run.presses.shift() : undefined;
}
