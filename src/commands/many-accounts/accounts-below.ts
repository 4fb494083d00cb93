import type { Api } from '../../api/api.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import { accounts } from '../../contract/resources/accounts.ts';
import { operationFor } from '../generic/find-record.ts';
import type { ChosenAccount } from './choose-accounts.ts';

/** Every account below the one acted on, as the service lists it (Conventions, descendants). Throws `Failure` as the list does. */
export async function descendants(api: Api): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const page of api.pages({ operation: operationFor(accounts, 'descendants') }))
    found.push(...page);
  return found;
}

/** The same as accounts to act on, called by name, and by realm where two have one name. */
export async function accountsBelow(context: Pick<Context, 'api'>): Promise<readonly ChosenAccount[]> {
  const found = await descendants(await context.api());
  const uses = Map.groupBy(found, ({ name }) => name);
  const below = found.flatMap(({ id, name, realm }): readonly ChosenAccount[] => {
    if (typeof id !== 'string') return [];
    const isAlone = uses.get(name)?.length === 1;
    const words = isAlone ? [name, realm] : [realm];
    const word = words.find((each) => typeof each === 'string' && each !== '');
    return [{ id, word: typeof word === 'string' ? word : id, vars: new Map(), file: '--below', line: 0 }];
  });
  return below.toSorted((a, b) => a.word.localeCompare(b.word));
}
