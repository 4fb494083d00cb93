import type { Incoming } from '../../api/exchange.ts';
import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { operations, resourceByName } from '../../contract/catalogue.ts';
import type { Operation } from '../../contract/types.ts';
import { judge, type Known } from './judge.ts';
import { dataOf } from './read-reply.ts';
import { creates, dataFor, type MadeIds, reasonAgainst } from './samples.ts';
import { subAccountData } from './sub-account.ts';
import { notTried, type Verdict, type Verdicts } from './verdict.ts';

/** Sends one request in the account that was made for writing. */
export type Send = (
  operation: Operation,
  path: Readonly<Record<string, string>>,
  data?: Json,
  headers?: Readonly<Record<string, string>>,
) => Promise<Incoming>;

/** Tools and values that writing takes. */
export interface Writer extends Known {
  readonly send: Send;
  /** Name of the account that is written in. */
  readonly account: string;
  /** Password of whoever is made. */
  readonly secret: string;
}

/** Verdicts on the creates, and ids of the records that were made. */
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
async function dataOfWrite(writer: Writer, operation: Operation, ids: MadeIds): Promise<JsonObject> {
  if (operation.effect === 'charges') {
    const read = operations.find(({ method, path }) => method === 'GET' && path === operation.path);
    const stored = read === undefined ? undefined : dataOf(await writer.send(read, {}));
    return isObject(stored) ? stored : {};
  }
  const data = dataFor(operation, ids, writer.secret);
  return operation.id === 'accounts.update' ? { ...data, ...subAccountData(writer.account) } : data;
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
