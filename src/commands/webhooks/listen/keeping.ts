import type { Context } from '../../../command/context.ts';
import type { ReceivedEvent } from './event-record.ts';

/** Keeps events in one place, as long as the machine lets it. */
export interface Keeping {
  add(event: ReceivedEvent): void;
  /** How many events could not be kept. */
  readonly lost: () => number;
}

/** What the machine says where it cannot write: a full disk, a folder that went away. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/**
 * Keeps events by `write`. Trouble with the disk does not end a listener: it is said once, with what it means, and the
 * events that are not kept are counted.
 */
export function keepingBy(
  { notices }: Pick<Context, 'notices'>,
  write: (event: ReceivedEvent) => void,
  meaning: string,
): Keeping {
  let lost = 0;
  return {
    add(event) {
      try {
        write(event);
      } catch (error) {
        const code = codeOf(error);
        if (code === undefined) throw error;
        if (lost === 0) notices.warn(`${meaning} (${code}). Events are shown all the same.`);
        lost += 1;
      }
    },
    lost: () => lost,
  };
}
