/** End of a run of telctl. */
export interface End {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Claim of a run about a change. `exists` and `gone`: the service has such a record or none, whoever did it; `unknown`:
 * it may have been made.
 */
export type Claim = 'done' | 'not done' | 'exists' | 'gone' | 'unknown';

/** It was looked up and found undone, though the request may still be on its way. */
const saysLookedUp =
  /read back and have not changed|telctl checked that the request was not carried out|: .+ (?:is still there|still exists)/;
/** It was looked up and is there, though perhaps from before. */
const saysThere = /(?:is there|exists?) \([^)]+\)|the old key, so it was replaced/;
/** It may have been carried out, or a part of it was. */
const saysUnknown = /may have (?:been|succeeded)|may still be|may be gone|not known|Completed before it/;

/** Claim of a command for one change, by its exit code and its words. */
export function claimOf({ code, stderr }: Omit<End, 'stdout'>): Claim {
  if (code === 0) return 'done';
  if (saysLookedUp.test(stderr)) return 'not done';
  if (saysThere.test(stderr)) return 'exists';
  if (saysUnknown.test(stderr)) return 'unknown';
  return code === 6 ? 'exists' : code === 5 ? 'gone' : 'not done';
}
