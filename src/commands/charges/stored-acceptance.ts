import { carriesAcceptance } from '../../api/request-body.ts';
import type { JsonObject } from '../../base/json.ts';

/** Something that is wrong with what a service holds, and what mends it. */
interface Finding {
  readonly finding: string;
  readonly remedy: string;
}

/**
 * Finds acceptance of charges that a service has stored with a record, as some do with what is sent inside `data`.
 * Whoever sends that record back accepts whatever it adds; telctl never does. `what` names the record.
 */
export const storedAcceptance = (what: string, record: JsonObject): Finding | undefined =>
  carriesAcceptance(record)
    ? {
        finding: `The service has stored an acceptance of charges with ${what}: a program that sends them back accepts whatever they add.`,
        remedy: 'The next change by telctl clears it, such as: telctl limits set --calls N',
      }
    : undefined;
