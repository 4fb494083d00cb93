import type { Api } from '../../api/api.ts';
import type { Incoming } from '../../api/exchange.ts';
import { Failure } from '../../base/failure.ts';
import { isObject, type Json } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import { operationById } from '../../contract/catalogue.ts';
import { dataOf } from './read-reply.ts';

const create = operationById('accounts.create');
const children = operationById('accounts.list');
const removal = operationById('accounts.delete');

/** The end of the account that was made for writing. */
export interface SubAccountRun {
  /** Its id; `undefined` where it could not be made, or nobody knows which it is. */
  readonly id: string | undefined;
  /** The reply to its creation; `undefined` where none came. */
  readonly made: Incoming | undefined;
  /** The reply to its removal; `undefined` where there was nothing to remove, or none came. */
  readonly removed: Incoming | undefined;
}

/** Data that the account is created with. */
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
  const own = [await context.accountId(), (await context.session()).profile.accountId];
  let made: Incoming | undefined;
  let id: string | undefined;
  let removed: Incoming | undefined;
  try {
    made = await api.answer({ operation: create, data: subAccountData(name) });
    id = made.status < 300 ? idOf(dataOf(made), { name, own }) : undefined;
    if (id !== undefined) await work(id);
  } catch (error) {
    if (!(error instanceof Failure) || made !== undefined || error.kind !== 'unavailable') throw error;
  } finally {
    // A refusal made nothing; everything else may have.
    const isRefused = made !== undefined && made.status >= 300 && made.status < 500;
    if (!isRefused) removed = await removeAccount(context, { name, own }, id);
  }
  return { id, made, removed };
}

/** The account that was asked for: its name, and the ids that it cannot have, since they are those of others. */
interface Wanted {
  readonly name: string;
  readonly own: readonly string[];
}

/** The id of the account that was made. A record of another name, or one of those above, is not it. */
const idOf = (record: Json | undefined, { name, own }: Wanted): string | undefined =>
  isObject(record) && record.name === name && typeof record.id === 'string' && !own.includes(record.id)
    ? record.id
    : undefined;

async function removeAccount(
  context: Context,
  wanted: Wanted,
  known: string | undefined,
): Promise<Incoming | undefined> {
  try {
    const api = await context.cleanupApi();
    const id = known ?? (await idByName(api, wanted));
    if (id === undefined) return undefined;
    const incoming = await api.answer({ operation: removal, path: { account_id: id } });
    if (incoming.status >= 300 && incoming.status !== 404) warnOfLeftover(context, wanted, known);
    else if (context.host.interrupted.aborted) context.notices.say(`Removed the account ${wanted.name}.`);
    return incoming;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warnOfLeftover(context, wanted, known);
    return undefined;
  }
}

/** The account of that name, where the reply to its creation was lost. Throws `Failure` where it cannot be found out. */
async function idByName(api: Api, wanted: Wanted): Promise<string | undefined> {
  for await (const page of api.pages({ operation: children, query: { filter_name: wanted.name } }))
    for (const account of page) {
      const id = idOf(account, wanted);
      if (id !== undefined) return id;
    }
  return undefined;
}

function warnOfLeftover({ notices }: Context, { name }: Wanted, id: string | undefined): void {
  const isThere = id === undefined ? 'may be left behind' : 'is left behind';
  notices.warn(
    `The account ${name} ${isThere}. To remove it: telctl accounts delete ${name} --confirm ${name}`,
  );
}
