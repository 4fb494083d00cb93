import { problemsFailure } from '../../../engine/input/document.ts';
import type { DesiredAccount } from '../../../engine/manifest/desired.ts';
import {
  convertNumbers,
  needsCountry,
  numberProblems,
  unreadNationalNumbers,
} from '../../../engine/manifest/read-numbers.ts';
import type { Context } from '../../command/context.ts';
import { warnUnread } from './national-numbers.ts';

/**
 * Reads national numbers of a manifest by the country of its account, if the manifest names no country. Warns about
 * numbers that are kept as typed. `id`: the account, if it exists. Throws `invalid` for objects that use an emergency
 * number of that country.
 */
export async function withAccountCountry(
  context: Pick<Context, 'api' | 'notices'>,
  id: string | undefined,
  wanted: DesiredAccount,
): Promise<DesiredAccount> {
  if (!needsCountry(wanted)) return wanted;
  const isOpen = wanted.country === undefined && id !== undefined;
  const country = isOpen ? await (await context.api()).country(id) : wanted.country;
  const desired = country === wanted.country ? wanted : convertNumbers({ ...wanted, country });
  if (desired !== wanted) {
    const problems = numberProblems(desired).flatMap(([, found]) => found);
    if (problems.length > 0) throw problemsFailure(problems);
  }
  for (const { object, path, text } of unreadNationalNumbers(desired))
    warnUnread(context.notices, text, country, object.place(path));
  return desired;
}
