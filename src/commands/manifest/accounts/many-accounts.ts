import { Failure } from '../../../base/failure.ts';
import { quoted } from '../../../base/wording.ts';
import type { Context } from '../../../command/context.ts';
import { type ListedAccount, readAccountList } from '../../many-accounts/account-list.ts';
import { type ChosenAccount, chooseAccounts } from '../../many-accounts/choose-accounts.ts';
import { readManifestInput } from '../manifest-input.ts';
import type { PlanningInput } from '../plan/planning.ts';

/**
 * The accounts that a list names, found at the service, once the manifest was read for each of them. Throws
 * `Failure`: `usage` where the manifest cannot be for many accounts, `invalid` where it or the list is wrong, and
 * what `chooseAccounts` throws.
 */
export async function openAccounts(
  context: Context,
  input: PlanningInput,
  file: string,
): Promise<readonly ChosenAccount[]> {
  if (input.file.includes('-'))
    throw new Failure(
      'usage',
      'With --accounts the manifest is read for each account; -f - can be read once.',
      {
        hint: 'Put the manifest into a file.',
      },
    );
  const listed = await readAccountList(context.host, file);
  const silent = { ...context, notices: { ...context.notices, warn: () => undefined } };
  const differing = new Map(listed.map((one) => [JSON.stringify([...one.vars]), one]));
  for (const one of differing.values()) await readFor(silent, input, one);
  return chooseAccounts(context, listed);
}

/** Returns the input of a command for one account of a list. */
export const inputFor = <I extends PlanningInput>(input: I, { vars }: ListedAccount): I => ({
  ...input,
  var: [...input.var, ...[...vars].map(([name, value]) => `${name}=${value}`)],
});

async function readFor(context: Context, input: PlanningInput, one: ListedAccount): Promise<void> {
  const { desired } = await readManifestInput(context, inputFor(input, one)).catch((error: unknown) => {
    if (!(error instanceof Failure) || one.vars.size === 0) throw error;
    const { kind, lines, hint, details } = error;
    throw new Failure(kind, [`For ${quoted(one.word)} (${one.file}:${one.line}):`, ...lines], {
      hint,
      details,
      cause: error,
    });
  });
  if (desired.accounts.every(({ account }) => account === undefined)) return;
  throw new Failure(
    'usage',
    'The manifest names its account, so that it cannot be for the accounts of --accounts.',
    {
      hint: 'Leave "account:" out of the manifest, or --accounts out of the command line.',
    },
  );
}
