import type { Api } from '../../../api/api.ts';
import type { Context } from '../../../cli/context.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import { operationFor } from '../../generic/find-record.ts';

/** An account whose webhooks are looked at. */
export interface Looked {
  readonly id: string;
  readonly name: string;
}

/** The account acted on, and those below it. */
export async function ownAndBelow(context: Context, api: Api): Promise<readonly Looked[]> {
  const own = await context.accountId();
  const below: Looked[] = [];
  for await (const page of api.pages({ operation: operationFor(accounts, 'descendants') }))
    for (const { id, name } of page)
      if (typeof id === 'string') below.push({ id, name: typeof name === 'string' ? name : id });
  const { profile } = await context.session();
  const ownName = own === profile.accountId ? (profile.accountName ?? own) : own;
  return [{ id: own, name: ownName }, ...below];
}
