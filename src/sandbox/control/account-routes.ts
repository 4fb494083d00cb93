import { textAt } from '../fields.ts';
import { isOf } from '../number-place.ts';
import type { Services } from '../parts.ts';
import { lettersAndDigits } from '../placement.ts';
import { Refusal } from '../refusal.ts';
import { type Seed, seededAnew } from '../seed.ts';
import type { RecordName, StoredRecord } from '../store.ts';
import type { ControlRoute } from './routes.ts';

/** The account of an id or a name; `undefined` where there is none. */
async function accountNamed({ store }: Services, idOrName: string): Promise<StoredRecord | undefined> {
  const byId = await store.get({ kind: 'accounts', scope: '', id: idOrName });
  if (byId) return byId;
  const claims = [
    { field: 'name', value: lettersAndDigits(idOrName) },
    { field: 'realm', value: idOrName.toLowerCase() },
  ];
  for (const claim of claims) {
    const holder = await store.holder({ kind: 'accounts', scope: '', ...claim });
    if (holder) return store.get(holder);
  }
  return undefined;
}

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
  const need = async (named: string): Promise<StoredRecord> => {
    const account = await accountNamed(services, named);
    if (account) return account;
    throw new Refusal(404, 'not_found', `There is no account ${named} in the sandbox.`);
  };
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
