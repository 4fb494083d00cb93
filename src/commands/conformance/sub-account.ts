import type { Api } from '../../api/api.ts';
import type { Incoming } from '../../api/exchange.ts';
import type { Context } from '../../cli/context.ts';
import { operationById } from '../../contract/catalogue.ts';
import { Failure } from '../../contract/failure.ts';
import { isObject } from '../../contract/json.ts';
import { dataOf } from './read-reply.ts';

const create = operationById('accounts.create');
const children = operationById('accounts.list');
const removal = operationById('accounts.delete');

/** What became of the account that was made for writing. */
export interface SubAccountRun {
  /** The reply to its creation; `undefined` where none came. */
  readonly made: Incoming | undefined;
  /** The reply to its removal; `undefined` where there was nothing to remove, or none came. */
  readonly removed: Incoming | undefined;
}

/** What the account is created with. */
export const subAccountData = (name: string) => ({ name, realm: `${name}.sip.example` });

/**
 * Makes an account below the one acted on, has `work` done in it, and removes it whatever happens: at a failure, at
 * Ctrl-C, and where the reply to its creation was lost. What could not be removed is named in a warning.
 */
export async function inSubAccount(
  context: Context,
  { api, name }: { readonly api: Api; readonly name: string },
  work: (accountId: string) => Promise<void>,
): Promise<SubAccountRun> {
  let made: Incoming | undefined;
  let id: string | undefined;
  let removed: Incoming | undefined;
  try {
    made = await api.answer({ operation: create, data: subAccountData(name) });
    id = made.status < 300 ? idOf(dataOf(made)) : undefined;
    if (id !== undefined) await work(id);
  } catch (error) {
    if (!(error instanceof Failure) || made !== undefined || error.kind !== 'unavailable') throw error;
  } finally {
    // A refusal made nothing; everything else may have.
    const isRefused = made !== undefined && made.status >= 300 && made.status < 500;
    if (!isRefused) removed = await removeAccount(context, name, id);
  }
  return { made, removed };
}

const idOf = (record: unknown): string | undefined =>
  isObject(record) && typeof record.id === 'string' ? record.id : undefined;

async function removeAccount(
  context: Context,
  name: string,
  known: string | undefined,
): Promise<Incoming | undefined> {
  try {
    const api = await context.cleanupApi();
    const id = known ?? (await idByName(api, name));
    if (id === undefined) return undefined;
    const incoming = await api.answer({ operation: removal, path: { account_id: id } });
    if (incoming.status < 300 || incoming.status === 404) return incoming;
    warnOfLeftover(context, name, known);
    return incoming;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warnOfLeftover(context, name, known);
    return undefined;
  }
}

/** The account of that name, where the reply to its creation was lost. Throws `Failure` where it cannot be found out. */
async function idByName(api: Api, name: string): Promise<string | undefined> {
  for await (const page of api.pages({ operation: children, query: { filter_name: name } })) {
    const found = page.find((account) => account.name === name);
    if (found !== undefined) return idOf(found);
  }
  return undefined;
}

function warnOfLeftover({ notices }: Context, name: string, id: string | undefined): void {
  const isThere = id === undefined ? 'may be left behind' : 'is left behind';
  notices.warn(
    `The account ${name} ${isThere}. To remove it: telctl accounts delete ${name} --confirm ${name}`,
  );
}
