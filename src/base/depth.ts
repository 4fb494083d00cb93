/**
 * How many objects and lists may stand within one another in what is read or sent: files, request bodies, replies.
 * Whatever walks through such a value may call itself, and stays far from the end of the stack.
 */
export const deepest = 100;

/** The same for one record: the rest is for what stands around it, such as an envelope or the section of a manifest. */
export const deepestRecord = 90;

/** Whether more than `most` objects and lists stand within one another. Ends there, however deep the value is. */
export function isDeeperThan(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (most === 0) return true;
  for (const inner of Object.values(value)) if (isDeeperThan(inner, most - 1)) return true;
  return false;
}
