import { Failure, ignoreFailure, nextStep } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Context } from '../../cli/command/context.ts';
import type { Api } from '../../client/api/api.ts';
import type { IncomingReply } from '../../client/api/exchange.ts';
import { operationById, operations, resourceByName } from '../../contract/catalogue.ts';
import { bodyExample, pathExamples, samples } from '../../contract/samples.ts';
import { isSecretPath } from '../../contract/schema.ts';
import type { Operation, ResourceName } from '../../contract/types.ts';
import { judge, type Known, notTried, type Verdict, type Verdicts } from './judge.ts';
import { repliedData } from './replies.ts';

export type MadeIds = ReadonlyMap<string, string>;

/** Data that keeps a sample from contacting anyone. */
const quiet: Partial<Readonly<Record<ResourceName, JsonObject>>> = { webhooks: { enabled: false } };

/** Writes that are tried although the resource excludes writes. They contact no one. */
const harmless = new Set(['numbers.locality', 'ports.create', 'ports.update', 'ports.patch', 'ports.delete']);

/** Returns why an operation is not tried. Returns `undefined` if it is tried. */
export function reasonAgainst(operation: Operation): string | undefined {
  const { id, path, resource, verb, body, does, repeat } = operation;
  if (!path.startsWith('/accounts/{account_id}')) return 'it is not about an account';
  if (body?.kind === 'file') return 'it needs a file';
  if (verb.startsWith('eavesdrop')) return 'it makes a phone ring';
  if (does?.includes('costs') && repeat === 'never') return 'it would cost money';
  return harmless.has(id) ? undefined : resourceByName(resource).absent?.trial;
}

export const referenceCount = (name: ResourceName): number => {
  const text = JSON.stringify(samples[name]?.record ?? {});
  return [...pathExamples.values()].filter((id) => text.includes(`"${id}"`)).length;
};

/** Creates to try, in the order of their references. */
const creates: readonly Operation[] = operations
  .filter(
    (each) => each.verb === 'create' && each.resource !== 'accounts' && reasonAgainst(each) === undefined,
  )
  .toSorted((one, other) => referenceCount(one.resource) - referenceCount(other.resource));

/** Returns the sample record of a resource with ids of created records and a random secret. */
export function quietSample(name: ResourceName, made: MadeIds, secret: string): JsonObject {
  const { schema } = resourceByName(name);
  const sample: JsonObject = { ...samples[name]?.record, ...quiet[name] };
  return Object.fromEntries(
    Object.entries(sample).map(([key, value]) => [
      key,
      isSecretPath(schema, key) ? secret : withCreatedIds(value, made),
    ]),
  );
}

function dataFor(operation: Operation, made: MadeIds, secret: string): Json {
  if (operation.body?.kind !== 'record') return withCreatedIds(bodyExample(operation) ?? {}, made);
  const sample = quietSample(operation.resource, made, secret);
  // The first sample already exists, and two devices cannot have the same address or name.
  return operation.id === 'devices.create-below-user'
    ? { ...sample, mac_address: '0004f2ab7efe', sip: { username: 'alice_second_desk', password: secret } }
    : sample;
}

function withCreatedIds(sample: Json | undefined, made: MadeIds): Json {
  const ids = new Map<string, string>(
    [...made].flatMap(([parameter, id]) => {
      const example = pathExamples.get(parameter);
      return example === undefined ? [] : [[example, id]];
    }),
  );
  const replaceIds = (value: Json | undefined): Json => {
    if (typeof value === 'string') return ids.get(value) ?? value;
    if (Array.isArray(value)) return value.map(replaceIds);
    if (!isObject(value)) return value ?? null;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [ids.get(key) ?? key, replaceIds(inner)]),
    );
  };
  return replaceIds(sample);
}

export type Send = (
  operation: Operation,
  path: Readonly<Record<string, string>>,
  data?: Json,
  headers?: Readonly<Record<string, string>>,
) => Promise<IncomingReply>;

export interface Writer extends Known {
  readonly send: Send;
  readonly account: string;
  readonly secret: string;
}

