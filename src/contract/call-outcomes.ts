/**
 * How calls end, with the words for people. These are the only outcomes of a call in reports, in summaries, in simulated
 * traffic and on the page of the sandbox.
 */
export const callOutcomes = {
  answered: 'answered',
  messages: 'left a message',
  reached_service: 'reached voicemail or another service',
  missed: 'missed',
} as const;

/** `unknown`: the records do not include the caller's leg, so the end of the call cannot be known. */
export type CallOutcome = keyof typeof callOutcomes | 'unknown';

/** The facts of a leg that decide how its call ended (Conventions, call records). */
export interface EndedLeg {
  readonly id: string;
  /** True for the leg that the call began with. */
  readonly isFirst: boolean;
  /** Seconds from answer to hangup; 0 if it was not answered. */
  readonly billed: number;
  /** Id of the leg that it was connected with; empty if it was not. */
  readonly other: string;
}

/** Returns the legs of a call on which two parties talked: answered, and connected with an answered leg. */
export function talkingLegs<L extends EndedLeg>(legs: readonly L[]): readonly L[] {
  const answered = (id: string): boolean => legs.find((leg) => leg.id === id)?.billed !== 0;
  return legs.filter(({ billed, other }) => billed > 0 && other !== '' && answered(other));
}

/**
 * Returns how a call ended. A call is `answered` if two parties talked, on whichever of its legs. Without that, an
 * answered leg of the caller means a mailbox, a menu, a queue, a conference or another service: records of legs do not
 * say which, nor that a message was left, which `isMessageLeft` says.
 */
export function callOutcome(legs: readonly EndedLeg[], isMessageLeft: boolean): CallOutcome {
  if (talkingLegs(legs).length > 0) return 'answered';
  if (isMessageLeft) return 'messages';
  const first = legs.find(({ isFirst }) => isFirst);
  if (first === undefined) return 'unknown';
  return first.billed > 0 ? 'reached_service' : 'missed';
}

/** Counts of calls by outcome in words, those without calls left out: `98 answered, 12 left a message`. */
export const outcomesInWords = (count: (outcome: keyof typeof callOutcomes) => number): readonly string[] =>
  (['answered', 'messages', 'reached_service', 'missed'] as const).flatMap((outcome) =>
    count(outcome) > 0 ? `${count(outcome)} ${callOutcomes[outcome]}` : [],
  );
