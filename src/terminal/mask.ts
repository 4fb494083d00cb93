import type { Json } from '../base/json.ts';
import { resourceByName } from '../contract/catalogue.ts';
import { redact } from '../contract/secrets.ts';
import type { ResourceName } from '../contract/types.ts';

/** A record, or a list of records, of a resource with what the contract calls secret masked. */
export function maskRecord(value: Json, resource: ResourceName): Json {
  const { schema } = resourceByName(resource);
  return Array.isArray(value) ? value.map((item: Json) => redact(schema, item)) : redact(schema, value);
}
