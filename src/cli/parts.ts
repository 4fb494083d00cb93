import type { Transport } from '../api/transport.ts';

/** What a test may put in the place of the real thing. */
export interface Parts {
  /** The way to every service; over the network where left out. */
  readonly transport?: Transport;
}