/** Creates one record of each resource, in the order of references. */
export async function createSamples(writer: Writer) {
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

/** Changes and deletes the created records. Returns the results. */
export async function changeSamples(writer: Writer, ids: MadeIds): Promise<Verdicts> {
  const verdicts = new Map<string, Verdict>();
  for (const operation of changes) {
    const { verdict } = await write(writer, operation, ids);
    verdicts.set(operation.id, verdict);
  }
  return verdicts;
}

const isDelete = ({ method }: Operation): boolean => method === 'DELETE';
const pathDepth = ({ path }: Operation): number => path.split('/').length;

/**
 * All writes in the account except creates and the deletion of the account: updates, then deletes, deepest paths
 * first.
 */
const changes = operations
  .filter(
    (each) =>
      each.method !== 'GET' &&
      each.verb !== 'create' &&
      each.id !== 'accounts.delete' &&
      reasonAgainst(each) === undefined,
  )
  .toSorted(
    (one, other) => Number(isDelete(one)) - Number(isDelete(other)) || pathDepth(other) - pathDepth(one),
  );

/** Returns the data of a write. The account keeps its name. Data that could cause charges is sent unchanged. */
async function dataOfWrite(writer: Writer, operation: Operation, ids: MadeIds): Promise<Json> {
  if (operation.effect === 'charges') {
    const read = operations.find(({ method, path }) => method === 'GET' && path === operation.path);
    const stored = read === undefined ? undefined : repliedData(await writer.send(read, {}));
    return isObject(stored) ? stored : {};
  }
  const data = dataFor(operation, ids, writer.secret);
  return operation.id === 'accounts.update' && isObject(data)
    ? { ...data, ...subAccountData(writer.account) }
    : data;
}

/** Tries a write. Returns its verdict, and `data` if it succeeds. */
async function write(
  writer: Writer,
  operation: Operation,
  ids: MadeIds,
): Promise<{ readonly verdict: Verdict; readonly data?: Json | undefined }> {
  const path: Record<string, string> = {};
  for (const [, name = ''] of operation.path.matchAll(/\{(\w+)\}/g)) {
    if (name === 'account_id') continue;
    const id = ids.get(name);
    if (id === undefined) return { verdict: notTried('no record of its kind exists') };
    path[name] = id;
  }
  const sendWrite = async (): Promise<IncomingReply> => {
    const data = operation.body === undefined ? undefined : await dataOfWrite(writer, operation, ids);
    return writer.send(operation, path, data);
  };
  const incoming = await ignoreFailure(sendWrite());
  if (incoming === undefined) return { verdict: { result: 'failed', note: 'no reply came' } };
  return {
    verdict: judge(operation, incoming, writer),
    data: incoming.status < 300 ? repliedData(incoming) : undefined,
  };
}

const create = operationById('accounts.create');
const children = operationById('accounts.list');
const removal = operationById('accounts.delete');

export const subAccountData = (name: string) => ({ name, realm: `${name}.sip.example` });

/**
 * Runs `work` in a temporary sub-account. Always removes the account: after a failure, after Ctrl-C, and if the reply
 * to its creation was lost. Warns if it cannot be removed. Returns its id, if known, and the replies to its creation
 * and removal.
 */
export async function inSubAccount(
  context: Context,
  { api, name }: { readonly api: Api; readonly name: string },
  work: (accountId: string) => Promise<void>,
): Promise<{ readonly id?: string; readonly made?: IncomingReply; readonly removed?: IncomingReply }> {
  const own = [await context.accountId(), (await context.session()).profile.accountId];
  let made: IncomingReply | undefined;
  let id: string | undefined;
  let removed: IncomingReply | undefined;
  try {
    made = await api.probe({ operation: create, data: subAccountData(name) });
    id = made.status < 300 ? createdAccountId(repliedData(made), { name, own }) : undefined;
    if (id !== undefined) await work(id);
  } catch (error) {
    if (!(error instanceof Failure) || made !== undefined || error.kind !== 'unavailable') throw error;
  } finally {
    // A refusal creates no account. Any other reply may have created one.
    const isRefused = made !== undefined && made.status >= 300 && made.status < 500;
    if (!isRefused) removed = await removeAccount(context, { name, own }, id);
  }
  return { ...(id && { id }), ...(made && { made }), ...(removed && { removed }) };
}

interface Wanted {
  readonly name: string;
  readonly own: readonly string[];
}

/** Returns the id of the created account. Ignores records with another name and existing accounts. */
const createdAccountId = (record: Json | undefined, { name, own }: Wanted): string | undefined =>
  isObject(record) && record.name === name && typeof record.id === 'string' && !own.includes(record.id)
    ? record.id
    : undefined;

async function removeAccount(
  context: Context,
  wanted: Wanted,
  known: string | undefined,
): Promise<IncomingReply | undefined> {
  try {
    const api = await context.cleanupApi();
    const id = known ?? (await idByName(api, wanted));
    if (id === undefined) return undefined;
    const incoming = await api.probe({ operation: removal, path: { account_id: id } });
    if (incoming.status >= 300 && incoming.status !== 404) warnOfLeftover(context, wanted, known);
    else if (context.host.interrupted.aborted) context.notices.say(`Removed the account ${wanted.name}.`);
    return incoming;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warnOfLeftover(context, wanted, known);
    return undefined;
  }
}

/** Finds the account by name if the reply to its creation was lost. Throws `Failure` if the search fails. */
async function idByName(api: Api, wanted: Wanted): Promise<string | undefined> {
  for await (const page of api.pages({ operation: children, query: { filter_name: wanted.name } }))
    for (const account of page) {
      const id = createdAccountId(account, wanted);
      if (id !== undefined) return id;
    }
  return undefined;
}

function warnOfLeftover({ notices }: Context, { name }: Wanted, id: string | undefined): void {
  const isThere = id === undefined ? 'may be left behind' : 'is left behind';
  notices.warn(
    `The account ${name} ${isThere}. To delete it: ${nextStep`accounts delete ${name} --confirm ${name}`}`,
  );
}
