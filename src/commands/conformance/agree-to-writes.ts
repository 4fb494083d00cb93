import type { Api } from '../../api/api.ts';
import { Failure } from '../../base/failure.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { operationById } from '../../contract/catalogue.ts';
import { accounts } from '../../contract/resources/accounts.ts';
import { wouldSend } from '../change.ts';
import { accountName } from '../labels.ts';
import { subAccountData } from './sub-account.ts';
import { subAccountName } from './try-writes.ts';

/** Gets the word for writing. Throws `Failure`: `refused` under a read-only profile, `interrupted` at a no. */
export async function agreeToWrites(context: Context): Promise<void> {
  const { profile } = await context.session();
  if (profile.protect === 'read-only') {
    throw new Failure('refused', `Profile "${profile.name}" is read-only; nothing was sent.`, {
      hint: 'Without --write, telctl conformance only reads.',
    });
  }
  const question = [
    `Make an account below ${await accountName(context)} at ${profile.baseUrl}, write a sample of each record in it, and remove it again?`,
    'It accepts no charges, and submits no port request. Whoever is told of new accounts there will be told of this one.',
  ];
  if (!(await context.ask.confirm(question, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was written.');
}

/** The requests that open and close the account; what is written between them is inside. */
export function plannedWrites(context: Context, api: Api): Result {
  const data = subAccountData(subAccountName(context.host.random));
  const { schema } = accounts;
  return wouldSend(context, [
    {
      request: api.plan({ operation: operationById('accounts.create'), data }),
      schema,
      notes: ['then one sample of each record inside it, and at the end its removal'],
    },
  ]);
}
