/** Outcomes of a call, with their labels in reports, summaries, simulated traffic and the page of the sandbox. */
export const callOutcomes = {
  answered: 'answered',
  messages: 'left a message',
  reached_service: 'reached voicemail or another service',
  missed: 'missed',
} as const;

/** `unknown` if the records do not include the caller's leg. */
export type CallOutcome = keyof typeof callOutcomes | 'unknown';

/** Parts of a leg that determine the outcome of its call (Conventions, call records). */
export interface EndedLeg {
  readonly id: string;
  readonly isFirst: boolean;
  /** Seconds from answer to hangup. 0 if the leg was not answered. */
  readonly billed: number;
  /** Id of the connected leg, or an empty text. */
  readonly other: string;
}

export function talkingLegs<L extends EndedLeg>(legs: readonly L[]): readonly L[] {
  const isAnswered = (id: string): boolean => legs.find((leg) => leg.id === id)?.billed !== 0;
  return legs.filter(({ billed, other }) => billed > 0 && other !== '' && isAnswered(other));
}

/**
 * Returns `answered` if two parties talked on any leg. Otherwise, an answered leg of the caller means a mailbox, a
 * menu, a queue, a conference or another service. Records of legs do not show which. `isMessageLeft` is true if the
 * caller left a message.
 */
export function callOutcome(legs: readonly EndedLeg[], isMessageLeft: boolean): CallOutcome {
  if (talkingLegs(legs).length > 0) return 'answered';
  if (isMessageLeft) return 'messages';
  const first = legs.find(({ isFirst }) => isFirst);
  if (first === undefined) return 'unknown';
  return first.billed > 0 ? 'reached_service' : 'missed';
}

/** Returns `98 answered` and `12 left a message`, without outcomes that did not occur. */
export const formatOutcomes = (count: (outcome: keyof typeof callOutcomes) => number): readonly string[] =>
  (['answered', 'messages', 'reached_service', 'missed'] as const).flatMap((outcome) =>
    count(outcome) > 0 ? `${count(outcome)} ${callOutcomes[outcome]}` : [],
  );
