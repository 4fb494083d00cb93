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
  /** The first leg of the call. */
  readonly isFirst: boolean;
  /** Seconds from answer to hangup; 0 if it was not answered. */
  readonly billed: number;
  /** Id of the leg that it was connected with; empty if it was not. */
  readonly other: string;
}

/** Returns the legs of a call on which two parties talked. */
export function talkingLegs<L extends EndedLeg>(legs: readonly L[]): readonly L[] {
  const answered = (id: string): boolean => legs.find((leg) => leg.id === id)?.billed !== 0;
  return legs.filter(({ billed, other }) => billed > 0 && other !== '' && answered(other));
}

/**
 * Returns how a call ended. A call is `answered` if two parties talked on any of its legs. Otherwise, an answered leg
 * of the caller means a mailbox, a menu, a queue, a conference or another service. Records of legs do not show which.
 * `isMessageLeft`: the caller left a message.
 */
export function callOutcome(legs: readonly EndedLeg[], isMessageLeft: boolean): CallOutcome {
  if (talkingLegs(legs).length > 0) return 'answered';
  if (isMessageLeft) return 'messages';
  const first = legs.find(({ isFirst }) => isFirst);
  if (first === undefined) return 'unknown';
  return first.billed > 0 ? 'reached_service' : 'missed';
}

/** Formats the numbers of calls by outcome, without zeros: `98 answered, 12 left a message`. */
export const formatOutcomes = (count: (outcome: keyof typeof callOutcomes) => number): readonly string[] =>
  (['answered', 'messages', 'reached_service', 'missed'] as const).flatMap((outcome) =>
    count(outcome) > 0 ? `${count(outcome)} ${callOutcomes[outcome]}` : [],
  );
