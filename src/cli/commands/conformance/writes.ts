import { Failure, nextStep } from '../../../base/failure.ts';
import { isObject, type Json } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import type { Incoming } from '../../../client/api/exchange.ts';
import { operationById, operations, resourceByName } from '../../../contract/catalogue.ts';
import type { Operation } from '../../../contract/types.ts';
import type { Context } from '../../command/context.ts';
import { judge, type Known, notTried, type Verdict, type Verdicts } from './judge.ts';
import { dataOf } from './replies.ts';
import { creates, dataFor, type MadeIds, reasonAgainst } from './samples.ts';

/** Sends one request in the account that was made for writing. */
export type Send = (
  operation: Operation,
  path: Readonly<Record<string, string>>,
  data?: Json,
  headers?: Readonly<Record<string, string>>,
) => Promise<Incoming>;

export interface Writer extends Known {
  readonly send: Send;
  readonly account: string;
  readonly secret: string;
}

export interface Created {
  readonly verdicts: Verdicts;
  readonly ids: MadeIds;
}

/** Creates one record of each resource, those first that others refer to. */
export async function createSamples(writer: Writer): Promise<Created> {
  const verdicts = new Map<string, Verdict>();
  const ids = new Map<string, string>();
  for (const operation of creates) {
    const { verdict, data } = await write(writer, operation, ids);
    verdicts.set(operation.id, verdict);
    const { idParameter } = resourceByName(operation.resource);
    const id = isObject(data) ? data.id : undefined;
    if (idParameter !== undefined && typeof id === 'string') ids.set(idParameter, id);
  }
  return { verdicts, ids };
}

/** Changes and then deletes what was created; gives what became of each operation. */
export async function changeSamples(writer: Writer, ids: MadeIds): Promise<Verdicts> {
  const verdicts = new Map<string, Verdict>();
  for (const operation of changes) {
    const { verdict } = await write(writer, operation, ids);
    verdicts.set(operation.id, verdict);
  }
  return verdicts;
}

const isDelete = ({ method }: Operation): boolean => method === 'DELETE';
const depthOf = ({ path }: Operation): number => path.split('/').length;

/** All writes in an account but creates and the account's own end: changes, then deletes, what lies deepest first. */
const changes = operations
  .filter(
    (each) =>
      each.method !== 'GET' &&
      each.verb !== 'create' &&
      each.id !== 'accounts.delete' &&
      reasonAgainst(each) === undefined,
  )
  .toSorted((one, other) => Number(isDelete(one)) - Number(isDelete(other)) || depthOf(other) - depthOf(one));

/** Data that a write is tried with. The account keeps its name, and what may cost is sent as it stands. */
async function dataOfWrite(writer: Writer, operation: Operation, ids: MadeIds): Promise<Json> {
  if (operation.effect === 'charges') {
    const read = operations.find(({ method, path }) => method === 'GET' && path === operation.path);
    const stored = read === undefined ? undefined : dataOf(await writer.send(read, {}));
    return isObject(stored) ? stored : {};
  }
  const data = dataFor(operation, ids, writer.secret);
  return operation.id === 'accounts.update' && isObject(data)
    ? { ...data, ...subAccountData(writer.account) }
    : data;
}

/** A reply that was judged, with its data where it is a success; or why there is none. */
type Judged = { readonly verdict: Verdict; readonly data?: Json | undefined };

/** Tries one write. Where no reply came to it alone, that is what was found out. */
async function write(writer: Writer, operation: Operation, ids: MadeIds): Promise<Judged> {
  const path: Record<string, string> = {};
  for (const [, name = ''] of operation.path.matchAll(/\{(\w+)\}/g)) {
    if (name === 'account_id') continue;
    const id = ids.get(name);
    if (id === undefined) return { verdict: notTried('there is no record of its kind to try it on') };
    path[name] = id;
  }
  try {
    const data = operation.body === undefined ? undefined : await dataOfWrite(writer, operation, ids);
    const incoming = await writer.send(operation, path, data);
    return {
      verdict: judge(operation, incoming, writer),
      ...(incoming.status < 300 ? { data: dataOf(incoming) } : {}),
    };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return { verdict: { result: 'failed', note: 'no reply came' } };
  }
}

const create = operationById('accounts.create');
const children = operationById('accounts.list');
const removal = operationById('accounts.delete');

interface SubAccountRun {
  /** Its id; `undefined` where it could not be made, or nobody knows which it is. */
  readonly id: string | undefined;
  /** The reply to its creation; `undefined` where none came. */
  readonly made: Incoming | undefined;
  /** The reply to its removal; `undefined` where there was nothing to remove, or none came. */
  readonly removed: Incoming | undefined;
}

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
    `The account ${name} ${isThere}. To remove it: ${nextStep`accounts delete ${name} --confirm ${name}`}`,
  );
}
