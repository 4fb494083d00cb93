export interface End {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * What a run reports about a change. `exists` and `gone`: the service has or lacks such a record, regardless of who
 * changed it. `unknown`: it may have been created.
 */
export type Claim = 'done' | 'not done' | 'exists' | 'gone' | 'unknown';

/** A lookup found the change undone, although the request may still be on its way. */
const saysLookedUp =
  /read back and have not changed|telctl checked that the request was not carried out|: .+ (?:is still there|still exists)/;
/** A lookup found the record, which may be older. */
const saysThere = /(?:is there|exists?) \([^)]+\)|the old key, so it was replaced/;
/** The change may have happened, completely or in part. */
const saysUnknown = /may have (?:been|succeeded)|may still be|may be gone|not known|Completed before it/;

/** Returns what a command reports about one change, by exit code and message. */
export function claimOf({ code, stderr }: Omit<End, 'stdout'>): Claim {
  if (code === 0) return 'done';
  if (saysLookedUp.test(stderr)) return 'not done';
  if (saysThere.test(stderr)) return 'exists';
  if (saysUnknown.test(stderr)) return 'unknown';
  return code === 6 ? 'exists' : code === 5 ? 'gone' : 'not done';
}
