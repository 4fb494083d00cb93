import { needAccount } from '../calls/chosen-account.ts';
import type { ControlRoute } from '../control-route.ts';
import { textAt } from '../fields.ts';
import { type Seed, seededAnew } from '../seed.ts';
import type { Services } from '../services.ts';
import type { RecordName, StoredRecord } from '../store/store.ts';
import { isOf } from '../telephony/number-place.ts';

/** What an account has outside of its own scope: numbers, sign-in applications, links. */
async function elsewhere({ store }: Services, account: StoredRecord): Promise<readonly RecordName[]> {
  const kinds = await Promise.all(['numbers', 'apps', 'links'].map((kind) => store.everyOf(kind)));
  return kinds
    .flat()
    .filter((record) => isOf(record, account))
    .map(({ kind, scope, id }) => ({ kind, scope, id }));
}

/**
 * `GET /sandbox/accounts/find?account=ID|NAME|REALM`, and `POST /sandbox/accounts/reset`: erases what one account has
 * and nothing else; the seeded accounts are then as they were made. Its id, its API key and the accounts below it
 * stay.
 */
export function accountRoutes(services: Services, seed: () => Seed): readonly ControlRoute[] {
  const need = (named: string): Promise<StoredRecord> => needAccount(services.store, named);
  const shown = ({ id, body }: StoredRecord) => ({ account_id: id, name: textAt(body, 'name') ?? id });
  return [
    {
      method: 'GET',
      path: '/sandbox/accounts/find',
      answer: async ({ query }) => shown(await need(query.get('account') ?? '')),
    },
    {
      method: 'POST',
      path: '/sandbox/accounts/reset',
      alone: true,
      answer: async ({ body }) => {
        const account = await need(textAt(body, 'account') ?? '');
        const records = [
          ...(await services.store.everyIn(account.id)),
          ...(await elsewhere(services, account)),
        ];
        await services.store.commit([
          ...records.map((record) => ({ change: 'remove', record, erase: true }) as const),
          { change: 'forget-account', accountId: account.id },
          ...seededAnew(account, seed(), services),
        ]);
        return { ...shown(account), erased: records.length };
      },
    },
  ];
}
