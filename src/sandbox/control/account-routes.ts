import { needAccount } from '../calls/chosen-account.ts';
import type { ControlRoute } from '../control-route.ts';
import { textAt } from '../fields.ts';
import { type Seed, seededAnew } from '../seed.ts';
import type { Services } from '../services.ts';
import { recordsOf } from '../special/accounts.ts';
import type { StoredRecord } from '../store/store.ts';

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
        const records = await recordsOf(account, services.store);
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
