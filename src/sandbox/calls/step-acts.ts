import type { ResourceName } from '../../contract/types.ts';
import { textAt } from '../fields.ts';
import type { FlowStep, Outcome, Simulation } from './simulation.ts';

/** Greetings take this long, in seconds; so does each choice, and waiting for one that does not come. */
export const greeting = 3;
export const choosing = 2;
export const waiting = 10;

/** Function that performs a module's step on a call. */
export type Act = (call: Simulation, step: FlowStep) => Outcome | Promise<Outcome>;

/** Returns the `data.id` of a step; empty where it names nothing. */
export const idOf = ({ data }: FlowStep): string => textAt(data, 'id') ?? '';

/** Goes on by `_`. */
export const onwards = (note?: string): Outcome => ({ go: '_', note });

/** Goes on by `_`, since what the step names is not there. */
export const missing = (call: Simulation, what: string): Outcome => {
  call.cause = 'UNALLOCATED_NUMBER';
  return onwards(`there is no such ${what}`);
};

/** Reads the record that a step names. */
export const found = (call: Simulation, kind: ResourceName, step: FlowStep) =>
  call.records.get(kind, idOf(step));

/** Returns a function that gives the caller's next digits; dialling takes a moment, not dialling takes longer. */
export const dialNext = (call: Simulation) => (): string | undefined => {
  const dialled = call.digits.shift();
  call.now += dialled === undefined ? waiting : choosing;
  return dialled;
};

/** Ends a call that is not let in. */
export const turnedAway = (words: string | undefined): Outcome => ({
  note: words,
  end: { kind: 'hangup', cause: 'NORMAL_CLEARING', words: 'Turned away' },
});
