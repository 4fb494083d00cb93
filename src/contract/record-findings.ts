import type { JsonObject } from '../base/json.ts';
import { blacklistFindings } from './blacklist-findings.ts';
import { addressFindings, portFindings } from './number-findings.ts';
import { temporalFindings } from './temporal-findings.ts';
import { timeFindings } from './time-findings.ts';
import type { RecordFinding, Resource, ResourceName } from './types.ts';

/** Checks of resources. `whole` marks a check that compares fields, which a patch may lack. */
const checks: Partial<
  Readonly<
    Record<
      ResourceName,
      { readonly find: (record: JsonObject) => readonly RecordFinding[]; readonly whole?: true }
    >
  >
> = {
  temporal_rules: { find: temporalFindings, whole: true },
  blacklists: { find: blacklistFindings },
  ports: { find: portFindings },
  numbers: { find: addressFindings },
};

/**
 * Finds values that services accept, and that most likely do not do what their author wants: times in other units, and
 * what the checks of the resource find. `partial`: the record is a patch.
 */
export function recordFindings(
  { name, schema }: Pick<Resource, 'name' | 'schema'>,
  record: JsonObject,
  { partial = false } = {},
): readonly RecordFinding[] {
  const check = checks[name];
  const own = check === undefined || (partial && check.whole) ? [] : check.find(record);
  return [...timeFindings(schema, record), ...own];
}
