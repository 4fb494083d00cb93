import { isObject, type Json } from '../../base/json.ts';
import type { ItemResult } from '../../command/result.ts';

/** Returns what the service says of a token, named by the token's account. */
export function tokenItem(data: Json): ItemResult {
  const account = isObject(data) ? (data.account_name ?? data.account_id) : undefined;
  return {
    kind: 'item',
    value: data,
    resource: 'tokens',
    ...(typeof account === 'string' ? { named: account } : {}),
  };
}
