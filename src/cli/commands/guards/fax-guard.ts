import { Failure } from '../../../base/failure.ts';
import { isObject, textAt } from '../../../base/json.ts';
import type { GuardedRequest } from '../../../client/api/api.ts';
import { shortNumbers } from '../../../contract/account-emergency.ts';
import { dialledDigits } from '../../../contract/phone-number.ts';
import type { NamingContext } from '../../command/context.ts';
import { accountEmergencyNumbers } from '../records/service-numbers.ts';

/** Throws `refused` for a fax to an emergency number, which would block a line of the emergency center. */
export async function refuseEmergencyFax(
  context: Pick<NamingContext, 'api' | 'accountId'>,
  { path, data }: GuardedRequest,
): Promise<void> {
  const number = dialledDigits(isObject(data) ? (textAt(data, 'to_number') ?? '') : '');
  if (!shortNumbers.includes(number)) return;
  const accountId = path.account_id ?? (await context.accountId());
  if (!(await accountEmergencyNumbers(await context.api(), accountId)).includes(number)) return;
  throw new Failure(
    'refused',
    `${number} is an emergency number and cannot receive a fax. Nothing was sent.`,
  );
}
