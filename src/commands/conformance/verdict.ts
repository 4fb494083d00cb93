import type { Operation } from '../../contract/types.ts';

/** The finding that the reply to an operation gives. */
export type Result = 'as-documented' | 'other-shape' | 'not-offered' | 'not-tried' | 'failed';

/** The outcome of a reply of another shape: telctl takes it, or the commands of the operation fail. */
export type Taken = 'taken' | 'not-taken';

/** A result, with what explains it. */
export interface Verdict {
  readonly result: Result;
  /** A few words without subject; empty where there is nothing to explain. */
  readonly note: string;
  /** Of another shape alone. */
  readonly taken?: Taken;
}

/** Verdicts by the id of their operation. */
export type Verdicts = ReadonlyMap<string, Verdict>;

/** The finding about one operation. */
export interface Finding extends Verdict {
  readonly operation: Operation;
}

export const notTried = (note: string): Verdict => ({ result: 'not-tried', note });

/** True where the reply shows that there is such an operation. */
export const isOffered = ({ result }: Verdict): boolean =>
  result === 'as-documented' || result === 'other-shape';

/** True where nothing that was asked answers like a service of this interface. */
export const isForeign = (findings: readonly Verdict[]): boolean => !findings.some(isOffered);

/** True where something was sent for an operation. */
export const isTriedIn = (verdicts: Verdicts, id: string): boolean =>
  (verdicts.get(id)?.result ?? 'not-tried') !== 'not-tried';

/** True where there is such an operation. */
export function isOfferedIn(verdicts: Verdicts, id: string): boolean {
  const verdict = verdicts.get(id);
  return verdict !== undefined && isOffered(verdict);
}
