/** What a test may put in the place of the real thing. */
export type Parts = Record<never, never>;
