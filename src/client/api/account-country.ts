import { ignoreUnreadable } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import {
  countryOfAccount,
  dependsOnCountry,
  isUnreadNational,
  normaliseTyped,
  numbersOfCountry,
  withDialledNumbers,
} from '../../contract/phone-number.ts';
import { requestSchema } from '../../contract/resource.ts';
import { accounts } from '../../contract/resources/accounts.ts';
import type { Api, ApiParts, ApiRequest } from './api.ts';
import { numberParameter } from './build-request.ts';

const getAccount = accounts.operations.find(({ verb }) => verb === 'get');

/**
 * Returns the user's country, or that of the account's own number, or `undefined` if neither is known. Reads each
 * account once.
 */
export function createCountryReader(
  { country, accountId, authorizer }: Pick<ApiParts, 'country' | 'accountId' | 'authorizer'>,
  call: Api['call'],
): Api['country'] {
  const known = new Map<string, Promise<string | undefined>>();
  const read = async (id: string): Promise<string | undefined> => {
    if (getAccount === undefined) return undefined;
    const found = await ignoreUnreadable(call({ operation: getAccount, path: { account_id: id } }));
    return countryOfAccount(found?.data);
  };
  return async (id = accountId) => {
    if (country !== undefined || id === undefined || authorizer === undefined) return country;
    const found = known.get(id) ?? read(id);
    known.set(id, found);
    return found;
  };
}

/**
 * Converts the national numbers in the path and data of a call. Calls `unread` for numbers that cannot be converted.
 * Reads the account only for calls with such numbers.
 */
export async function withNationalNumbers(
  call: ApiRequest,
  countryOf: Api['country'],
  unread: ApiParts['onUnreadNumber'],
): Promise<ApiRequest> {
  const { operation, path, data, isVerbatim } = call;
  const typed = path?.[numberParameter];
  const isInPath =
    typed !== undefined && operation.path.includes(`{${numberParameter}}`) && dependsOnCountry(typed);
  // Reads need no schemas, which are created on first use.
  const inData = isObject(data) && !isVerbatim ? numbersOfCountry(requestSchema(operation), data) : [];
  if (!isInPath && inData.length === 0) return call;
  const country = await countryOf(path?.account_id);
  for (const text of [...(isInPath ? [typed] : []), ...inData.map((each) => each.text)])
    if (isUnreadNational(text, country)) unread?.(text, country);
  return {
    ...call,
    ...(isInPath ? { path: { ...path, [numberParameter]: normaliseTyped(typed, country) } } : {}),
    ...(inData.length > 0 && isObject(data)
      ? { data: withDialledNumbers(requestSchema(operation), data, country) }
      : {}),
  };
}
