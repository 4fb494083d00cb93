import type { Failure } from '../base/failure.ts';

/** Failures that are shown to people; scripts get all of them. */
const shownAtMost = 20;

/** Says what went wrong with one of many, in a line: `user alice: The service … (request 4f2a)`. */
export const whyNot = (what: string, { message, requestId }: Failure): string =>
  `${what}: ${message}${requestId ? ` (request ${requestId})` : ''}`;

/** Lines for people about those of many that failed, or whose end is unknown, each as `whyNot` says it; many more are counted. */
export function failedLines(
  reasons: readonly string[],
  end: 'failed' | 'unknown' = 'failed',
): readonly string[] {
  const more = reasons.length - shownAtMost;
  return [
    ...reasons.slice(0, shownAtMost).map((reason) => `${end}  ${reason}`),
    ...(more > 0 ? [`… and ${more} more; -o json has all of them`] : []),
  ];
}
