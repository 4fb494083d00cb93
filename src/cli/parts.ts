import type { Transport } from '../api/transport.ts';
import type { Session } from '../session/session.ts';
import type { SessionParts } from '../session/session-parts.ts';
import type { HoldingNotices } from '../terminal/notices.ts';

/** What may take the place of the usual in a run: of the network in a test, of the terminal in the library. */
export interface Parts {
  /** The connection to every service; over the network where left out. */
  readonly transport?: Transport;
  /** Who hears what is said; people at stderr where left out. */
  readonly notices?: HoldingNotices;
  /** Finds out who is speaking; by environment and profile where left out. */
  readonly openSession?: (parts: SessionParts) => Promise<Session>;
}
