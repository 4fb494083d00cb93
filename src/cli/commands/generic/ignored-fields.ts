import type { Json, JsonObject } from '../../../base/json.ts';
import { resolveReference } from '../../../contract/schema-node.ts';
import type { Resource } from '../../../contract/types.ts';
import { containsSent } from '../../../contract/write-effect.ts';
import type { Context } from '../../command/context.ts';
import { labelOf } from '../labels.ts';

const isUnset = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Returns sent fields that are missing in the response. Ignores secrets, which responses never contain. */
function ignoredFields(
  { schema }: Pick<Resource, 'schema'>,
  sent: JsonObject,
  record: JsonObject,
): readonly string[] {
  if (record.id === undefined) return [];
  return Object.keys(sent).filter((field) => {
    const node = resolveReference(schema, schema).properties?.[field];
    const found = node && resolveReference(schema, node);
    const isHidden = found?.['x-secret'] === true || found?.writeOnly === true;
    return !isHidden && !isUnset(sent[field]) && record[field] === undefined;
  });
}

/** Warns about fields that the service ignored. Returns true if it ignored all, so that the record is unchanged. */
export function warnIgnoredFields(
  { notices }: Pick<Context, 'notices'>,
  resource: Resource,
  sent: JsonObject,
  record: JsonObject,
): boolean {
  const missing = ignoredFields(resource, sent, record);
  if (missing.length === 0) return false;
  notices.warn(`${labelOf(resource, record)}: ${missing.join(', ')} ignored by the service`);
  return Object.keys(sent).every(
    (field) => missing.includes(field) || !containsSent(record[field], sent[field]),
  );
}
