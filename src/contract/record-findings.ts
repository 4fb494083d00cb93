import type { JsonObject } from '../base/json.ts';
import { blacklistFindings } from './blacklist-findings.ts';
import { addressFindings, portFindings } from './number-findings.ts';
import { temporalFindings } from './temporal-findings.ts';
import { timeFindings } from './time-findings.ts';
import type { RecordFinding, Resource, ResourceName } from './types.ts';

/** `whole` marks a check that compares fields, which a patch may lack. */
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

/** Finds valid values that are probably mistakes, such as times in other units. `partial` is true for a patch. */
export function recordFindings(
  { name, schema }: Pick<Resource, 'name' | 'schema'>,
  record: JsonObject,
  { partial = false } = {},
): readonly RecordFinding[] {
  const check = checks[name];
  const own = check === undefined || (partial && check.whole) ? [] : check.find(record);
  return [...timeFindings(schema, record), ...own];
}
