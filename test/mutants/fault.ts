/** A small change of the source that does harm, and that the tests have to notice. */
export interface Fault {
  /** The wrong behaviour of telctl. */
  readonly what: string;
  readonly file: string;
  /** Stands once in the file. */
  readonly text: string;
  readonly instead: string;
}

/** Faults of one part of telctl, and the tests that are about it. */
export interface Room {
  readonly tests: readonly string[];
  readonly faults: readonly Fault[];
}
