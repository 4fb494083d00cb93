import { isObject, type Json } from '../../base/json.ts';
import type { ItemResult } from '../../command/result.ts';

/** What the service says of a token, named by the account that it is of. */
export function tokenItem(data: Json): ItemResult {
  const account = isObject(data) ? (data.account_name ?? data.account_id) : undefined;
  return {
    kind: 'item',
    value: data,
    resource: 'tokens',
    ...(typeof account === 'string' ? { named: account } : {}),
  };
}
