import type { Api } from '../../../api/api.ts';
import type { Context } from '../../../command/context.ts';
import { descendants } from '../../many-accounts/accounts-below.ts';

/** An account whose webhooks are looked at. */
export interface Looked {
  readonly id: string;
  readonly name: string;
}

/** The account acted on, and those below it. */
export async function ownAndBelow(context: Context, api: Api): Promise<readonly Looked[]> {
  const own = await context.accountId();
  const below = (await descendants(api)).flatMap(({ id, name }): readonly Looked[] =>
    typeof id === 'string' ? [{ id, name: typeof name === 'string' ? name : id }] : [],
  );
  const { profile } = await context.session();
  const ownName = own === profile.accountId ? (profile.accountName ?? own) : own;
  return [{ id: own, name: ownName }, ...below];
}
