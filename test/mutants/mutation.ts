/** A small, harmful change of the source that tests have to notice. */
export interface Mutation {
  /** The wrong behavior of telctl. */
  readonly what: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly text: string;
  readonly replacement: string;
}

/** Mutations of one subject, and the tests of that subject. */
export interface MutationGroup {
  readonly tests: readonly string[];
  readonly mutations: readonly Mutation[];
}
